import { StacError } from '../errors.ts';
import { isList } from '../json.ts';
import { brief } from '../brief.ts';
import type { Geometry, GeometryLike, PositionLike } from './types.ts';

/** Twice the signed area, square degrees; positive if counter-clockwise. */
export function signedArea(ring: readonly PositionLike[]): number {
  const [x0 = 0, y0 = 0] = ring[0] ?? [];
  let sum = 0;
  for (let i = 1; i + 1 < ring.length; i++) {
    const [x1 = 0, y1 = 0] = ring[i] ?? [];
    const [x2 = 0, y2 = 0] = ring[i + 1] ?? [];
    sum += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
  }
  return sum;
}

/** True if the last position repeats the first. */
export function isClosed(ring: readonly PositionLike[]): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    first.length === last.length &&
    first.every((value, i) => value === last[i])
  );
}

/**
 * Copy with closed and oriented rings (RFC 7946). Throws `StacError` for invalid positions, and for empty or degenerate
 * parts.
 */
export function normalizeGeometry(geometry: GeometryLike): Geometry {
  switch (geometry.type) {
    case 'Point':
      return { type: 'Point', coordinates: position(geometry.coordinates) };
    case 'MultiPoint':
      return { type: 'MultiPoint', coordinates: filled(geometry.coordinates).map(position) };
    case 'LineString':
      return { type: 'LineString', coordinates: line(geometry.coordinates) };
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: filled(geometry.coordinates).map(line) };
    case 'Polygon':
      return { type: 'Polygon', coordinates: filled(geometry.coordinates).map(ring) };
    case 'MultiPolygon':
      return {
        type: 'MultiPolygon',
        coordinates: filled(geometry.coordinates).map((rings) => filled(rings).map(ring)),
      };
    default:
      throw new StacError(
        `geometry: ${String((geometry as { type: unknown }).type)} is not allowed in STAC; use a Multi* geometry`,
      );
  }
}

function filled<T>(list: readonly T[]): readonly T[] {
  checkList(list);
  if (list.length === 0) throw new StacError('geometry: it is empty; give the extent of the layer');
  return list;
}

/** Throws for a value that is not a list, because callers in JavaScript have no type check. */
function checkList(list: unknown): void {
  if (!isList(list))
    throw new StacError('geometry: its coordinates are not lists, or not nested as its type requires; check the type');
}

function position(value: PositionLike): number[] {
  checkList(value);
  const [lon, lat, ...rest] = value;
  const inRange = lon !== undefined && lat !== undefined && Math.abs(lon) <= 180 && Math.abs(lat) <= 90;
  // Each number is tested, because arithmetic would also accept null, texts and dates.
  if (!inRange || rest.length > 1 || !value.every(Number.isFinite)) {
    throw new StacError(`geometry: ${brief(value)} is not [longitude, latitude] in degrees; check axis order and CRS`);
  }
  return [...value];
}

function line(positions: readonly PositionLike[]): number[][] {
  checkList(positions);
  if (positions.length < 2)
    throw new StacError('geometry: a line needs two positions or more; drop the degenerate part');
  return positions.map(position);
}

/** Closed and oriented ring. The ring at index 0 is the exterior; all others are holes. */
function ring(positions: readonly PositionLike[], index: number): number[][] {
  checkList(positions);
  const copy = positions.map(position);
  const first = copy[0];
  if (first !== undefined && !isClosed(copy)) copy.push([...first]);
  const area = signedArea(copy);
  if (copy.length < 4 || area === 0) {
    throw new StacError(`geometry: ring ${String(index)} encloses no area; drop the degenerate ring`);
  }
  return area > 0 === (index === 0) ? copy : copy.reverse();
}
