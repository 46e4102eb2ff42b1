import { invalidField } from '@headwater/core';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { ewkbHex } from './ewkb.ts';

/** Returns SQL that converts a text of `geometryHex` to a geometry in EPSG:4326 (lon, lat). */
export function fromHex(parameter: string): string {
  return `${parameter}::geometry`;
}

/** Returns SQL that converts a geometry to GeoJSON text with up to 17 decimal places and no CRS member. */
export function toGeoJson(column: string): string {
  return `ST_AsGeoJSON(${column}, 17, 0)`;
}

/** Returns SQL that converts polygons to the text of `OutlineText`. */
export function toOutlineText(column: string): string {
  return toGeoJson(`ST_ForcePolygonCCW(ST_Multi(${column}))`);
}

/** Parses a geometry selected by `toGeoJson`. */
export function parseGeometry(text: string): Polygon | MultiPolygon {
  const geometry: Polygon | MultiPolygon = JSON.parse(text);
  return geometry;
}

/**
 * Encodes polygons as text for `fromHex`; `field` is their name in errors. @throws DomainError `validation` for an
 * empty geometry or a polygon without rings, and for a ring that is too short, open or contains non-numbers.
 */
export function geometryHex(field: string, geometry: Polygon | MultiPolygon): string {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  if (polygons.length === 0) throw invalidField(field, 'the geometry is empty: give at least one polygon');
  for (const rings of polygons) {
    if (rings.length === 0) throw invalidField(field, 'a polygon has no ring: give its outer boundary');
    for (const ring of rings) checkRing(field, ring);
  }
  return ewkbHex(geometry);
}

function checkRing(field: string, ring: readonly Position[]): void {
  const first = ring[0];
  const last = ring.at(-1);
  if (first === undefined || last === undefined || ring.length < 4) {
    throw invalidField(field, `a ring has ${ring.length} positions: it needs at least 4`);
  }
  if (!ring.every((position) => position.length >= 2 && position.every(Number.isFinite))) {
    throw invalidField(field, 'a position is not [longitude, latitude]: give two or more finite numbers');
  }
  if (first.length !== last.length || !first.every((value, axis) => value === last[axis])) {
    throw invalidField(field, 'a ring is open: repeat its first position at the end');
  }
}
