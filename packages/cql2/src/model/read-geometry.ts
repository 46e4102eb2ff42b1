import type { Budget } from './budget.ts';
import { type Place, shown } from './place.ts';

/** A GeoJSON position: longitude and latitude in degrees, and an optional height, which is ignored. */
export type Cql2Position = readonly number[];

/** A GeoJSON geometry other than a collection. */
export type Cql2SimpleGeometry =
  | { readonly type: 'Point'; readonly coordinates: Cql2Position }
  | { readonly type: 'MultiPoint'; readonly coordinates: readonly Cql2Position[] }
  | { readonly type: 'LineString'; readonly coordinates: readonly Cql2Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: readonly (readonly Cql2Position[])[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Cql2Position[])[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly (readonly Cql2Position[])[])[] };

/** A GeoJSON geometry. */
export type Cql2Geometry =
  | Cql2SimpleGeometry
  | { readonly type: 'GeometryCollection'; readonly geometries: readonly Cql2Geometry[] };

/** A box: west, south, [lowest,] east, north[, highest]. If west > east, the box crosses the antimeridian. */
export interface Cql2Bbox {
  readonly bbox: readonly [number, number, number, number] | readonly [number, number, number, number, number, number];
}

/** Place and limits for reading a geometry. */
export interface GeometryReader {
  readonly place: Place;
  readonly budget: Budget;
}

type Read<Part> = (value: unknown, inside: string) => Part;

const LINE = 2;
const RING = 4;

/**
 * Reads the type and the coordinates of a GeoJSON geometry. Throws for invalid geometries, such as open rings,
 * nested collections and positions outside of the world.
 */
export function readGeometry(value: unknown, reader: GeometryReader, at = ''): Cql2Geometry {
  const { place } = reader;
  const { type, coordinates, geometries } = membersOf(value);
  const position: Read<Cql2Position> = (part, inside) => readPosition(part, inside, reader);
  const line = listOf(position, { least: LINE, what: 'positions of a line', place });
  const polygon = listOf(ringOf(position, place), { least: 1, what: 'rings of a polygon', place });
  switch (type) {
    case 'Point':
      return { type, coordinates: position(coordinates, `${at}/coordinates`) };
    case 'LineString':
      return { type, coordinates: line(coordinates, `${at}/coordinates`) };
    case 'Polygon':
      return { type, coordinates: polygon(coordinates, `${at}/coordinates`) };
    case 'MultiPoint':
      return {
        type,
        coordinates: listOf(position, { least: 1, what: 'points', place })(coordinates, `${at}/coordinates`),
      };
    case 'MultiLineString':
      return { type, coordinates: listOf(line, { least: 1, what: 'lines', place })(coordinates, `${at}/coordinates`) };
    case 'MultiPolygon':
      return {
        type,
        coordinates: listOf(polygon, { least: 1, what: 'polygons', place })(coordinates, `${at}/coordinates`),
      };
    case 'GeometryCollection':
      return {
        type,
        geometries: listOf(memberOf(reader), { least: 1, what: 'geometries', place })(geometries, `${at}/geometries`),
      };
    default:
      throw place.error(
        {
          found: `a geometry of the type ${shown(type)}`,
          expected: 'Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or GeometryCollection',
          remedy: 'Give a GeoJSON geometry, not a Feature.',
        },
        at,
      );
  }
}

/** Reads a box of four numbers, or six with heights. */
export function readBbox(value: unknown, place: Place): Cql2Bbox {
  const numbers = Array.isArray(value) ? value.filter((part) => typeof part === 'number' && Number.isFinite(part)) : [];
  const [west, south, third, fourth, fifth, sixth] = numbers.map((part) => (part === 0 ? 0 : part));
  const isBox = Array.isArray(value) && numbers.length === value.length && (value.length === 4 || value.length === 6);
  const [east, north] = numbers.length === 6 ? [fourth, fifth] : [third, fourth];
  const isInRange = isDegrees(west, 180) && isDegrees(east, 180) && isDegrees(south, 90) && isDegrees(north, 90);
  if (!isBox || !isInRange || south > north)
    throw place.error({
      found: isBox ? `the box ${numbers.join(', ')}` : shown(value),
      expected: 'west, south, east, north in degrees (longitudes -180 to 180, latitudes -90 to 90, south <= north)',
      remedy: 'Check the order of the numbers; a box over the antimeridian has west > east.',
    });
  return { bbox: numbers.length === 6 ? [west, south, third, east, north, sixth] : [west, south, east, north] };
}

function readPosition(value: unknown, inside: string, { place, budget }: GeometryReader): Cql2Position {
  budget.position(place);
  const numbers = Array.isArray(value) ? value : [];
  const [longitude, latitude, height = 0] = numbers;
  const isFit = numbers.length >= 2 && numbers.length <= 3 && Number.isFinite(height);
  if (isFit && isDegrees(longitude, 180) && isDegrees(latitude, 90))
    return numbers.map((part) => (part === 0 ? 0 : part));
  throw place.error(
    {
      found: Array.isArray(value) ? `the position ${numbers.slice(0, 4).map(shown).join(', ')}` : shown(value),
      expected: 'a longitude from -180 to 180, a latitude from -90 to 90, and at most one height',
      remedy: 'Write longitude first, in degrees; cut a shape at the antimeridian.',
    },
    inside,
  );
}

function ringOf(position: Read<Cql2Position>, place: Place): Read<readonly Cql2Position[]> {
  const list = listOf(position, { least: RING, what: 'positions of a ring', place });
  return (value, inside) => {
    const ring = list(value, inside);
    const [first, last] = [ring[0], ring.at(-1)];
    if (first?.[0] === last?.[0] && first?.[1] === last?.[1]) return ring;
    throw place.error(
      {
        found: `a ring from ${shown(first?.[0])}, ${shown(first?.[1])} to ${shown(last?.[0])}, ${shown(last?.[1])}`,
        expected: 'a closed ring',
        remedy: 'End each ring with its first position.',
      },
      inside,
    );
  };
}

function memberOf(reader: GeometryReader): Read<Cql2Geometry> {
  return (value, inside) => {
    if (membersOf(value).type !== 'GeometryCollection') return readGeometry(value, reader, inside);
    throw reader.place.error(
      {
        found: 'a collection inside of a collection',
        expected: 'a geometry of another type',
        remedy: 'Put its geometries directly into the outer collection.',
      },
      inside,
    );
  };
}

function listOf<Part>(
  read: Read<Part>,
  { least, what, place }: { least: number; what: string; place: Place },
): Read<readonly Part[]> {
  return (value, inside) => {
    if (Array.isArray(value) && value.length >= least)
      return Array.from(value, (part: unknown, at) => read(part, `${inside}/${at}`));
    throw place.error(
      {
        found: Array.isArray(value) ? `a list of ${value.length}` : shown(value),
        expected: `a list of ${least} or more ${what}`,
        remedy: 'Complete the geometry, or leave it out.',
      },
      inside,
    );
  };
}

function isDegrees(value: unknown, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most;
}

function membersOf(value: unknown): { type?: unknown; coordinates?: unknown; geometries?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}
