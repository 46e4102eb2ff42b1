import type { ComputedPlace } from '@headwater/core';
import type { RasterHeader } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import { publishedGrid } from './raster-grid.ts';

const file = (west: number): RasterHeader => ({
  crs: 'EPSG:4326',
  west,
  north: -16,
  pixelWidth: 0.25,
  pixelHeight: 0.25,
  cols: 8,
  rows: 4,
  type: 'uint8',
  nodata: null,
});
const box: ComputedPlace['box'] = [-180, -16.5, -179.5, -16];

describe('the grid of an imported raster', () => {
  it.each([179, -181, -180])(
    'is the part of the file’s grid that covers the place, also beyond 180 degrees (western edge of the file: %d)',
    (west) => {
      expect(publishedGrid(file(west), { box })).toMatchObject({ west: -180, north: -16, cols: 2, rows: 2 });
    },
  );

  it('is undefined for a file that does not reach the place', () => {
    expect(publishedGrid(file(177), { box })).toBeUndefined();
  });
});
