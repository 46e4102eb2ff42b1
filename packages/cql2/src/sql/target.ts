/** What the SQL of a property is: `timestamp` a timestamptz, `number` a float8 or an integer, `json` a jsonb, `geometry` in EPSG:4326. */
export type Cql2Kind = 'text' | 'number' | 'timestamp' | 'boolean' | 'geometry' | 'json';

/** A property as SQL. */
export interface Cql2Queryable {
  /** An expression that may stand several times in the SQL: a column, `(properties -> $1)`. */
  readonly sql: string;
  readonly kind: Cql2Kind;
}

/** What the SQL is written over. */
export interface Cql2SqlTarget {
  /** The SQL of a property; undefined where there is none of this name, which is null everywhere. */
  queryable(name: string): Cql2Queryable | undefined;
  /** Takes a value as a parameter and returns its placeholder, which may stand several times in the SQL. */
  param(value: string | number | boolean): string;
}
