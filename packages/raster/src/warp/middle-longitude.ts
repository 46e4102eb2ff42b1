import type { PixelGrid } from '@headwater/core';
import { pointTransform } from './crs.ts';

/** Longitude of the middle of a grid, in degrees. */
export function middleLongitude({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid): number {
  const [longitude] = pointTransform(crs, 'EPSG:4326')(
    west + (cols * pixelWidth) / 2,
    north - (rows * pixelHeight) / 2,
  );
  return longitude;
}
