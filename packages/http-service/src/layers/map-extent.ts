import { isObject } from '@headwater/core/values';
import type { MapExtent } from '../pages/map-scale.ts';

/** WGS 84: semi-major axis in metres; E2 is the square of the first eccentricity. */
const AXIS_M = 6_378_137;
const E2 = 0.006_694_379_990_14;

/**
 * Extent of an Item's picture: the extent of its raster grid, or its box. Undefined for a grid in a CRS other than
 * EPSG:4326 or a box over the antimeridian, because a scale would be wrong.
 */
export function mapExtent(item: Readonly<Record<string, unknown>>): MapExtent | undefined {
  const box = gridBox(item['properties']) ?? item['bbox'];
  if (box === 'other' || !Array.isArray(box) || box.length !== 4) return undefined;
  const [west, south, east, north] = box.map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined) return undefined;
  const degrees = [east - west, north - south] as const;
  if (!degrees.every((side) => side > 0) || Math.abs(south) > 90 || Math.abs(north) > 90) return undefined;
  const middleLatitude = (south + north) / 2;
  return { degrees, middleLatitude, widthMetres: degrees[0] * metresPerDegree(middleLatitude) };
}

/** Length of one degree of longitude at a latitude on the WGS 84 ellipsoid, in metres. */
export function metresPerDegree(latitude: number): number {
  const phi = (latitude * Math.PI) / 180;
  return ((Math.PI / 180) * AXIS_M * Math.cos(phi)) / Math.sqrt(1 - E2 * Math.sin(phi) ** 2);
}

function gridBox(properties: unknown): readonly number[] | 'other' | undefined {
  if (!isObject(properties)) return undefined;
  const { 'proj:code': code, 'proj:transform': transform, 'proj:shape': shape } = properties;
  if (code !== undefined && code !== 'EPSG:4326') return 'other';
  if (!Array.isArray(transform) || !Array.isArray(shape)) return undefined;
  const [a = NaN, , west = NaN, , e = NaN, north = NaN] = transform.map(Number);
  const [rows = NaN, cols = NaN] = shape.map(Number);
  return [west, north + rows * e, west + cols * a, north];
}
