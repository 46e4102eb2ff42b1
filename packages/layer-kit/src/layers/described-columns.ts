import type { TableColumn } from '@headwater/core';

/** Properties of a feature of a vector layer. */
export type FeatureRow = Readonly<Record<string, string | number | null | readonly string[]>>;

/** What a column may say of itself that holds the values of a property `V`; null fits each. */
export type ColumnTypeFor<V> = [NonNullable<V>] extends [never]
  ? TableColumn['type']
  : [NonNullable<V>] extends [string]
    ? 'text'
    : [NonNullable<V>] extends [number]
      ? 'number' | 'integer'
      : [NonNullable<V>] extends [readonly unknown[]]
        ? 'list'
        : TableColumn['type'];

/** A column for each property of `Row`, and none for what is no property of it. */
export type ColumnsByProperty<Row extends FeatureRow> = {
  readonly [K in keyof Row & string]-?: Omit<TableColumn, 'name' | 'type'> & { readonly type: ColumnTypeFor<Row[K]> };
};

declare const rowBrand: unique symbol;

/** The columns of features with properties `Row`, all of them and no other; from `describedColumns`. */
export type DescribedColumns<Row extends FeatureRow> = readonly (TableColumn & {
  readonly name: keyof Row & string;
})[] & { readonly [rowBrand]: Row };

/**
 * The columns of a layer whose features have properties `Row`. Where the names are known as the program is written, the compiler compares
 * them: the columns are those of `describedColumns<Row>`. Where they follow from years or from a file, they are a list, which publication compares.
 */
export type ColumnsOf<Row extends FeatureRow> = readonly TableColumn[] &
  (string extends keyof Row ? unknown : DescribedColumns<Row>);

/**
 * Columns keyed by the feature's property type: a property that no column describes does not compile, nor does a column of no property, or one
 * that cannot hold the property's values. Their order is that of the keys. Throws `RangeError` where there is none.
 */
export function describedColumns<Row extends FeatureRow>() {
  return (columns: ColumnsByProperty<Row>): DescribedColumns<Row> => {
    const list = Object.entries<Omit<TableColumn, 'name'>>(columns).map(([name, column]) => ({ ...column, name }));
    if (!isWhole<Row>(list)) throw new RangeError('columns: a layer has a property at least, which joins it to others');
    return list;
  };
}

/** True for the columns of a `ColumnsByProperty<Row>`, whose type has seen to it that none is missing. */
function isWhole<Row extends FeatureRow>(list: readonly TableColumn[]): list is DescribedColumns<Row> {
  return list.length > 0;
}
