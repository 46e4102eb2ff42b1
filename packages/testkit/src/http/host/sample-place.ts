import type { PlaceBundle } from '@headwater/core';

const square = (west: number, south: number, size: number): { type: 'Polygon'; coordinates: number[][][] } => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + size, south],
      [west + size, south + size],
      [west, south + size],
      [west, south],
    ],
  ],
});

/** Extent of the sample tehsil, lon/lat. */
export const SAMPLE_GEOMETRY = square(85, 24, 0.1);

/** Tehsil in the examples of operations. */
export const SAMPLE_PLACE: PlaceBundle = {
  state: 'Sample State',
  district: 'Sample District',
  tehsil: 'Sample Tehsil',
  geometry: SAMPLE_GEOMETRY,
  mws: [
    { uid: '12_100174', geometry: square(85, 24, 0.05) },
    { uid: '12_100175', geometry: square(85.05, 24.05, 0.05) },
  ],
  villages: [{ id: 7, name: 'Sample Village', geometry: square(85, 24, 0.02) }],
};
