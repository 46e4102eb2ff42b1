import type { GeometryLike } from '../geometry/types.ts';
import type { NonEmpty } from '../json.ts';

/** Type of a column. The names are numpy's names, as in the columns of other layers of the API; `object` means text. */
export type ColumnType = 'object' | 'int64' | 'float64' | 'bool' | 'datetime64' | 'geometry';

/** One column of the layer's table. */
export interface ColumnInput {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

/**
 * Column types that can contain all values of a property `V`; null is allowed in each type. Mixed values, objects,
 * lists and dates need `object`. A GeoJSON geometry may also be a `geometry` column. If the type of the values is
 * unknown, every column type is allowed.
 */
export type ColumnTypeOf<V> = unknown extends V
  ? ColumnType
  : [NonNullable<V>] extends [never]
    ? ColumnType
    : [NonNullable<V>] extends [string]
      ? 'object' | 'datetime64'
      : [NonNullable<V>] extends [number]
        ? 'int64' | 'float64'
        : [NonNullable<V>] extends [boolean]
          ? 'bool'
          : [NonNullable<V>] extends [GeometryLike]
            ? 'object' | 'geometry'
            : 'object';

/** Keys of the properties of `Row`. For a union of row types, the keys of all types of the union. */
type KeyOf<Row> = Row extends unknown ? keyof Row & (string | number) : never;
/** Explicitly declared keys of `Row`, without the keys of an index signature. */
type NamedKeyOf<Row> = Row extends unknown
  ? keyof { [K in keyof Row as string extends K ? never : number extends K ? never : K]: K } & (string | number)
  : never;
type ValueOf<Row, K> = Row extends unknown ? (K extends keyof Row ? Row[K] : never) : never;

interface ColumnOf<V> {
  readonly type: ColumnTypeOf<V>;
  readonly description: string;
}

/**
 * A column for each property of `Row`. The key of a column is the name of the property in JSON: the property 2019 has
 * the key `'2019'`. The type is `never` for a row without properties.
 */
export type ColumnSpec<Row extends object> = [KeyOf<Row>] extends [never]
  ? never
  : { readonly [K in NamedKeyOf<Row> as `${K}`]: ColumnOf<ValueOf<Row, K>> } & (string extends KeyOf<Row>
      ? Readonly<Record<string, ColumnOf<ValueOf<Row, string>>>>
      : unknown);

declare const rowBrand: unique symbol;

/**
 * All columns of features with properties `Row`, as `columnsOf` returns them. The type of the brand member is a
 * function type, because with any other type the compiler would also accept columns that lack an optional property of
 * `Row`.
 */
export type Columns<Row extends object> = NonEmpty<ColumnInput & { readonly name: `${KeyOf<Row>}` }> & {
  readonly [rowBrand]: (name: `${KeyOf<Row>}`) => Row;
};

/**
 * Columns that are required for a layer whose features have properties `Row`. Every list is accepted if `Row`
 * declares no property.
 */
export type ColumnsFor<Row extends object> = AnyRow extends Row
  ? [NamedKeyOf<Row>] extends [never]
    ? NonEmpty<ColumnInput>
    : Columns<Row>
  : Columns<Row>;

/** Properties whose types are unknown, such as the properties of an uploaded file. */
export type AnyRow = Readonly<Record<string, unknown>>;
