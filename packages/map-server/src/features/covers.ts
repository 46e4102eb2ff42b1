import type { Cql2Geometry } from '@headwater/cql2';
import type { Geometry } from 'geojson';
import { boxOfGeometry, type FeatureBox, positionsOf } from './feature-table.ts';

/** A line between two positions. */
export type Segment = readonly [x1: number, y1: number, x2: number, y2: number];

/** Parts of a geometry, listed once to test many features. */
export interface Prepared {
  readonly box: FeatureBox | null;
  /** Lines and borders of polygons. */
  readonly segments: readonly Segment[];
  readonly points: readonly (readonly [number, number])[];
  readonly positions: readonly (readonly [number, number])[];
  readonly polygons: readonly (readonly (readonly Segment[])[])[];
}

/**
 * Maximum distance from a border at which a position counts as on the border, degrees (0.1 mm). Computed positions on a
 * slanted edge are not exact.
 */
const TOLERANCE = 1e-9;

/** Lists the parts of a geometry. */
export function prepare(geometry: Cql2Geometry): Prepared {
  const parts = simpleParts(geometry);
  const polygons = parts.flatMap((part) => {
    if (part.type === 'Polygon') return [part.coordinates.map(segmentsOfLine)];
    return part.type === 'MultiPolygon' ? part.coordinates.map((rings) => rings.map(segmentsOfLine)) : [];
  });
  const lines = parts.flatMap((part) => {
    if (part.type === 'LineString') return segmentsOfLine(part.coordinates);
    return part.type === 'MultiLineString' ? part.coordinates.flatMap(segmentsOfLine) : [];
  });
  const points = parts.flatMap((part) => {
    if (part.type === 'Point') return [pair(part.coordinates)];
    return part.type === 'MultiPoint' ? part.coordinates.map(pair) : [];
  });
  const whole = geometry as Geometry;
  return {
    box: boxOfGeometry(whole),
    segments: [...lines, ...polygons.flat(2)],
    points,
    positions: [...positionsOf(whole)].map(pair),
    polygons,
  };
}

type Simple = Exclude<Cql2Geometry, { type: 'GeometryCollection' }>;

const simpleParts = (geometry: Cql2Geometry): readonly Simple[] =>
  geometry.type === 'GeometryCollection' ? geometry.geometries.flatMap(simpleParts) : [geometry];

const pair = ([x = 0, y = 0]: readonly number[]): readonly [number, number] => [x, y];

function segmentsOfLine(line: readonly (readonly number[])[]): readonly Segment[] {
  return line.slice(1).map((to, at) => [...pair(line[at] ?? []), ...pair(to)]);
}

/**
 * True if every position of `geometry` is in `outer` or on its border (planar, degrees). `reach`: box of `geometry`.
 * Lines of `geometry` are cut at lines of `outer`; the middle of each piece must be in `outer`. No hole of `outer` may
 * be in `geometry`.
 */
export function covers(outer: Prepared, geometry: Cql2Geometry, reach: FeatureBox): boolean {
  if (outer.box === null || !isBoxIn(reach, outer.box)) return false;
  const near = outer.segments.filter((segment) => touchesBox(segment, reach));
  const isIn = ([x, y]: readonly [number, number]): boolean => isCovered(outer, near, [x, y]);
  // If `outer` has no line or border near `geometry` and no points, one position decides for all.
  if (near.length === 0 && outer.points.length === 0) {
    const first = positionsOf(geometry as Geometry).next();
    return first.done !== true && isIn(pair(first.value));
  }
  const inner = prepare(geometry);
  if (!inner.positions.every(isIn)) return false;
  if (!inner.segments.every((segment) => isSegmentIn(segment, near, isIn))) return false;
  return outer.polygons.every((rings) => rings.slice(1).every((hole) => !isHoleIn(hole, outer, inner)));
}

/**
 * False for a geometry that lies only on borders of `outer`; by the standard, such a geometry is not within `outer`. If
 * `outer` has no polygon, always true: the ends of its lines do not count as borders.
 */
export function isMoreThanBorder(outer: Prepared, geometry: Cql2Geometry): boolean {
  if (outer.polygons.length === 0) return true;
  const inner = prepare(geometry);
  const isOnBorder = ([x, y]: readonly [number, number]): boolean =>
    outer.segments.some((segment) => squaredDistance(segment, x, y) <= TOLERANCE ** 2);
  return (
    inner.polygons.length > 0 ||
    !inner.points.every(isOnBorder) ||
    !inner.segments.every((segment) => isSegmentIn(segment, outer.segments, isOnBorder))
  );
}

/** True if a box is in another box; borders may touch. */
export const isBoxIn = (inner: FeatureBox, outer: FeatureBox): boolean =>
  inner[0] >= outer[0] - TOLERANCE &&
  inner[1] >= outer[1] - TOLERANCE &&
  inner[2] <= outer[2] + TOLERANCE &&
  inner[3] <= outer[3] + TOLERANCE;

