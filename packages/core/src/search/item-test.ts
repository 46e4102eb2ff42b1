import { type Cql2Expression, cql2Predicate, parseCql2Json, propertiesOf, writeCql2Text } from '@headwater/cql2';
import { isObject } from '@headwater/stac';
import type { Geometry } from 'geojson';
import type { PublishedItem } from '../ports/catalog.ts';
import { idOfPath } from '../runs/name-conflicts.ts';
import { isStorable } from '../storable-text.ts';
import type { CursorValue } from './cursor.ts';
import { comparable, sortable } from './order.ts';
import { isTimeProperty, itemTimes } from './times.ts';
import type { ItemProperty, PropertyType } from '../ports/item-search.ts';

/** Returns a test for the Items that a search with this filter finds. */
export function itemTest(filter: Cql2Expression): (item: PublishedItem) => boolean {
  return cql2Predicate(inMilliseconds(filter), { property: filterValue, geometry: areaOf });
}

/** Sort value of an Item; null if the Item lacks the property. */
export function sortValue(published: PublishedItem, property: string): CursorValue {
  if (property === 'id') return published.id;
  if (property === 'collection') return idOfPath(published.collectionPath);
  if (property === 'version') return published.version;
  if (isTimeProperty(property)) return itemTimes(published.item)[property];
  return sortable(ownProperty(published, property));
}

function filterValue(published: PublishedItem, property: string): unknown {
  // The version is stored outside of the Item's content.
  if (property === 'version') return String(published.version);
  // The name `geometry` always means the Item's geometry, never a property with this name. Geometries cannot be
  // compared.
  if (property === 'geometry') return null;
  if (property === 'id' || property === 'collection') return sortValue(published, property);
  if (!isTimeProperty(property)) return orderedOnly(ownProperty(published, property));
  const time = itemTimes(published.item)[property];
  return time === null ? null : new Date(time);
}

/** Replaces lists by `[]` and objects by `{}`, because filters only test their presence. */
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

/** True for a polygon or multipolygon. The coordinates need no check, because published Items are valid. */
function isArea(value: unknown): value is Area {
  return (
    isObject(value) &&
    (value['type'] === 'Polygon' || value['type'] === 'MultiPolygon') &&
    Array.isArray(value['coordinates'])
  );
}

const FINER = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d+(Z|[+-]\d\d:\d\d)$/;
const HAS_FINER = /T\d\d:\d\d:\d\d\.\d{4}/;

/**
 * Truncates the instants in comparisons with an Item's times to milliseconds, because the stores keep these times in
 * milliseconds.
 */
export function inMilliseconds(filter: Cql2Expression): Cql2Expression {
  // `writeCql2Text` throws for deep trees, which the recursion below could not handle.
  return HAS_FINER.test(writeCql2Text(filter)) ? parseCql2Json(cutConditions(filter)) : filter;
}

function cutConditions(filter: Cql2Expression): unknown {
  if (typeof filter === 'boolean') return filter;
  if (filter.op === 'and' || filter.op === 'or' || filter.op === 'not')
    return { op: filter.op, args: filter.args.map(cutConditions) };
  return propertiesOf(filter).some(isTimeProperty) ? cut(filter) : filter;
}

function cut(part: unknown): unknown {
  if (typeof part === 'string') return part.replace(FINER, '$1$2');
  if (Array.isArray(part)) return part.map(cut);
  if (!isObject(part) || 'property' in part) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, cut(value)]));
}

/** Pattern of an instant as text, for JavaScript and PostgreSQL. */
export const INSTANT_PATTERN = '^\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?([Zz]|[+-]\\d\\d:\\d\\d)$';

/** Summary of a property's values of one JSON type. */
export interface PropertyKind {
  readonly name: string;
  /** JSON type: `string`, `number` or `boolean`; other types are ignored. */
  readonly kind: string;
  readonly isWhole: boolean;
  readonly isInstant: boolean;
}

/** Returns the properties of Items ordered by name, with the types of their values. */
export function itemProperties(kinds: readonly PropertyKind[]): readonly ItemProperty[] {
  const byName = Map.groupBy(
    kinds.filter(({ kind }) => ['string', 'number', 'boolean'].includes(kind)),
    ({ name }) => name,
  );
  const all = [...byName].map(([name, ofName]): ItemProperty => ({
    name,
    types: [...new Set(ofName.map(typeOf))].sort(),
    isInstant: ofName.every(({ isInstant }) => isInstant),
  }));
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function typeOf({ kind, isWhole }: PropertyKind): PropertyType {
  if (kind === 'number') return isWhole ? 'integer' : 'number';
  return kind === 'boolean' ? 'boolean' : 'string';
}
