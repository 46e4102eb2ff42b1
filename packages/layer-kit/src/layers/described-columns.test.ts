import type { TableColumn } from '@headwater/core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type ColumnsByProperty,
  type ColumnsOf,
  describedColumns,
  type DescribedColumns,
  type FeatureRow,
} from './described-columns.ts';
import { publishVectorLayer, type VectorLayerDraft } from './vector-layer.ts';
import type { LayerFeature } from './vector-picture.ts';

type Row = { readonly uid: string; readonly area_in_ha: number | null; readonly parts: readonly string[] };
const uid = { type: 'text', description: 'Identifier' } as const;
const area = { type: 'number', unit: 'ha', description: 'Hectares' } as const;
const parts = { type: 'list', description: 'Parts' } as const;

describe('columns of features with known properties', () => {
  it('have the names of the properties, in the order of the keys', () => {
    const named = { ...uid, name: 'other' };
    const columns = describedColumns<Row>()({ uid: named, area_in_ha: area, parts });
    expect(columns).toEqual([
      { name: 'uid', ...uid },
      { name: 'area_in_ha', ...area },
      { name: 'parts', ...parts },
    ]);
    expect(() => Reflect.apply(describedColumns<Row>(), undefined, [{}])).toThrow('the layer has no columns');
  });

  it('do not compile if a property has no column, or a column has no property or the wrong type', () => {
    type Spec = ColumnsByProperty<Row>;
    expectTypeOf<{ uid: typeof uid; area_in_ha: typeof area; parts: typeof parts }>().toExtend<Spec>();
    expectTypeOf<{ uid: typeof uid; parts: typeof parts }>().not.toExtend<Spec>();
    expectTypeOf<{ uid: typeof area; area_in_ha: typeof area; parts: typeof parts }>().not.toExtend<Spec>();
    expectTypeOf<{ uid: typeof uid; area_in_ha: typeof uid; parts: typeof parts }>().not.toExtend<Spec>();
    // @ts-expect-error -- no feature has the property `stray`.
    expect(describedColumns<Row>()({ uid, area_in_ha: area, parts, stray: uid })).toHaveLength(4);
  });

  it('must match the features of the layer: a list, missing columns and further columns do not compile', () => {
    type Wanted = VectorLayerDraft<Row>['columns'];
    expectTypeOf<DescribedColumns<Row>>().toExtend<Wanted>();
    expectTypeOf<readonly TableColumn[]>().not.toExtend<Wanted>();
    expectTypeOf<DescribedColumns<Pick<Row, 'uid'>>>().not.toExtend<Wanted>();
    expectTypeOf<DescribedColumns<Row & { readonly more: string }>>().not.toExtend<Wanted>();
    expectTypeOf<DescribedColumns<Row>>().toExtend<ColumnsOf<FeatureRow>>();
  });

  it('are required if the properties of features are known', () => {
    type Draft = Omit<VectorLayerDraft, 'features' | 'columns'>;
    const publish = (draft: Draft, features: readonly LayerFeature<Row>[], columns: readonly TableColumn[]) => [
      () =>
        publishVectorLayer(
          { ...draft, features, columns: describedColumns<Row>()({ uid, area_in_ha: area, parts }) },
          tools(),
        ),
      // @ts-expect-error -- a plain list of columns is refused, because the compiler does not know the names in the
      // list.
      () => publishVectorLayer({ ...draft, features, columns }, tools()),
    ];
    const tools = (): never => {
      throw new Error('nothing is published here');
    };
    expect(publish).toBeTypeOf('function');
  });
});

describe('columns with names that depend on years or a file', () => {
  it('are a list, which is compared with the features at publication', () => {
    expectTypeOf<readonly TableColumn[]>().toExtend<VectorLayerDraft['columns']>();
  });
});
