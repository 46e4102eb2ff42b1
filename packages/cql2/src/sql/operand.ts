import { INSTANT_PATTERN, instantKey } from '../model/instant.ts';
import { LARGEST, SMALLEST } from '../semantics/numbers.ts';

/**
 * Type of a property's SQL expression. `timestamp`: timestamptz; `number`: float8 or integer; `json`: jsonb;
 * `geometry`: PostGIS in EPSG:4326.
 */
export type Cql2Kind = 'text' | 'number' | 'timestamp' | 'boolean' | 'geometry' | 'json';

/** A property as SQL. */
export interface Cql2Queryable {
  /** An expression that may be repeated, such as a column. */
  readonly sql: string;
  readonly kind: Cql2Kind;
}

/** Queryable properties and parameters for the generated SQL. */
export interface Cql2SqlTarget {
  /** The SQL of a property; undefined for an unknown name, which counts as null. */
  queryable(name: string): Cql2Queryable | undefined;
  /** Adds a parameter and returns its placeholder, which may be repeated. */
  param(value: string | number | boolean): string;
}

/** A value as SQL. */
export interface Operand {
  /** SQL of the value. For a text literal, the first access to this property adds the parameter. */
  readonly sql: string;
  /** `nothing` is always null. */
  readonly kind: Cql2Kind | 'nothing';
  readonly literal?: string;
  /** True if the SQL should not be repeated. */
  readonly isLarge?: boolean;
}

/** Types in which two values are compared. */
export type CommonKind = 'text' | 'number' | 'boolean' | 'timestamp';

/** SQL of a null. It contains `values` (SQL with parameters), because PostgreSQL refuses unused parameters. */
export function nullSql(type: 'boolean' | 'text' | 'float8' | 'timestamptz', values: readonly string[]): string {
  if (values.length === 0) return `NULL::${type}`;
  return `CASE WHEN ${values.map((sql) => `(${sql}) IS NULL`).join(' OR ')} THEN NULL::${type} END`;
}

/** SQL of an instant, as a parameter. `key`: result of `instantKey`. */
export function instantSql(key: string, { param }: Cql2SqlTarget): string {
  return `${param(`${key}Z`)}::timestamptz`;
}

/**
 * SQL of the operand as a value of this type. In SQL, values of other types become NULL, such as a JSON text where a
 * number is wanted. Undefined if the operand never has this type.
 */
export function operandAs(kind: CommonKind, operand: Operand, target: Cql2SqlTarget): string | undefined {
  if (kind === 'timestamp') return asTimestamp(operand, target);
  if (operand.kind === 'json') return kind === 'number' ? numberOfJson(operand.sql) : ofJson(operand.sql, kind);
  if (operand.kind !== kind) return undefined;
  return kind === 'number' ? `(${operand.sql})::float8` : operand.sql;
}

function ofJson(sql: string, kind: 'text' | 'boolean'): string {
  return kind === 'text'
    ? `CASE WHEN jsonb_typeof(${sql}) = 'string' THEN (${sql}) #>> '{}' END`
    : `CASE WHEN jsonb_typeof(${sql}) = 'boolean' THEN (${sql})::boolean END`;
}

/** A JSON number within the bounds of `readNumber`, because the cast of a larger number can fail. */
function numberOfJson(sql: string): string {
  const size = `abs((${sql})::numeric)`;
  return (
    `CASE WHEN jsonb_typeof(${sql}) = 'number' THEN CASE WHEN ${size} > ${LARGEST} THEN NULL ` +
    `WHEN ${size} < ${SMALLEST} THEN 0::float8 ELSE (${sql})::float8 END END`
  );
}

function asTimestamp(operand: Operand, target: Cql2SqlTarget): string | undefined {
  const { kind, literal } = operand;
  if (kind === 'timestamp') return operand.sql;
  if (literal !== undefined) {
    const key = instantKey(literal);
    return key === undefined ? undefined : instantSql(key, target);
  }
  if (kind === 'text') return timestampOfText(operand.sql);
  if (kind !== 'json') return undefined;
  return timestampOfText(`((${operand.sql}) #>> '{}')`, `jsonb_typeof(${operand.sql}) = 'string' AND `);
}

/**
 * SQL that casts a text to a time; null if it is no instant. Digits after the microseconds are cut off, because the
 * cast would round.
 */
function timestampOfText(text: string, before = ''): string {
  const cut = `regexp_replace(${text}, '([.][0-9]{6})[0-9]+', '\\1')`;
  return (
    `CASE WHEN ${before}${text} ~ '${INSTANT_PATTERN}' THEN ` +
    `(${cut} || CASE WHEN length(${text}) = 10 THEN 'T00:00:00Z' ELSE '' END)::timestamptz END`
  );
}

/** Builds a condition that may repeat its value. A large value is computed once, in a subquery. */
export function withValue(operand: Operand, condition: (value: Operand) => string): string {
  if (operand.isLarge !== true) return condition(operand);
  const inner = condition({ sql: 'cql2_row.cql2_value', kind: operand.kind });
  return `(SELECT ${inner} FROM (SELECT ${operand.sql} AS cql2_value OFFSET 0) AS cql2_row)`;
}
