import type { GeometryLike } from '../geometry/types.ts';
import type { NonEmpty } from '../json.ts';

/** Type of a column, with names of numpy; `object` means text. */
export type ColumnType = 'object' | 'int64' | 'float64' | 'bool' | 'datetime64' | 'geometry';

/** A column of the layer's table. */
export interface ColumnInput {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

/** Column types for values `V`; each type allows null. Mixed values, objects, lists and dates need `object`. */
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

/** A union of row types has the keys of all its types. */
type KeyOf<Row> = Row extends unknown ? keyof Row & (string | number) : never;
type NamedKeyOf<Row> = Row extends unknown
  ? keyof { [K in keyof Row as string extends K ? never : number extends K ? never : K]: K } & (string | number)
  : never;
type ValueOf<Row, K> = Row extends unknown ? (K extends keyof Row ? Row[K] : never) : never;

interface ColumnOf<V> {
  readonly type: ColumnTypeOf<V>;
  readonly description: string;
}

/**
 * A column for each property of `Row`, by its JSON name (property 2019: `'2019'`). The type is `never` without
 * properties.
 */
export type ColumnSpec<Row extends object> = [KeyOf<Row>] extends [never]
  ? never
  : { readonly [K in NamedKeyOf<Row> as `${K}`]: ColumnOf<ValueOf<Row, K>> } & (string extends KeyOf<Row>
      ? Readonly<Record<string, ColumnOf<ValueOf<Row, string>>>>
      : unknown);

declare const rowBrand: unique symbol;

/**
 * All columns of `Row`, as `columnsOf` returns them. The brand is a function, because otherwise lists without optional
 * columns are accepted.
 */
export type Columns<Row extends object> = NonEmpty<ColumnInput & { readonly name: `${KeyOf<Row>}` }> & {
  readonly [rowBrand]: (name: `${KeyOf<Row>}`) => Row;
};

/** Columns of features with properties `Row`. Every list is accepted if `Row` declares no property. */
export type ColumnsFor<Row extends object> = AnyRow extends Row
  ? [NamedKeyOf<Row>] extends [never]
    ? NonEmpty<ColumnInput>
    : Columns<Row>
  : Columns<Row>;

/** Properties of unknown types, such as those of an uploaded file. */
export type AnyRow = Readonly<Record<string, unknown>>;
