import { type Cql2Geometry, geometriesIntersect } from '@headwater/cql2';
import type { Geometry, Position } from 'geojson';
import type { MapFeature } from './feature-table.ts';
import { positionsOf } from './feature-table.ts';

/** A spatial test that CQL2 does not have. `within`: the feature is in the shape; `contains`: the shape is in the feature. */
export type SpatialTest =
  | { readonly op: 'within' | 'contains'; readonly geometry: Cql2Geometry }
  | { readonly op: 'dwithin'; readonly geometry: Cql2Geometry; readonly metres: number };

/** Compiles a test. Its result is undefined (unknown) for a feature without geometry. */
export function spatialTest(test: SpatialTest): (feature: MapFeature) => boolean | undefined {
  return ({ geometry }) => {
    if (geometry === null) return undefined;
    if (test.op === 'dwithin')
      return geometriesIntersect(geometry, test.geometry) || metresBetween(geometry, test.geometry) <= test.metres;
    return test.op === 'within' ? covers(test.geometry, geometry) : covers(geometry, test.geometry);
  };
}

type Segment = readonly [from: Position, to: Position];

/**
 * True if every position of `inner` is in `outer`, also on its border (planar, in degrees). Lines and borders of `inner`
 * are cut where they meet those of `outer`, and the middle of each piece must be in `outer`; a hole of `outer` must not
 * be in a polygon of `inner`.
 */
function covers(outer: Cql2Geometry, inner: Cql2Geometry): boolean {
  const borders = [...segmentsOf(outer)];
  const isIn = (position: Position): boolean => geometriesIntersect(outer, { type: 'Point', coordinates: position });
  for (const position of positionsOf(asGeometry(inner))) if (!isIn(position)) return false;
  for (const segment of segmentsOf(inner)) {
    const cuts = [0, 1, ...borders.flatMap((border) => meetings(segment, border))].toSorted((a, b) => a - b);
    for (let at = 1; at < cuts.length; at++) {
      const [from = 0, to = 0] = [cuts[at - 1], cuts[at]];
      if (to - from > EPSILON && !isIn(along(segment, (from + to) / 2))) return false;
    }
  }
  return !holesOf(outer).some((hole) => {
    const middle = innerPosition(hole);
    // Another polygon of `outer` may fill the hole.
    return middle !== undefined && !isIn(middle) && isInside(middle, inner);
  });
}

/** Smallest piece of a segment that is tested, as a share of its length. */
const EPSILON = 1e-9;

const along = ([[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]]: Segment, share: number): Position => [
  x1 + (x2 - x1) * share,
  y1 + (y2 - y1) * share,
];

/** Shares of the first segment at which it meets the other one: crossings, and the ends of the other one on the same line. */
function meetings([a, b]: Segment, [c, d]: Segment): readonly number[] {
  const [ax = 0, ay = 0] = a;
  const [dx, dy] = [(b[0] ?? 0) - ax, (b[1] ?? 0) - ay];
  const [ex, ey] = [(d[0] ?? 0) - (c[0] ?? 0), (d[1] ?? 0) - (c[1] ?? 0)];
  const [fx, fy] = [(c[0] ?? 0) - ax, (c[1] ?? 0) - ay];
  const cross = dx * ey - dy * ex;
  const length = dx * dx + dy * dy;
  if (length === 0) return [];
  if (cross === 0) {
    const ends = [c, d].map(([x = 0, y = 0]) => ((x - ax) * dx + (y - ay) * dy) / length);
    return ends.filter((share) => share > 0 && share < 1);
  }
  const [share, other] = [(fx * ey - fy * ex) / cross, (fx * dy - fy * dx) / cross];
  return share > 0 && share < 1 && other >= 0 && other <= 1 ? [share] : [];
}

/** True if a position is in a polygon of the geometry. */
function isInside(position: Position, geometry: Cql2Geometry): boolean {
  return polygonsOf(geometry).some((polygon) =>
    geometriesIntersect({ type: 'Polygon', coordinates: polygon }, { type: 'Point', coordinates: position }),
  );
}

/** A position in a ring: the middle of the first three neighbouring corners whose middle is in the ring. */
function innerPosition(ring: readonly Position[]): Position | undefined {
  const area = { type: 'Polygon', coordinates: [ring] } as const;
  for (let at = 2; at < ring.length; at++) {
    const corners = ring.slice(at - 2, at + 1);
    const middle = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + (corner[axis] ?? 0), 0) / 3);
    if (geometriesIntersect(area, { type: 'Point', coordinates: middle })) return middle;
  }
  return undefined;
}

function* segmentsOf(geometry: Cql2Geometry): Generator<Segment> {
  if (geometry.type === 'GeometryCollection') for (const part of geometry.geometries) yield* segmentsOf(part);
  if (geometry.type === 'LineString') yield* segmentsOfLine(geometry.coordinates);
  if (geometry.type === 'MultiLineString') for (const line of geometry.coordinates) yield* segmentsOfLine(line);
  for (const polygon of polygonsOf(geometry, false)) for (const ring of polygon) yield* segmentsOfLine(ring);
}

function* segmentsOfLine(line: readonly (readonly number[])[]): Generator<Segment> {
  for (let at = 1; at < line.length; at++) {
    const [from, to] = [line[at - 1], line[at]];
    if (from !== undefined && to !== undefined) yield [[...from], [...to]];
  }
}

type Polygon = readonly (readonly (readonly number[])[])[];

/** Polygons of a geometry; `isDeep`: also those in collections. */
function polygonsOf(geometry: Cql2Geometry, isDeep = true): readonly Polygon[] {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  if (geometry.type === 'MultiPolygon') return geometry.coordinates;
  return geometry.type === 'GeometryCollection' && isDeep
    ? geometry.geometries.flatMap((part) => polygonsOf(part))
    : [];
}

const holesOf = (geometry: Cql2Geometry): readonly (readonly Position[])[] =>
  polygonsOf(geometry).flatMap((polygon) => polygon.slice(1).map((ring) => ring.map((position) => [...position])));

function pointsOf(geometry: Cql2Geometry): readonly Position[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(pointsOf);
  return geometry.type === 'Point' || geometry.type === 'MultiPoint' ? [...positionsOf(asGeometry(geometry))] : [];
}

const asGeometry = (geometry: Cql2Geometry): Geometry => geometry as Geometry;

/** Radius of the sphere that distances use, m. */
const EARTH = 6_371_008.8;

/** Shortest distance of two geometries that do not meet, metres. Degrees are scaled at the latitude of each position. */
function metresBetween(a: Cql2Geometry, b: Cql2Geometry): number {
  return Math.min(oneWay(a, b), oneWay(b, a));
}

/** Shortest distance from a corner of one geometry to the other geometry. */
function oneWay(corners: Cql2Geometry, other: Cql2Geometry): number {
  const pieces = [...segmentsOf(other), ...pointsOf(other).map((point): Segment => [point, point])];
  let least = Infinity;
  for (const [x = 0, y = 0] of positionsOf(asGeometry(corners))) {
    const [kx, ky] = [(EARTH * Math.cos((y * Math.PI) / 180) * Math.PI) / 180, (EARTH * Math.PI) / 180];
    const scaled = ([px = 0, py = 0]: Position): readonly [number, number] => [(px - x) * kx, (py - y) * ky];
    for (const [from, to] of pieces) least = Math.min(least, distanceFromOrigin(scaled(from), scaled(to)));
  }
  return least;
}

function distanceFromOrigin([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
  return Math.hypot(ax + dx * share, ay + dy * share);
}
