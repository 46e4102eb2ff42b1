import type { SearchConditions, SearchInterval } from '@headwater/core/ports';
import { placeFilters, spanOf } from '@headwater/core/search';
import { isStorable } from '@headwater/core/values';
import { type Cql2Expression, type Cql2Queryable, cql2Sql, propertiesOf } from '@headwater/cql2';

/**
 * Parameters of an SQL statement that is built from several parts. The parts contain placeholders instead of values.
 */
export interface Parameters {
  readonly values: readonly Value[];
  readonly add: (value: Value) => string;
}

type Value = string | number | boolean | null | readonly string[];

/** Creates an empty list of parameters. */
export function createParameters(): Parameters {
  const values: Value[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

const COLUMNS: ReadonlyMap<string, Cql2Queryable> = new Map([
  ['id', { sql: 'i.id', kind: 'text' }],
  ['collection', { sql: 'i.collection_id', kind: 'text' }],
  // The stored `properties` do not contain the version, so it is read from a column.
  ['version', { sql: 'i.version::text', kind: 'text' }],
  ['geometry', { sql: 'i.geometry', kind: 'geometry' }],
  ['start_datetime', { sql: 'i.start_datetime', kind: 'timestamp' }],
  ['end_datetime', { sql: 'i.end_datetime', kind: 'timestamp' }],
  ['datetime', { sql: `nullif(i.datetime_key, '-infinity')`, kind: 'timestamp' }],
]);

/**
 * Converts a filter of Items `i` to SQL. The planner has no statistics of `properties`. With `coalesce` the
 * planner expects many matches. So PostgreSQL reads the Items in the order of the index for sorting, and stops when it
 * has enough matches for one page of results.
 */
function filterSql(filter: Cql2Expression, add: Parameters['add']): string {
  if (typeof filter === 'object' && filter.op === 'and')
    return filter.args.map((part) => filterSql(part, add)).join(' and ');
  const sql = partSql(filter, add);
  return propertiesOf(filter).some((name) => COLUMNS.has(name)) ? sql : `coalesce(${sql}, false)`;
}

function partSql(filter: Cql2Expression, add: Parameters['add']): string {
  const placeholders: string[] = [];
  const param = (value: string | number | boolean): string => {
    const placeholder = add(value);
    placeholders.push(placeholder);
    return placeholder;
  };
  const queryable = (name: string): Cql2Queryable | undefined => {
    if (!isStorable(name)) return undefined;
    return COLUMNS.get(name) ?? { sql: `(i.properties -> ${param(name)}::text)`, kind: 'json' };
  };
  const sql = cql2Sql(filter, { queryable, param });
  const used = new Set(sql.match(/\$\d+/g));
  // PostgreSQL must know the type of every parameter, also of a parameter that no condition uses.
  const unused = placeholders.filter((placeholder) => !used.has(placeholder));
  return `(${[sql, ...unused.map((placeholder) => `${placeholder}::text is not null`)].join(' and ')})`;
}

/** First and last time that PostgreSQL can read in the format of JavaScript. Times beyond them count as infinite. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Converts search conditions of an Item `i` to SQL. Throws `validation` for invalid conditions. */
export function whereSql(conditions: SearchConditions, { add }: Parameters): string {
  const { collections, ids, interval, filter } = conditions;
  const parts: string[] = [];
  if (collections !== undefined) parts.push(oneOf('i.collection_id', collections, add));
  if (ids !== undefined) parts.push(oneOf('i.id', ids, add));
  if (interval !== undefined) parts.push(...overlap(interval, add));
  for (const each of [...placeFilters(conditions), ...(filter === undefined ? [] : [filter])])
    parts.push(filterSql(each, add));
  return parts.length === 0 ? 'true' : parts.join(' and ');
}

/**
 * Condition that a column has one of the values. A single value is compared with `=`, because the index then also
 * provides the order of the rows.
 */
function oneOf(column: string, wanted: readonly string[], add: Parameters['add']): string {
  // No Item has an id that PostgreSQL cannot store.
  const values = wanted.filter(isStorable);
  const [only, ...others] = values;
  if (only !== undefined && others.length === 0) return `${column} = ${add(only)}`;
  return `${column} = any (${add(values)}::text[])`;
}

function overlap(interval: SearchInterval, add: Parameters['add']): readonly string[] {
  const [from, to] = spanOf(interval);
  const before = to > LAST ? [] : [`i.start_key <= ${add(instantSql(to))}::timestamptz`];
  const after = from < FIRST ? `'-infinity'` : add(instantSql(from));
  const known = [`i.start_key > '-infinity'`, `i.end_key > '-infinity'`];
  return [...before, `i.end_key >= ${after}::timestamptz`, ...known];
}

function instantSql(time: number): string {
  if (time < FIRST) return '-infinity';
  return time > LAST ? 'infinity' : new Date(time).toISOString();
}
