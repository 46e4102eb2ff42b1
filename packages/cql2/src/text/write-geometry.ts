import type { Cql2Bbox, Cql2Geometry, Cql2Position } from '../model/geometry.ts';

/** A geometry as WKT, a box as BBOX(...). */
export function writeGeometry(geometry: Cql2Geometry | Cql2Bbox): string {
  if ('bbox' in geometry) return `BBOX(${geometry.bbox.join(', ')})`;
  const name = geometry.type.toUpperCase();
  switch (geometry.type) {
    case 'Point':
      return `${name}(${position(geometry.coordinates)})`;
    case 'LineString':
    case 'MultiPoint':
      return `${name}${positions(geometry.coordinates)}`;
    case 'Polygon':
    case 'MultiLineString':
      return `${name}(${geometry.coordinates.map(positions).join(', ')})`;
    case 'MultiPolygon':
      return `${name}(${geometry.coordinates.map((polygon) => `(${polygon.map(positions).join(', ')})`).join(', ')})`;
    default:
      return `${name}(${geometry.geometries.map(writeGeometry).join(', ')})`;
  }
}

function positions(list: readonly Cql2Position[]): string {
  return `(${list.map(position).join(', ')})`;
}

function position(numbers: Cql2Position): string {
  return numbers.join(' ');
}
