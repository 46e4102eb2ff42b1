import type { GeometryLike } from '../geometry/types.ts';
import type { NonEmpty } from '../json.ts';

/** Type of a column, named as in numpy. `object` means text, a list or an object. */
export type ColumnType = 'object' | 'int64' | 'float64' | 'bool' | 'datetime64' | 'geometry';

/** A column of the layer's table. */
export interface ColumnInput {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

/** Possible column types of values `V`; each type allows null. */
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

/** Keys of all types of a union. */
type KeyOf<Row> = Row extends unknown ? keyof Row & (string | number) : never;
type NamedKeyOf<Row> = Row extends unknown
  ? keyof { [K in keyof Row as string extends K ? never : number extends K ? never : K]: K } & (string | number)
  : never;
type ValueOf<Row, K> = Row extends unknown ? (K extends keyof Row ? Row[K] : never) : never;

interface ColumnOf<V> {
  readonly type: ColumnTypeOf<V>;
  readonly description: string;
}

/** A column for each property of `Row`. The key 2019 becomes `'2019'`; without properties the type is `never`. */
export type ColumnSpec<Row extends object> = [KeyOf<Row>] extends [never]
  ? never
  : { readonly [K in NamedKeyOf<Row> as `${K}`]: ColumnOf<ValueOf<Row, K>> } & (string extends KeyOf<Row>
      ? Readonly<Record<string, ColumnOf<ValueOf<Row, string>>>>
      : unknown);

declare const rowBrand: unique symbol;

/**
 * All columns of `Row`, from `columnsOf`. The compiler also refuses a list that lacks optional columns, because the
 * function type of `[rowBrand]` has the names of all columns as its parameter.
 */
export type Columns<Row extends object> = NonEmpty<ColumnInput & { readonly name: `${KeyOf<Row>}` }> & {
  readonly [rowBrand]: (name: `${KeyOf<Row>}`) => Row;
};

/** Required columns of features with properties `Row`; any list if `Row` declares no property. */
export type ColumnsFor<Row extends object> = AnyRow extends Row
  ? [NamedKeyOf<Row>] extends [never]
    ? NonEmpty<ColumnInput>
    : Columns<Row>
  : Columns<Row>;

/** Properties whose types are unknown, for example in an uploaded file. */
export type AnyRow = Readonly<Record<string, unknown>>;
