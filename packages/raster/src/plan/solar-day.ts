import type { PixelGrid } from '@headwater/core';
import { pointTransform } from '../warp/crs.ts';

/** Milliseconds by which the sun is earlier per degree of longitude to the east: 24 h / 360. */
const MS_PER_DEGREE = 240_000;

/** Longitude of the middle of a grid, in degrees. */
export function middleLongitude({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid): number {
  const [longitude] = pointTransform(crs, 'EPSG:4326')(
    west + (cols * pixelWidth) / 2,
    north - (rows * pixelHeight) / 2,
  );
  return longitude;
}

/**
 * Day of an instant (ISO 8601) by the mean sun over a longitude, as ISO date. Sentinel-2 passes at about 10:30 solar time: far from
 * midnight everywhere, where the UTC day changes over the Pacific while a satellite passes (as `solar_day` of odc-stac).
 */
export function solarDay(datetime: string, longitude: number): string {
  return new Date(Date.parse(datetime) + longitude * MS_PER_DEGREE).toISOString().slice(0, 10);
}
