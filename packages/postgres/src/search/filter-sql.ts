import { isStorable } from '@headwater/core';
import { type Cql2Expression, type Cql2Queryable, cql2Sql } from '@headwater/cql2';
import type { Parameters } from './parameters.ts';

/** Properties that have columns of their own. */
const COLUMNS: ReadonlyMap<string, Cql2Queryable> = new Map([
  ['id', { sql: 'i.id', kind: 'text' }],
  ['collection', { sql: 'i.collection_id', kind: 'text' }],
  ['geometry', { sql: 'i.geometry', kind: 'geometry' }],
  ['start_datetime', { sql: 'i.start_datetime', kind: 'timestamp' }],
  ['end_datetime', { sql: 'i.end_datetime', kind: 'timestamp' }],
  ['datetime', { sql: `nullif(i.datetime_key, '-infinity')`, kind: 'timestamp' }],
]);

/** A filter over Items `i` as SQL. Names of properties are values like any other. */
export function filterSql(filter: Cql2Expression, add: Parameters['add']): string {
  const queryable = (name: string): Cql2Queryable | undefined => {
    if (!isStorable(name)) return undefined;
    return COLUMNS.get(name) ?? { sql: `(i.properties -> ${add(name)}::text)`, kind: 'json' };
  };
  return `(${cql2Sql(filter, { queryable, param: add })})`;
}
