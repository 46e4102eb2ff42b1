import type { Cql2Expression } from '../model/expression.ts';

/** What the SQL of a property is: `timestamp` a timestamptz, `number` a float8 or an integer, `json` a jsonb. */
export type Cql2Kind = 'text' | 'number' | 'timestamp' | 'boolean' | 'geometry' | 'json';

/** A property as SQL. */
export interface Cql2Queryable {
  /** An expression that may stand several times in the SQL: a column, `item -> 'properties' -> $1`. */
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

/** A condition for PostgreSQL with PostGIS that is true for what `cql2Predicate` lets through; values go in as parameters only. */
export function cql2Sql(expression: Cql2Expression, target: Cql2SqlTarget): string {
  throw new Error(`CQL2 is not written as SQL yet (${typeof expression}, ${typeof target})`);
}
