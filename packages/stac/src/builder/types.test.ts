import { describe, expect, expectTypeOf, it } from 'vitest';
import { sampleVector } from '../samples.fixture.ts';
import type { ItemId } from '../ids/item-id.ts';
import type { RasterContent, RasterItemInput, VectorItemInput } from './inputs.ts';
import { columnsOf } from './vector-item.ts';

describe('types', () => {
  it('demand classes or bands of a raster, and a type of each', () => {
    const classes = [{ value: 1, name: 'a', description: 'a' }] as const;
    const bands = [{ name: 'a', dataType: 'float32' }] as const;
    expectTypeOf<object>().not.toExtend<RasterContent>();
    expectTypeOf<{ classes: typeof classes; dataType: 'uint8'; bands: typeof bands }>().not.toExtend<RasterContent>();
    expectTypeOf<{ classes: typeof classes }>().not.toExtend<RasterContent>();
    expectTypeOf<{ bands: readonly [{ name: 'a' }] }>().not.toExtend<RasterContent>();
    expectTypeOf<{ bands: readonly [] }>().not.toExtend<RasterContent>();
    expectTypeOf<{ classes: typeof classes; dataType: 'uint8' }>().toExtend<RasterContent>();
    expectTypeOf<{ bands: typeof bands }>().toExtend<RasterContent>();
  });

  it('forbid table columns on a raster, and demand them of a vector', () => {
    expectTypeOf<RasterItemInput['columns']>().toEqualTypeOf<undefined>();
    expectTypeOf<[]>().not.toExtend<VectorItemInput['columns']>();
    expectTypeOf<string>().not.toExtend<ItemId>();
    expectTypeOf<keyof RasterItemInput>().not.toEqualTypeOf<keyof RasterItemInput | 'bbox'>();
    expectTypeOf(sampleVector()).toExtend<Readonly<Record<string, unknown>>>();
  });

  it('demand a column for each property of the feature', () => {
    const make = columnsOf<{ uid: string; area?: number }>();
    const uid = { type: 'object', description: 'id' } as const;
    expectTypeOf<{ uid: typeof uid }>().not.toExtend<Parameters<typeof make>[0]>();
    expectTypeOf<{ uid: typeof uid; area: typeof uid }>().toExtend<Parameters<typeof make>[0]>();
    expect(columnsOf<{ uid: string }>()({ uid }).map((column) => column.name)).toEqual(['uid']);
    expect(() => columnsOf<object>()({})).toThrow('one column or more');
  });
});
