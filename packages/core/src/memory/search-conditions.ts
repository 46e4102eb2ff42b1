import type { PublishedItem } from '../ports/catalog.ts';
import { idOfPath } from '../runs/name-conflicts.ts';
import type { SearchConditions, SearchInterval } from '../ports/item-search.ts';
import { itemTest } from '../search/item-test.ts';
import { placeFilters } from '../search/place-filters.ts';
import { itemTimes, spanOf } from '../search/times.ts';
import type { ItemRow } from './catalog-tables.ts';

type Condition = (item: PublishedItem) => boolean;

/** Builds a function that returns true if an Item meets every condition. Throws `validation` for invalid conditions. */
export function matcher(conditions: SearchConditions): (row: ItemRow) => boolean {
  const { collections, ids, interval, filter } = conditions;
  const all: Condition[] = [];
  if (collections !== undefined) {
    const wanted = new Set(collections);
    all.push(({ collectionPath }) => wanted.has(idOfPath(collectionPath)));
  }
  if (ids !== undefined) {
    const wanted = new Set(ids);
    all.push(({ id }) => wanted.has(id));
  }
  if (interval !== undefined) all.push(overlaps(interval));
  for (const each of [...placeFilters(conditions), ...(filter === undefined ? [] : [filter])]) all.push(itemTest(each));
  return ({ item }) => all.every((holds) => holds(item));
}

function overlaps(interval: SearchInterval): Condition {
  const [from, to] = spanOf(interval);
  return ({ item }) => {
    const { start_datetime: start, end_datetime: end } = itemTimes(item);
    return start !== null && end !== null && Date.parse(start) <= to && Date.parse(end) >= from;
  };
}
