import { describe, expect, expectTypeOf, it } from 'vitest';
import { sampleVector } from '../samples.fixture.ts';
import type { ItemId } from '../ids/item-id.ts';
import type { NonEmpty } from '../json.ts';
import type { GeometryLike } from '../geometry/types.ts';
import type { ColumnInput, Columns, ColumnType, ColumnTypeOf } from './columns.ts';
import type { RasterContent, RasterItemInput, VectorItemInput } from './inputs.ts';
import { columnsOf } from './table.ts';

describe('types', () => {
  it('require classes or bands of a raster, each with a data type', () => {
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

  it('forbid table columns and a bbox in raster input, require columns in vector input, and forbid a string as Item id', () => {
    expectTypeOf<RasterItemInput['columns']>().toEqualTypeOf<undefined>();
    expectTypeOf<[]>().not.toExtend<VectorItemInput['columns']>();
    expectTypeOf<string>().not.toExtend<ItemId>();
    expectTypeOf<RasterItemInput['bbox']>().toEqualTypeOf<undefined>();
    expectTypeOf(sampleVector()).toExtend<Readonly<Record<string, unknown>>>();
  });

  it('require a column for each property of the feature, with a type that can contain its values', () => {
    const make = columnsOf<{ uid: string; area?: number | null; isWet: boolean }>();
    type Spec = Parameters<typeof make>[0];
    const [uid, area, isWet] = [
      { type: 'object', description: 'id' },
      { type: 'float64', description: 'ha' },
      { type: 'bool', description: 'wet' },
    ] as const;
    expectTypeOf<{ uid: typeof uid; area: typeof area; isWet: typeof isWet }>().toExtend<Spec>();
    expectTypeOf<{ uid: typeof uid; isWet: typeof isWet }>().not.toExtend<Spec>();
    expectTypeOf<{ uid: typeof uid; area: typeof uid; isWet: typeof isWet }>().not.toExtend<Spec>();
    expectTypeOf<Parameters<ReturnType<typeof columnsOf<object>>>[0]>().toBeNever();
    expect(columnsOf<{ uid: string }>()({ uid }).map((column) => column.name)).toEqual(['uid']);
    expect(() => Reflect.apply(columnsOf<object>(), undefined, [{}])).toThrow('one column or more');
  });

  it('require the type object for mixed values, objects, lists or dates', () => {
    expectTypeOf<ColumnTypeOf<Date>>().toEqualTypeOf<'object'>();
    expectTypeOf<ColumnTypeOf<string[]>>().toEqualTypeOf<'object'>();
    expectTypeOf<ColumnTypeOf<{ x: number } | null>>().toEqualTypeOf<'object'>();
    expectTypeOf<ColumnTypeOf<number | string>>().toEqualTypeOf<'object'>();
    expectTypeOf<ColumnTypeOf<number | boolean | undefined>>().toEqualTypeOf<'object'>();
    expectTypeOf<ColumnTypeOf<'a' | 'b' | null>>().toEqualTypeOf<'object' | 'datetime64'>();
    expectTypeOf<ColumnTypeOf<boolean>>().toEqualTypeOf<'bool'>();
    expectTypeOf<ColumnTypeOf<GeometryLike>>().toEqualTypeOf<'object' | 'geometry'>();
    expectTypeOf<ColumnTypeOf<unknown>>().toEqualTypeOf<ColumnType>();
    expectTypeOf<ColumnTypeOf<null>>().toEqualTypeOf<ColumnType>();
  });

  it('require the columns of the row type; without a row type they accept any columns', () => {
    interface Row {
      readonly uid: string;
      readonly area: number;
    }
    expectTypeOf<NonEmpty<ColumnInput>>().not.toExtend<VectorItemInput<Row>['columns']>();
    expectTypeOf<Columns<{ uid: string }>>().not.toExtend<VectorItemInput<Row>['columns']>();
    expectTypeOf<Columns<Row>>().toExtend<VectorItemInput<Row>['columns']>();
    expectTypeOf<Columns<Row>>().toExtend<VectorItemInput['columns']>();
    expectTypeOf<NonEmpty<ColumnInput>>().toExtend<VectorItemInput['columns']>();
  });
});
