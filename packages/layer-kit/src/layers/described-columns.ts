import type { TableColumn } from '@headwater/core';

/** Properties of a feature of a vector layer. */
export type FeatureRow = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Column types that fit a property of type `V`; null fits every type. */
export type ColumnTypeFor<V> = [NonNullable<V>] extends [never]
  ? TableColumn['type']
  : [NonNullable<V>] extends [string]
    ? 'text'
    : [NonNullable<V>] extends [number]
      ? 'number' | 'integer'
      : [NonNullable<V>] extends [readonly unknown[]]
        ? 'list'
        : TableColumn['type'];

/** One column for each property of `Row`. */
export type ColumnsByProperty<Row extends FeatureRow> = {
  readonly [K in keyof Row & string]-?: Omit<TableColumn, 'name' | 'type'> & { readonly type: ColumnTypeFor<Row[K]> };
};

declare const rowBrand: unique symbol;

/** All columns of features with properties `Row`, made by `describedColumns`. */
export type DescribedColumns<Row extends FeatureRow> = readonly (TableColumn & {
  readonly name: keyof Row & string;
})[] & { readonly [rowBrand]: Row };

/** Columns of a layer. `describedColumns<Row>` checks them at compile time; a plain list is checked at publication. */
export type ColumnsOf<Row extends FeatureRow> = readonly TableColumn[] &
  (string extends keyof Row ? unknown : DescribedColumns<Row>);

/**
 * Builds the columns of `Row`, in the order of the keys. Missing, extra and wrong columns do not compile. Throws
 * `RangeError` if there are no columns.
 */
export function describedColumns<Row extends FeatureRow>() {
  return (columns: ColumnsByProperty<Row>): DescribedColumns<Row> => {
    const list = Object.entries<Omit<TableColumn, 'name'>>(columns).map(([name, column]) => ({ ...column, name }));
    if (!isWhole<Row>(list)) throw new RangeError('columns: the layer has no columns; give at least one, such as uid');
    return list;
  };
}

/** True unless the list is empty. The type guarantees that no column is missing, so nothing else is checked. */
function isWhole<Row extends FeatureRow>(list: readonly TableColumn[]): list is DescribedColumns<Row> {
  return list.length > 0;
}
