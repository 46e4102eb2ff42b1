import type { GeometryLike, PositionLike } from './types.ts';

/** Changes each position; other members stay. */
export function mapPositions(geometry: GeometryLike, change: (position: PositionLike) => PositionLike): GeometryLike {
  const line = (positions: readonly PositionLike[]): readonly PositionLike[] => positions.map(change);
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, coordinates: change(geometry.coordinates) };
    case 'MultiPoint':
    case 'LineString':
      return { ...geometry, coordinates: line(geometry.coordinates) };
    case 'MultiLineString':
    case 'Polygon':
      return { ...geometry, coordinates: geometry.coordinates.map(line) };
    default:
      return { ...geometry, coordinates: geometry.coordinates.map((rings) => rings.map(line)) };
  }
}

/** Lines and rings of a geometry. A point is a line of one position. */
export function pathsOf(geometry: GeometryLike): readonly (readonly PositionLike[])[] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]];
    case 'MultiPoint':
      return geometry.coordinates.map((position) => [position]);
    case 'LineString':
      return [geometry.coordinates];
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates;
    default:
      return geometry.coordinates.flat();
  }
}
