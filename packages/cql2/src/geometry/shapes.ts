import type { Cql2Bbox, Cql2Geometry, Cql2Position, Cql2SimpleGeometry } from '../model/read-geometry.ts';
import { type Box, boxOf, type Edge } from './box.ts';
import type { Point } from './orientation.ts';

/** A point, line or polygon with its bounding box and edges. */
export interface Shape {
  readonly kind: 'point' | 'line' | 'polygon';
  readonly box: Box;
  readonly first: Point;
  /** Segments of the line, or of all rings; empty for a point. */
  readonly edges: readonly Edge[];
  readonly rings: readonly (readonly Point[])[];
}

/** Points, lines and polygons of a geometry. */
export function shapesOf(geometry: Cql2Geometry): readonly Shape[] {
  switch (geometry.type) {
    case 'Point':
      return shape('point', [geometry.coordinates]);
    case 'MultiPoint':
      return geometry.coordinates.flatMap((position) => shape('point', [position]));
    case 'LineString':
      return shape('line', geometry.coordinates);
    case 'MultiLineString':
      return geometry.coordinates.flatMap((line) => shape('line', line));
    case 'Polygon':
      return polygon(geometry.coordinates);
    case 'MultiPolygon':
      return geometry.coordinates.flatMap(polygon);
    default:
      return geometry.geometries.flatMap(shapesOf);
  }
}

/**
 * Splits a geometry collection or a box into single geometries. A box without width or height becomes a line or a
 * point.
 */
export function simpleGeometries(geometry: Cql2Geometry | Cql2Bbox): readonly Cql2SimpleGeometry[] {
  if ('bbox' in geometry) return boxesOf(geometry);
  return geometry.type === 'GeometryCollection' ? geometry.geometries.flatMap(simpleGeometries) : [geometry];
}

function boxesOf({ bbox }: Cql2Bbox): readonly Cql2SimpleGeometry[] {
  const [west, south, third, fourth, fifth] = bbox;
  const [east, north] = fifth === undefined ? [third, fourth] : [fourth, fifth];
  if (west <= east) return [boxGeometry({ west, south, east, north })];
  return [boxGeometry({ west, south, east: 180, north }), boxGeometry({ west: -180, south, east, north })];
}

function boxGeometry({ west, south, east, north }: Box): Cql2SimpleGeometry {
  if (west === east && south === north) return { type: 'Point', coordinates: [west, south] };
  if (west === east || south === north)
    return {
      type: 'LineString',
      coordinates: [
        [west, south],
        [east, north],
      ],
    };
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

function polygon(rings: readonly (readonly Cql2Position[])[]): readonly Shape[] {
  const [outer = [], ...holes] = rings.map((ring) => ring.map(pointOf));
  const [first] = outer;
  if (first === undefined) return [];
  const all = [outer, ...holes];
  return [{ kind: 'polygon', box: boxOf(all.flat()), first, edges: all.flatMap(edgesOf), rings: all }];
}

function shape(kind: 'point' | 'line', positions: readonly Cql2Position[]): readonly Shape[] {
  const points = positions.map(pointOf);
  const [first] = points;
  return first === undefined ? [] : [{ kind, box: boxOf(points), first, edges: edgesOf(points), rings: [] }];
}

function edgesOf(points: readonly Point[]): readonly Edge[] {
  return points.slice(1).map((to, at) => ({ from: points[at] ?? to, to }));
}

function pointOf([x = NaN, y = NaN]: Cql2Position): Point {
  return { x, y };
}
