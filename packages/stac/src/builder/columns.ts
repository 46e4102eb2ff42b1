import type { GeometryLike } from '../geometry/types.ts';
import type { NonEmpty } from '../json.ts';

/** Type of a column: numpy's names, as upstream writes them; `object` is text. */
export type ColumnType = 'object' | 'int64' | 'float64' | 'bool' | 'datetime64' | 'geometry';

/** One column of the layer's table. */
export interface ColumnInput {
  readonly name: string;
  readonly type: ColumnType;
  readonly description: string;
}

/**
 * Column types that hold all values of a property `V`; null fits each. Values of several kinds, objects, lists and dates are
 * `object`, a GeoJSON geometry may be the geometry column, and where no type tells of the values any column is taken.
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

/** Keys of the properties of `Row`: where it is one of several types, those of each. */
type KeyOf<Row> = Row extends unknown ? keyof Row & (string | number) : never;
/** Those that are named one by one, beside an index signature too. */
type NamedKeyOf<Row> = Row extends unknown
  ? keyof { [K in keyof Row as string extends K ? never : number extends K ? never : K]: K } & (string | number)
  : never;
type ValueOf<Row, K> = Row extends unknown ? (K extends keyof Row ? Row[K] : never) : never;

interface ColumnOf<V> {
  readonly type: ColumnTypeOf<V>;
  readonly description: string;
}

/** A column for each property of `Row`, under its name as JSON has it (2019 is `'2019'`); a row without properties has none to give. */
export type ColumnSpec<Row extends object> = [KeyOf<Row>] extends [never]
  ? never
  : { readonly [K in NamedKeyOf<Row> as `${K}`]: ColumnOf<ValueOf<Row, K>> } & (string extends KeyOf<Row>
      ? Readonly<Record<string, ColumnOf<ValueOf<Row, string>>>>
      : unknown);

declare const rowBrand: unique symbol;

/**
 * The columns of features with properties `Row`, all of them; from `columnsOf`. Those of a row that lacks an optional property are
 * not among them, though such a row is a `Row`: hence the function, which takes all of the names.
 */
export type Columns<Row extends object> = NonEmpty<ColumnInput & { readonly name: `${KeyOf<Row>}` }> & {
  readonly [rowBrand]: (name: `${KeyOf<Row>}`) => Row;
};

/** Columns that a layer whose features have properties `Row` must have: any where no property of it is named. */
export type ColumnsFor<Row extends object> = AnyRow extends Row
  ? [NamedKeyOf<Row>] extends [never]
    ? NonEmpty<ColumnInput>
    : Columns<Row>
  : Columns<Row>;

/** Properties that no type tells of, such as those of a file that somebody drops in. */
export type AnyRow = Readonly<Record<string, unknown>>;
