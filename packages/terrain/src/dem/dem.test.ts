import { describe, expect, it } from 'vitest';
import { cellSizes } from './cell-size.ts';
import { createDem } from './dem.ts';
import { degreeGrid, utmGrid } from './surfaces.fixture.ts';

describe('a DEM', () => {
  it('reads nodata, infinities and NaN as unknown, and does not change its input', () => {
    const heights = Float64Array.of(1, -9999, Infinity, Number.NaN);
    expect(createDem({ grid: utmGrid(2, 2), heights, nodata: -9999 }).heights).toEqual(
      Float32Array.of(1, Number.NaN, Number.NaN, Number.NaN),
    );
    expect(heights[1]).toBe(-9999);
  });

  it('recognizes nodata values that are rounded in float32', () => {
    const heights = Float32Array.of(5, -3.4028234663852886e38);
    expect(createDem({ grid: utmGrid(1, 2), heights, nodata: -3.40282347e38 }).heights[1]).toBeNaN();
  });

  it('refuses heights of another number than the pixels, and CRSs in which the size of pixels in metres is unknown', () => {
    expect(() => createDem({ grid: utmGrid(2, 2), heights: new Float32Array(3) })).toThrow(/3 heights for 2 rows of 2/);
    expect(() => createDem({ grid: utmGrid(0, 0), heights: new Float32Array(0) })).toThrow(/0 heights/);
    const mercator = { ...utmGrid(1, 1), crs: 'EPSG:3857' };
    expect(() => createDem({ grid: mercator, heights: new Float32Array(1) })).toThrow(/EPSG:3857.*Warp it/);
  });
});

describe('sizes of cells', () => {
  it('are the pixel sizes of the grid if the grid is in UTM', () => {
    expect(cellSizes(utmGrid(2, 3))).toEqual({ x: Float64Array.of(30, 30), y: Float64Array.of(30, 30) });
  });

  it.each([
    // Lengths of one degree to the east and to the north on WGS 84, m, from tables of the NGA.
    [0, 111_319.49, 110_574.28],
    [45, 78_846.81, 111_131.78],
    [-45, 78_846.81, 111_131.78],
    [60, 55_800, 111_412.27],
  ])('are arcs of the ellipsoid if the grid is in degrees, at latitude %d', (latitude, x, y) => {
    const grid = { ...degreeGrid(1, 1, latitude + 0.5), pixelWidth: 1, pixelHeight: 1 };
    const sizes = cellSizes(grid);
    expect(sizes.x[0]).toBeCloseTo(x, 1);
    expect(sizes.y[0]).toBeCloseTo(y, 1);
  });
});
