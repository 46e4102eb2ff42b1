import { type Cql2Expression, cql2Predicate } from '@headwater/cql2';
import { isObject } from '@headwater/stac';
import type { Geometry } from 'geojson';
import type { PublishedItem } from '../ports/catalog.ts';
import { idOfPath } from '../runs/name-conflicts.ts';
import { isStorable } from '../storable-text.ts';
import type { CursorValue } from './cursor.ts';
import { inMilliseconds } from './in-milliseconds.ts';
import { comparable, sortable } from './order.ts';
import { isTimeProperty, itemTimes } from './times.ts';

/** Returns a function that is true for the Items that a search with this filter finds. */
export function itemTest(filter: Cql2Expression): (item: PublishedItem) => boolean {
  return cql2Predicate(inMilliseconds(filter), { property: filterValue, geometry: areaOf });
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
  // The response has the version, but the stored content does not.
  if (property === 'version') return String(published.version);
  // The name `geometry` always means the Item's geometry, even if the Item has a property with this name. A geometry
  // cannot be compared, so it counts as absent.
  if (property === 'geometry') return null;
  if (property === 'id' || property === 'collection') return sortValue(published, property);
  if (!isTimeProperty(property)) return orderedOnly(ownProperty(published, property));
  const time = itemTimes(published.item)[property];
  return time === null ? null : new Date(time);
}

/** Replaces lists and objects by empty ones, because filters only need to know that they are present. */
function orderedOnly(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? [] : {};
  return typeof value === 'string' ? comparable(value) : value;
}

function ownProperty({ item: { properties } }: PublishedItem, name: string): unknown {
  const isThere = isStorable(name) && isObject(properties) && Object.hasOwn(properties, name);
  return isThere ? properties[name] : null;
}

type Area = Extract<Geometry, { type: 'Polygon' | 'MultiPolygon' }>;

function areaOf({ item: { geometry } }: PublishedItem): Area | null {
  return isArea(geometry) ? geometry : null;
}

/** Type guard. Only checks the type of the geometry, because stores accept no other geometries. */
function isArea(value: unknown): value is Area {
  return (
    isObject(value) &&
    (value['type'] === 'Polygon' || value['type'] === 'MultiPolygon') &&
    Array.isArray(value['coordinates'])
  );
}
