import { isObject } from '@headwater/stac';
import type { Geometry } from 'geojson';
import type { PublishedItem } from '../ports/catalog.ts';
import { idOfPath } from '../runs/name-conflicts.ts';
import type { CursorValue } from '../search/cursor.ts';
import type { SearchConditions, SearchInterval } from '../search/item-search.ts';
import { sortable } from '../search/order.ts';
import { boxGeometries } from '../search/search-box.ts';
import { isTimeProperty, itemTimes, spanOf } from '../search/times.ts';
import { isStorable } from '../storable-text.ts';
import { touches } from '../search/touches.ts';
import type { ItemRow } from './catalog-tables.ts';

type Condition = (item: PublishedItem) => boolean;

/** Whether an Item meets every condition that is given. Throws `validation` for conditions that make no sense. */
export function matcher(conditions: SearchConditions): (row: ItemRow) => boolean {
  const { collections, ids, bbox, intersects, interval } = conditions;
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
  if (bbox !== undefined) all.push(touchesOne(boxGeometries(bbox)));
  if (intersects !== undefined) all.push(touchesOne([intersects]));
  return ({ item }) => all.every((holds) => holds(item));
}

/** What an Item is ordered by; null where it has no such property. */
export function sortValue(published: PublishedItem, property: string): CursorValue {
  if (property === 'id') return published.id;
  if (property === 'collection') return idOfPath(published.collectionPath);
  const { properties } = published.item;
  if (isTimeProperty(property)) return itemTimes(published.item)[property];
  const isThere = isStorable(property) && isObject(properties) && Object.hasOwn(properties, property);
  return isThere ? sortable(properties[property]) : null;
}

function overlaps(interval: SearchInterval): Condition {
  const [from, to] = spanOf(interval);
  return ({ item }) => {
    const { start_datetime: start, end_datetime: end } = itemTimes(item);
    return start !== null && end !== null && Date.parse(start) <= to && Date.parse(end) >= from;
  };
}

function touchesOne(geometries: readonly Geometry[]): Condition {
  return ({ item: { geometry } }) => isArea(geometry) && geometries.some((each) => touches(geometry, each));
}

/** Stores take no other geometries. */
function isArea(value: unknown): value is Extract<Geometry, { type: 'Polygon' | 'MultiPolygon' }> {
  return (
    isObject(value) &&
    (value['type'] === 'Polygon' || value['type'] === 'MultiPolygon') &&
    Array.isArray(value['coordinates'])
  );
}
