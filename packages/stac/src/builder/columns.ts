import type { GeometryLike } from '../geometry/types.ts';
import type { NonEmpty } from '../json.ts';

/** Type of a column, named as in numpy, like the columns of other layers of the API; `object` is text. */
export type ColumnType = 'object' | 'int64' | 'float64' | 'bool' | 'datetime64' | 'geometry';

/** One column of the layer's table. */
export interface ColumnInput {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

/**
 * Column types that can hold all values of a property `V`; null fits each. Mixed values, objects, lists and dates need
 * `object`; a GeoJSON geometry may also be the `geometry` column. If the type of the values is unknown, any column type fits.
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

/** Keys of the properties of `Row`; for a union of row types, the keys of each. */
type KeyOf<Row> = Row extends unknown ? keyof Row & (string | number) : never;
/** Explicitly named keys of `Row`, without those of an index signature. */
type NamedKeyOf<Row> = Row extends unknown
  ? keyof { [K in keyof Row as string extends K ? never : number extends K ? never : K]: K } & (string | number)
  : never;
type ValueOf<Row, K> = Row extends unknown ? (K extends keyof Row ? Row[K] : never) : never;

interface ColumnOf<V> {
  readonly type: ColumnTypeOf<V>;
  readonly description: string;
}

/**
 * A column for each property of `Row`, under its name in JSON (2019 is `'2019'`). `never` for a row without properties.
 */
export type ColumnSpec<Row extends object> = [KeyOf<Row>] extends [never]
  ? never
  : { readonly [K in NamedKeyOf<Row> as `${K}`]: ColumnOf<ValueOf<Row, K>> } & (string extends KeyOf<Row>
      ? Readonly<Record<string, ColumnOf<ValueOf<Row, string>>>>
      : unknown);

declare const rowBrand: unique symbol;

/**
 * All columns of features with properties `Row`, as `columnsOf` returns them. The brand is a function type on purpose: without it, the
 * compiler would also accept the columns of a row type that lacks an optional property of `Row`.
 */
export type Columns<Row extends object> = NonEmpty<ColumnInput & { readonly name: `${KeyOf<Row>}` }> & {
  readonly [rowBrand]: (name: `${KeyOf<Row>}`) => Row;
};

/** Columns required for a layer whose features have properties `Row`. Any list if `Row` names no property. */
export type ColumnsFor<Row extends object> = AnyRow extends Row
  ? [NamedKeyOf<Row>] extends [never]
    ? NonEmpty<ColumnInput>
    : Columns<Row>
  : Columns<Row>;

/** Properties without a known type, such as those of an uploaded file. */
export type AnyRow = Readonly<Record<string, unknown>>;
