import { toUtm, utmZone } from '@headwater/core/geo';
import type { Geometry, Position } from 'geojson';
import type { FeatureSrs } from './request.ts';

const RADIUS = 6378137;
const MOST_LATITUDE = 85.0511287798066;

/** Converts degrees to metres of EPSG:3857. */
export function toMercator(lon: number, lat: number): [x: number, y: number] {
  const bounded = Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, lat));
  const y = Math.log(Math.tan(Math.PI / 4 + (bounded * Math.PI) / 360));
  return [(lon * Math.PI * RADIUS) / 180, y * RADIUS];
}

/** Converts metres of EPSG:3857 to degrees. */
export function fromMercator(x: number, y: number): [lon: number, lat: number] {
  return [(x / RADIUS) * (180 / Math.PI), (2 * Math.atan(Math.exp(y / RADIUS)) - Math.PI / 2) * (180 / Math.PI)];
}

/** EPSG number of a coordinate system; for CRS:84, the number of WGS 84. */
export const codeOf = (srs: FeatureSrs): string => (srs === 'CRS:84' ? '4326' : srs.slice('EPSG:'.length));

/** Function that converts degrees to `srs`; undefined if `srs` is in degrees. */
export function projectionOf(
  srs: FeatureSrs,
): ((lon: number, lat: number) => readonly [x: number, y: number]) | undefined {
  if (srs === 'EPSG:3857') return toMercator;
  const zone = utmZone(srs);
  return zone && ((lon, lat) => toUtm(zone, lon, lat));
}

/** Converts a geometry from degrees to `srs`; returns the same object if nothing changes. */
export function inSrs(geometry: Geometry | null, srs: FeatureSrs): Geometry | null {
  const project = projectionOf(srs);
  return geometry === null || project === undefined ? geometry : projectedGeometry(geometry, project);
}

type Projection = NonNullable<ReturnType<typeof projectionOf>>;

function projectedGeometry(geometry: Geometry, project: Projection): Geometry {
  if (geometry.type === 'GeometryCollection')
    return {
      type: 'GeometryCollection',
      geometries: geometry.geometries.map((part) => projectedGeometry(part, project)),
    };
  return { type: geometry.type, coordinates: projected(geometry.coordinates, project) } as Geometry;
}

type Nested = Position | readonly Nested[];

function projected(nested: Nested, project: Projection): Nested {
  if (nested.length === 0) return nested;
  if (typeof nested[0] !== 'number') return (nested as readonly Nested[]).map((part) => projected(part, project));
  const [lon = 0, lat = 0, ...heights] = nested as Position;
  return [...project(lon, lat), ...heights];
}

/**
 * Converts a geometry to the multiple type of its layer, such as a `Polygon` to a `MultiPolygon`. Other geometries are
 * returned unchanged.
 */
export function asLayerType(geometry: Geometry, layerType: string): Geometry {
  if (`Multi${geometry.type}` !== layerType || geometry.type === 'GeometryCollection') return geometry;
  return { type: layerType, coordinates: [geometry.coordinates] } as Geometry;
}
