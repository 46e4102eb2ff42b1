import { isObject } from '@headwater/stac';
import { cql2Predicate } from '@headwater/cql2';
import type { Geometry } from 'geojson';
import type { PublishedItem } from '../ports/catalog.ts';
import { idOfPath } from '../runs/name-conflicts.ts';
import type { CursorValue } from '../search/cursor.ts';
import type { SearchConditions, SearchInterval } from '../ports/item-search.ts';
import { inMilliseconds } from '../search/in-milliseconds.ts';
import { comparable, sortable } from '../search/order.ts';
import { placeFilters } from '../search/place-filters.ts';
import { isTimeProperty, itemTimes, spanOf } from '../search/times.ts';
import { isStorable } from '../storable-text.ts';
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
  for (const each of [...placeFilters(conditions), ...(filter === undefined ? [] : [inMilliseconds(filter)])])
    all.push(cql2Predicate(each, { property: filterValue, geometry: areaOf }));
  return ({ item }) => all.every((holds) => holds(item));
}

/** Sort value of an Item; null if it lacks the property. */
export function sortValue(published: PublishedItem, property: string): CursorValue {
  if (property === 'id') return published.id;
  if (property === 'collection') return idOfPath(published.collectionPath);
  if (property === 'version') return published.version;
  if (isTimeProperty(property)) return itemTimes(published.item)[property];
  return sortable(ownProperty(published, property));
}

/** Value of an Item for a CQL2 filter. */
function filterValue(published: PublishedItem, property: string): unknown {
  // Part of the response, not of the stored content.
  if (property === 'version') return String(published.version);
  // The Item's own geometry, which is not comparable, whatever its properties contain under this name.
  if (property === 'geometry') return null;
  if (property === 'id' || property === 'collection') return sortValue(published, property);
  if (!isTimeProperty(property)) return orderedOnly(ownProperty(published, property));
  const time = itemTimes(published.item)[property];
  return time === null ? null : new Date(time);
}

/** Keeps lists and objects as present, without comparable content. */
function orderedOnly(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? [] : {};
  return typeof value === 'string' ? comparable(value) : value;
}

function ownProperty({ item: { properties } }: PublishedItem, name: string): unknown {
  const isThere = isStorable(name) && isObject(properties) && Object.hasOwn(properties, name);
  return isThere ? properties[name] : null;
}

function overlaps(interval: SearchInterval): Condition {
  const [from, to] = spanOf(interval);
  return ({ item }) => {
    const { start_datetime: start, end_datetime: end } = itemTimes(item);
    return start !== null && end !== null && Date.parse(start) <= to && Date.parse(end) >= from;
  };
}

type Area = Extract<Geometry, { type: 'Polygon' | 'MultiPolygon' }>;

function areaOf({ item: { geometry } }: PublishedItem): Area | null {
  return isArea(geometry) ? geometry : null;
}

/** Type guard; stores accept no other geometries. */
function isArea(value: unknown): value is Area {
  return (
    isObject(value) &&
    (value['type'] === 'Polygon' || value['type'] === 'MultiPolygon') &&
    Array.isArray(value['coordinates'])
  );
}
