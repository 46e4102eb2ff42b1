import { type Box, boxesTouch, type Edge, edgeBox } from './box.ts';
import { orientation, type Point } from './orientation.ts';
import type { Cql2Bbox, Cql2Geometry } from '../model/read-geometry.ts';
import { type Shape, shapesOf, simpleGeometries } from './shapes.ts';

/** True if shapes of two lists have a position in common, also on their borders (planar, in degrees). */
export function shapesIntersect(some: readonly Shape[], others: readonly Shape[]): boolean {
  return some.some((a) => others.some((b) => boxesTouch(a.box, b.box) && intersect(a, b)));
}

function intersect(a: Shape, b: Shape): boolean {
  if (a.kind === 'point') return containsPoint(b, a.first);
  if (b.kind === 'point') return containsPoint(a, b.first);
  // If no edges cross, the test of one point of each shape is enough.
  return (
    edgesCross(a, b) ||
    (a.kind === 'polygon' && containsPoint(a, b.first)) ||
    (b.kind === 'polygon' && containsPoint(b, a.first))
  );
}

function containsPoint(shape: Shape, point: Point): boolean {
  if (shape.kind === 'point') return shape.first.x === point.x && shape.first.y === point.y;
  if (shape.kind === 'line') return shape.edges.some(({ from, to }) => isOnEdge(point, { from, to }));
  const [outer = [], ...holes] = shape.rings;
  const place = placeInRing(outer, point);
  const inHoles = holes.map((hole) => placeInRing(hole, point));
  // The border of a hole belongs to the polygon.
  if (place === 'border' || inHoles.includes('border')) return true;
  return place === 'inside' && !inHoles.includes('inside');
}

/** Position of a point relative to a closed ring. A point is inside if the ring winds around it, as in PostGIS. */
function placeInRing(ring: readonly Point[], point: Point): 'inside' | 'border' | 'outside' {
  let turns = 0;
  for (let at = 1; at < ring.length; at++) {
    const [from, to] = [ring[at - 1], ring[at]];
    if (from === undefined || to === undefined) continue;
    if (isOnEdge(point, { from, to })) return 'border';
    // Each edge includes only its lower end, because otherwise a ray through a corner would cross two edges.
    const rises = from.y <= point.y && point.y < to.y;
    const falls = to.y <= point.y && point.y < from.y;
    if (!rises && !falls) continue;
    if (orientation(from, to, point) === (rises ? 1 : -1)) turns += rises ? 1 : -1;
  }
  return turns === 0 ? 'outside' : 'inside';
}

function isOnEdge(point: Point, { from, to }: Edge): boolean {
  return isInBox(point, edgeBox({ from, to })) && orientation(from, to, point) === 0;
}

function isInBox({ x, y }: Point, { west, south, east, north }: Box): boolean {
  return west <= x && x <= east && south <= y && y <= north;
}

function edgesCross(a: Shape, b: Shape): boolean {
  const near = reaching(b, a.box);
  return reaching(a, b.box).some((edge) => near.some((other) => boxesTouch(edge.box, other.box) && cross(edge, other)));
}

type BoxedEdge = Edge & { readonly box: Box };

function reaching({ edges }: Shape, box: Box): readonly BoxedEdge[] {
  return edges.map((edge) => ({ ...edge, box: edgeBox(edge) })).filter((edge) => boxesTouch(edge.box, box));
}

function cross(a: Edge, b: Edge): boolean {
  const fromB = orientation(a.from, a.to, b.from);
  const toB = orientation(a.from, a.to, b.to);
  const fromA = orientation(b.from, b.to, a.from);
  const toA = orientation(b.from, b.to, a.to);
  if (fromB !== toB && fromA !== toA) return true;
  return isOnEdge(b.from, a) || isOnEdge(b.to, a) || isOnEdge(a.from, b) || isOnEdge(a.to, b);
}

/** True if two geometries have a position in common, like `ST_Intersects` of PostGIS (planar, in degrees). */
export function geometriesIntersect(a: Cql2Geometry | Cql2Bbox, b: Cql2Geometry | Cql2Bbox): boolean {
  return shapesIntersect(simpleGeometries(a).flatMap(shapesOf), simpleGeometries(b).flatMap(shapesOf));
}
