import type { TableColumn } from '@headwater/core';

/** Properties of a feature of a vector layer. */
export type FeatureRow = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Column types that fit the values of a property `V`; null fits each. */
export type ColumnTypeFor<V> = [NonNullable<V>] extends [never]
  ? TableColumn['type']
  : [NonNullable<V>] extends [string]
    ? 'text'
    : [NonNullable<V>] extends [number]
      ? 'number' | 'integer'
      : [NonNullable<V>] extends [readonly unknown[]]
        ? 'list'
        : TableColumn['type'];

/** A column for each property of `Row`, and no other. */
export type ColumnsByProperty<Row extends FeatureRow> = {
  readonly [K in keyof Row & string]-?: Omit<TableColumn, 'name' | 'type'> & { readonly type: ColumnTypeFor<Row[K]> };
};

declare const rowBrand: unique symbol;

/** The columns of features with properties `Row`, complete; built by `describedColumns`. */
export type DescribedColumns<Row extends FeatureRow> = readonly (TableColumn & {
  readonly name: keyof Row & string;
})[] & { readonly [rowBrand]: Row };

/**
 * The columns of a layer with feature properties `Row`. If the names are known at compile time, the compiler checks them: the columns are
 * those of `describedColumns<Row>`. If they depend on years or on a file, they are a list, which is checked at publication.
 */
export type ColumnsOf<Row extends FeatureRow> = readonly TableColumn[] &
  (string extends keyof Row ? unknown : DescribedColumns<Row>);

/**
 * Builds columns keyed by the feature's property type: a property without column does not compile, nor does a column without property or
 * with the wrong type. They are in the order of the keys. Throws `RangeError` if there are none.
 */
export function describedColumns<Row extends FeatureRow>() {
  return (columns: ColumnsByProperty<Row>): DescribedColumns<Row> => {
    const list = Object.entries<Omit<TableColumn, 'name'>>(columns).map(([name, column]) => ({ ...column, name }));
    if (!isWhole<Row>(list)) throw new RangeError('columns: a layer has a property at least, which joins it to others');
    return list;
  };
}

/** True for the columns of a `ColumnsByProperty<Row>`, whose type ensures that none is missing. */
function isWhole<Row extends FeatureRow>(list: readonly TableColumn[]): list is DescribedColumns<Row> {
  return list.length > 0;
}