function touchesBox([x1, y1, x2, y2]: Segment, [west, south, east, north]: FeatureBox): boolean {
  return (
    Math.max(x1, x2) >= west - TOLERANCE &&
    Math.min(x1, x2) <= east + TOLERANCE &&
    Math.max(y1, y2) >= south - TOLERANCE &&
    Math.min(y1, y2) <= north + TOLERANCE
  );
}

function isCovered(outer: Prepared, near: readonly Segment[], [x, y]: readonly [number, number]): boolean {
  if (outer.polygons.some((rings) => isInside(rings, x, y))) return true;
  if (near.some((segment) => squaredDistance(segment, x, y) <= TOLERANCE ** 2)) return true;
  return outer.points.some(([px, py]) => Math.hypot(px - x, py - y) <= TOLERANCE);
}

/**
 * True inside of a polygon: in its outer ring and in no hole. For a position on a border, the result may be true or
 * false.
 */
function isInside(rings: readonly (readonly Segment[])[], x: number, y: number): boolean {
  return rings.every((ring, at) => windsAround(ring, x, y) === (at === 0));
}

function windsAround(ring: readonly Segment[], x: number, y: number): boolean {
  let turns = 0;
  for (const [x1, y1, x2, y2] of ring) {
    if (y1 <= y === y2 <= y) continue;
    const side = (x2 - x1) * (y - y1) - (x - x1) * (y2 - y1);
    if (y1 <= y ? side > 0 : side < 0) turns += y1 <= y ? 1 : -1;
  }
  return turns !== 0;
}

function squaredDistance([x1, y1, x2, y2]: Segment, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length));
  return (x1 + dx * share - x) ** 2 + (y1 + dy * share - y) ** 2;
}

/** Smallest tested piece, share of the segment's length. */
const LEAST_PIECE = 1e-9;

function isSegmentIn(
  segment: Segment,
  near: readonly Segment[],
  isIn: (position: readonly [number, number]) => boolean,
): boolean {
  const [x1, y1, x2, y2] = segment;
  const reach: FeatureBox = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
  const shares = near.flatMap((border) => (touchesBox(border, reach) ? meetings(segment, border) : []));
  const cuts = [0, ...shares.toSorted((a, b) => a - b), 1];
  return cuts.every((to, at) => {
    const from = cuts[at - 1] ?? 0;
    const middle = (from + to) / 2;
    return to - from <= LEAST_PIECE || isIn([x1 + (x2 - x1) * middle, y1 + (y2 - y1) * middle]);
  });
}

/**
 * Points of the first segment at which the second may meet it, as shares of its length: the crossing, and the points
 * nearest to both ends of the second.
 */
function meetings([x1, y1, x2, y2]: Segment, [u1, v1, u2, v2]: Segment): readonly number[] {
  const [dx, dy, ex, ey] = [x2 - x1, y2 - y1, u2 - u1, v2 - v1];
  const length = dx * dx + dy * dy;
  if (length === 0) return [];
  const ends = [((u1 - x1) * dx + (v1 - y1) * dy) / length, ((u2 - x1) * dx + (v2 - y1) * dy) / length];
  const cross = dx * ey - dy * ex;
  if (cross === 0) return ends.filter((share) => share > 0 && share < 1);
  const share = ((u1 - x1) * ey - (v1 - y1) * ex) / cross;
  // The ends are added, because the crossing of almost parallel segments is not exact.
  return [share, ...ends].filter((each) => each > 0 && each < 1);
}

/**
 * True if a hole of `outer` is in `inner`, and no other polygon of `outer` fills the hole. Call it only if `outer`
 * covers the borders of `inner`.
 */
function isHoleIn(hole: readonly Segment[], outer: Prepared, inner: Prepared): boolean {
  const middle = innerPosition(hole);
  if (middle === undefined) return false;
  const [x, y] = middle;
  const isIn = ({ polygons }: Prepared): boolean => polygons.some((rings) => isInside(rings, x, y));
  return isIn(inner) && !isIn(outer);
}

const NO_SEGMENT: Segment = [0, 0, 0, 0];

/** Middle of the first three neighbouring corners whose middle is in the ring. */
function innerPosition(ring: readonly Segment[]): readonly [number, number] | undefined {
  for (const [at, [x1, y1, x2, y2]] of ring.entries()) {
    const [, , x3, y3] = ring[(at + 1) % ring.length] ?? NO_SEGMENT;
    const [x, y] = [(x1 + x2 + x3) / 3, (y1 + y2 + y3) / 3];
    if (windsAround(ring, x, y)) return [x, y];
  }
  return undefined;
}
