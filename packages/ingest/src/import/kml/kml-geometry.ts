import type { Position } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';

/** Unchecked geometry of a KML file, in the form of GeoJSON. */
export interface KmlGeometry {
  readonly type: string;
  readonly coordinates: unknown;
}

/**
 * Reads `lon,lat[,height] lon,lat[,height] …` (OGC KML 2.3, 9.14) without heights. Throws `BadPlaceFile` for other
 * texts.
 */
export function positionsOf(text: string): Position[] {
  return text
    .trim()
    .split(/\s+/)
    .filter((tuple) => tuple !== '')
    .map((tuple) => {
      const [lon = '', lat = '', height = '0', ...more] = tuple.split(',');
      if (more.length > 0 || ![lon, lat, height].every((part) => NUMBER.test(part)))
        throw new BadPlaceFile(
          `the coordinates have ${JSON.stringify(tuple.slice(0, 60))}; write longitude,latitude without blanks, and a blank between positions`,
        );
      return [Number(lon), Number(lat)];
    });
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

const SEVERAL: Readonly<Record<string, string>> = {
  Polygon: 'MultiPolygon',
  LineString: 'MultiLineString',
};

/**
 * Joins the geometries of a placemark; null for none. Throws `BadPlaceFile` for several points, or for different kinds.
 */
export function joined(parts: readonly KmlGeometry[]): KmlGeometry | null {
  const [first, ...others] = parts;
  if (first === undefined) return null;
  if (others.length === 0) return first;
  const several = SEVERAL[first.type];
  const types = new Set(parts.map(({ type }) => type));
  if (types.size > 1 || several === undefined)
    throw new BadPlaceFile(
      `the placemark has ${[...types].join(' and ')} geometries together; make a placemark for each point and for each kind of geometry`,
    );
  return { type: several, coordinates: parts.map(({ coordinates }) => coordinates) };
}

const NUMERIC: ReadonlySet<unknown> = new Set(['int', 'uint', 'short', 'ushort', 'float', 'double']);

/** Value of a field; a number if the Schema declares it as a number. */
export function valueOf(text: string, type: string | undefined): string | number {
  const trimmed = text.trim();
  return NUMERIC.has(type) && NUMBER.test(trimmed) ? Number(trimmed) : trimmed;
}
