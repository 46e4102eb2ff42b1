import type { PixelGrid } from '@headwater/core';

/** Pixel size of published rasters in degrees: 10 m on the equator. */
export const STEP = 8.983152841195215e-5;

/** Returns a lon/lat grid with pixels of `STEP` degrees. */
export const degreeGrid = (place: Pick<PixelGrid, 'west' | 'north' | 'cols' | 'rows'>): PixelGrid => ({
  crs: 'EPSG:4326',
  pixelWidth: STEP,
  pixelHeight: STEP,
  ...place,
});
