import type { SearchConditions, SearchInterval } from '@headwater/core/ports';
import { placeFilters, spanOf } from '@headwater/core/search';
import { isStorable } from '@headwater/core/values';
import { type Cql2Expression, type Cql2Queryable, cql2Sql, propertiesOf } from '@headwater/cql2';

/** The values of one statement that is made of parts: nothing of a caller's stands in its text. */
export interface Parameters {
  readonly values: readonly Value[];
  /** Takes a value and returns its placeholder. */
  readonly add: (value: Value) => string;
}

type Value = string | number | boolean | null | readonly string[];

/** No values yet. */
export function createParameters(): Parameters {
  const values: Value[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}

/** Properties that have columns of their own. */
const COLUMNS: ReadonlyMap<string, Cql2Queryable> = new Map([
  ['id', { sql: 'i.id', kind: 'text' }],
  ['collection', { sql: 'i.collection_id', kind: 'text' }],
  // What Items are served with: their content does not have it.
  ['version', { sql: 'i.version::text', kind: 'text' }],
  ['geometry', { sql: 'i.geometry', kind: 'geometry' }],
  ['start_datetime', { sql: 'i.start_datetime', kind: 'timestamp' }],
  ['end_datetime', { sql: 'i.end_datetime', kind: 'timestamp' }],
  ['datetime', { sql: `nullif(i.datetime_key, '-infinity')`, kind: 'timestamp' }],
]);

/**
 * A filter over Items `i` as SQL. Names of properties are values like any other. What it asks of properties without a column is unknown to
 * the planner, which takes a comparison for one row in 200 and collects all rows to find it: as a whole that is true or false it counts for
 * one in two, and the order of the index is walked until a page is full.
 */
function filterSql(filter: Cql2Expression, add: Parameters['add']): string {
  if (typeof filter === 'object' && filter.op === 'and')
    return filter.args.map((part) => filterSql(part, add)).join(' and ');
  const sql = partSql(filter, add);
  return propertiesOf(filter).some((name) => COLUMNS.has(name)) ? sql : `coalesce(${sql}, false)`;
}

function partSql(filter: Cql2Expression, add: Parameters['add']): string {
  const taken: string[] = [];
  const param = (value: string | number | boolean): string => {
    const placeholder = add(value);
    taken.push(placeholder);
    return placeholder;
  };
  const queryable = (name: string): Cql2Queryable | undefined => {
    if (!isStorable(name)) return undefined;
    return COLUMNS.get(name) ?? { sql: `(i.properties -> ${param(name)}::text)`, kind: 'json' };
  };
  const sql = cql2Sql(filter, { queryable, param });
  const used = new Set(sql.match(/\$\d+/g));
  // A part that is null whatever its values are does not name them, and PostgreSQL wants to know the type of each.
  const unused = taken.filter((placeholder) => !used.has(placeholder));
  return `(${[sql, ...unused.map((placeholder) => `${placeholder}::text is not null`)].join(' and ')})`;
}

/** Times outside of this are open ends: PostgreSQL has no year 0 in this form. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** What holds of an Item `i` that is found, as SQL. Throws `validation` for conditions that make no sense. */
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

/** One value is compared as such: an index that begins with the column then gives the order of what follows it. */
function oneOf(column: string, asked: readonly string[], add: Parameters['add']): string {
  // No Item has a name that cannot be stored.
  const values = asked.filter(isStorable);
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
