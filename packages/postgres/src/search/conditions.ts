import { isStorable, placeFilters, type SearchConditions, type SearchInterval, spanOf } from '@headwater/core';
import { filterSql } from './filter-sql.ts';
import type { Parameters } from './parameters.ts';

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
