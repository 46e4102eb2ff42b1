import type { Geometry, Position } from 'geojson';

type Path = readonly Position[];

/** A geometry taken apart. */
interface Parts {
  readonly points: Path;
  /** Lines and rings. */
  readonly paths: readonly Path[];
  readonly areas: readonly (readonly Path[])[];
}

const NONE: Parts = { points: [], paths: [], areas: [] };

/** True where two geometries have a point in common, borders included, as `ST_Intersects` of PostGIS tells it: planar, in degrees. */
export function touches(a: Geometry, b: Geometry): boolean {
  const [one, other] = [partsOf(a), partsOf(b)];
  return meets(one, other) || meets(other, one) || pathsMeet(one, other);
}

function partsOf(geometry: Geometry): Parts {
  switch (geometry.type) {
    case 'Point':
      return { ...NONE, points: geometry.coordinates.length === 0 ? [] : [geometry.coordinates] };
    case 'MultiPoint':
      return { ...NONE, points: geometry.coordinates };
    case 'LineString':
      return { ...NONE, paths: [geometry.coordinates] };
    case 'MultiLineString':
      return { ...NONE, paths: geometry.coordinates };
    case 'Polygon':
      return { ...NONE, paths: geometry.coordinates, areas: [geometry.coordinates] };
    case 'MultiPolygon':
      return { ...NONE, paths: geometry.coordinates.flat(), areas: geometry.coordinates };
    case 'GeometryCollection':
      return joined(geometry.geometries.map(partsOf));
  }
}

function joined(parts: readonly Parts[]): Parts {
  return {
    points: parts.flatMap(({ points }) => points),
    paths: parts.flatMap(({ paths }) => paths),
    areas: parts.flatMap(({ areas }) => areas),
  };
}

/** True where a point of one, or the begin of a path of it, lies on the other: paths that meet elsewhere are not seen here. */
function meets(one: Parts, other: Parts): boolean {
  const begins = one.paths.flatMap((path) => path.slice(0, 1));
  const isOnPath = (point: Position): boolean =>
    other.points.some((each) => each[0] === point[0] && each[1] === point[1]) ||
    other.paths.some((path) => segments(path).some((segment) => crosses([point, point], segment)));
  return (
    one.points.some(isOnPath) ||
    [...one.points, ...begins].some((point) => other.areas.some((area) => isInside(point, area)))
  );
}

function pathsMeet(one: Parts, other: Parts): boolean {
  const theirs = other.paths.flatMap(segments);
  return one.paths.some((path) => segments(path).some((mine) => theirs.some((each) => crosses(mine, each))));
}

type Segment = readonly [from: Position, to: Position];

function segments(path: Path): readonly Segment[] {
  return path.slice(1).map((to, index) => [path[index] ?? to, to]);
}

/** A ray to the east crosses the rings of an area an odd number of times from inside; borders are seen by `crosses`. */
function isInside([x = NaN, y = NaN]: Position, rings: readonly Path[]): boolean {
  let inside = false;
  for (const [[x1 = NaN, y1 = NaN], [x2 = NaN, y2 = NaN]] of rings.flatMap(segments)) {
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside;
  }
  return inside;
}

/** True where two segments have a point in common; a segment may be a point. */
function crosses([a, b]: Segment, [c, d]: Segment): boolean {
  if (!spansMeet([a, b], [c, d], 0) || !spansMeet([a, b], [c, d], 1)) return false;
  const isApart = (from: Position, to: Position, others: Segment): boolean =>
    side(from, to, others[0]) * side(from, to, others[1]) > 0;
  return !isApart(a, b, [c, d]) && !isApart(c, d, [a, b]);
}

function spansMeet([a, b]: Segment, [c, d]: Segment, axis: 0 | 1): boolean {
  const [p = NaN, q = NaN, r = NaN, s = NaN] = [a[axis], b[axis], c[axis], d[axis]];
  return Math.max(p, q) >= Math.min(r, s) && Math.max(r, s) >= Math.min(p, q);
}

/** 1 to the left of the line, -1 to the right of it, 0 on it. */
function side([x1 = NaN, y1 = NaN]: Position, [x2 = NaN, y2 = NaN]: Position, [x = NaN, y = NaN]: Position): number {
  return Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
}
