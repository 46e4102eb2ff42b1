import type { TableRow } from '@headwater/core';
import { sumOf, type Years } from './years.ts';

/**
 * Number of public works (NREGA) of all kinds and years: the sum of the columns `*_count_{year}`. Undefined if there is
 * no such column. Source: core-stack-backend, `stats_generator/mws_indicators.py`.
 */
export const totalWorks = (years: Years): number | undefined =>
  sumOf([...years].flatMap(([name, all]) => (name.endsWith('_count') ? all.map(([, count]) => count) : [])));

/**
 * True if the row of a micro-watershed has other values than ids. The micro-watershed then has a site (a conflict or a
 * mine). Source: core-stack-backend, `stats_generator/mws_indicators.py`.
 */
export const hasFacts = (row: TableRow): boolean =>
  Object.entries(row).some(([name, value]) => name !== 'id' && name !== 'uid' && value !== null);

/**
 * Ids of the villages that intersect a micro-watershed, from `village ids`; undefined without a list. Source:
 * core-stack-backend, `stats_generator/mws_indicators.py`.
 */
export function villageIds(row: TableRow): readonly number[] | undefined {
  const ids = row['village ids'] ?? null;
  if (typeof ids !== 'object' || ids === null) return undefined;
  return ids.map(Number).filter((id) => Number.isSafeInteger(id));
}
