import { invalidField, isObject, millisecondsOf, type PublishedItem } from '@headwater/core';
import type { MultiPolygon, Polygon } from 'geojson';
import { storable } from '../guards.ts';
import { geometryHex } from '../places/geometry.ts';

/** An Item as stored: its text, and the columns that searches use. */
export interface IndexedItem {
  readonly collectionPath: string;
  readonly id: string;
  readonly content: string;
  /** GeoJSON text, null for an Item without geometry. */
  readonly geometry: string | null;
  /** ISO instants; `datetime` where the Item has no interval. */
  readonly start: string | null;
  readonly end: string | null;
}

/** Reads the search columns out of an Item. @throws DomainError `validation` for a geometry or time that cannot be stored. */
export function indexItem({ id, collectionPath, item }: Omit<PublishedItem, 'version' | 'runId'>): IndexedItem {
  const properties = isObject(item['properties']) ? item['properties'] : {};
  return {
    collectionPath: storable('collection', collectionPath),
    id: storable('item id', id),
    content: JSON.stringify(item),
    geometry: itemGeometry(id, item['geometry']),
    start: instant(id, properties['start_datetime'] ?? properties['datetime']),
    end: instant(id, properties['end_datetime'] ?? properties['datetime']),
  };
}

function itemGeometry(id: string, geometry: unknown): string | null {
  if (geometry === undefined || geometry === null) return null;
  if (!isArea(geometry)) throw invalidField(`item ${id}`, 'its geometry is neither a Polygon nor a MultiPolygon');
  return geometryHex(`item ${id}`, geometry);
}

function instant(id: string, value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const time = typeof value === 'string' ? millisecondsOf(value) : Number.NaN;
  if (Number.isNaN(time)) throw invalidField(`item ${id}`, `${JSON.stringify(value)} is not an RFC 3339 instant`);
  return new Date(time).toISOString();
}

function isArea(value: unknown): value is Polygon | MultiPolygon {
  return (
    isObject(value) &&
    (value['type'] === 'Polygon' || value['type'] === 'MultiPolygon') &&
    Array.isArray(value['coordinates'])
  );
}
