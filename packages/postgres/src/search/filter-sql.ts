import { isStorable } from '@headwater/core';
import { type Cql2Expression, type Cql2Queryable, cql2Sql, propertiesOf } from '@headwater/cql2';
import type { Parameters } from './parameters.ts';

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
export function filterSql(filter: Cql2Expression, add: Parameters['add']): string {
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
