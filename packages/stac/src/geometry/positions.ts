import type { GeometryLike, PositionLike } from './types.ts';

/** The geometry with each position replaced by the result of `change`; its other members, such as a bbox, stay. */
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

/** The lines and rings of a geometry; each point is a path of one position. */
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
