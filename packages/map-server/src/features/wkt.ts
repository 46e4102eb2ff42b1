import { type Cql2Geometry, parseGeometry } from '@headwater/cql2';
import { lonLatOf, type NamedCrs, readCrs } from '../protocol/crs.ts';
import type { EcqlCursor } from './ecql-cursor.ts';
import { refusal } from './feature-filter.ts';

type Position = readonly [number, number];
type Nested = Position | readonly Nested[];

/** Type in GeoJSON and depth of nested lists of positions, by WKT type. */
const DEPTHS: Readonly<Record<string, readonly [type: string, depth: number]>> = {
  POINT: ['Point', 0],
  LINESTRING: ['LineString', 1],
  MULTIPOINT: ['MultiPoint', 1],
  POLYGON: ['Polygon', 2],
  MULTILINESTRING: ['MultiLineString', 2],
  MULTIPOLYGON: ['MultiPolygon', 3],
};

/**
 * Reads `POINT(85 24)` or `SRID=4326;POINT(85 24)`. With SRID, the longitude is first. Without SRID, the
 * coordinates are in `ofVersion`, the coordinate system of the WFS version.
 */
export function readWkt(cursor: EcqlCursor, ofVersion: NamedCrs): Cql2Geometry {
  const { at } = cursor.token;
  let crs = ofVersion;
  if (cursor.takes('SRID')) {
    cursor.demand('=');
    crs = readCrs(`EPSG:${cursor.number()}`, cursor.parameter);
    cursor.demand(';');
  }
  const geometry = readShape(cursor, crs);
  try {
    return parseGeometry(geometry);
  } catch (error) {
    const refused = refusal(error, cursor.parameter);
    throw refused === error
      ? error
      : cursor.fault(at, 'the geometry is not valid', `write valid WKT (${messageOf(refused)})`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

function readShape(cursor: EcqlCursor, crs: NamedCrs): object {
  const name = cursor.token.kind === 'name' ? cursor.token.text.toUpperCase() : '';
  if (name === 'GEOMETRYCOLLECTION') {
    cursor.take();
    return {
      type: 'GeometryCollection',
      geometries: cursor.nested(() => listOf(cursor, () => readShape(cursor, crs))),
    };
  }
  const shape = Object.hasOwn(DEPTHS, name) ? DEPTHS[name] : undefined;
  if (shape === undefined) throw cursor.unexpected('a geometry, such as POINT(85 24) or POLYGON((…))');
  cursor.take();
  const [type, depth] = shape;
  if (depth > 0) return { type, coordinates: readLists(cursor, crs, depth) };
  cursor.demand('(');
  const position = readPosition(cursor, crs);
  cursor.demand(')');
  return { type, coordinates: position };
}

function readLists(cursor: EcqlCursor, crs: NamedCrs, depth: number): readonly Nested[] {
  return listOf(cursor, () => {
    if (depth > 1) return readLists(cursor, crs, depth - 1);
    // Points of a MULTIPOINT may be in parentheses.
    if (!cursor.takes('(')) return readPosition(cursor, crs);
    const position = readPosition(cursor, crs);
    cursor.demand(')');
    return position;
  });
}

function listOf<T>(cursor: EcqlCursor, read: () => T): readonly T[] {
  cursor.demand('(');
  const parts = [read()];
  while (cursor.takes(',')) parts.push(read());
  cursor.demand(')');
  return parts;
}

function readPosition(cursor: EcqlCursor, crs: NamedCrs): Position {
  const position = [cursor.number(), cursor.number()] as const;
  return lonLatOf(position, crs, cursor.parameter);
}
