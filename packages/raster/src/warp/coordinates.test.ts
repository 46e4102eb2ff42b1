import { describe, expect, it } from 'vitest';
import { coordinatesInTurn, sourceCoordinates } from './coordinates.ts';
import { pointTransform } from './crs.ts';
import { degreeGrid } from '../degree-grid.fixture.ts';

const FINE = degreeGrid({
  west: 77.9,
  north: 24.2,
  cols: 2500,
  rows: 1200,
});

/** Largest error at every 7th pixel centre, in metres of the source CRS. */
function worst(
  grid: typeof FINE,
  window: { col: number; row: number; cols: number; rows: number },
  crs: string,
): number {
  const { x, y } = sourceCoordinates(grid, window, crs);
  const exact = pointTransform(grid.crs, crs);
  let most = 0;
  for (let i = 0; i < x.length; i += 7) {
    const [col, row] = [window.col + (i % window.cols), window.row + Math.floor(i / window.cols)];
    const [ex, ey] = exact(grid.west + (col + 0.5) * grid.pixelWidth, grid.north - (row + 0.5) * grid.pixelHeight);
    most = Math.max(most, Math.hypot((x[i] ?? Number.NaN) - ex, (y[i] ?? Number.NaN) - ey));
  }
  return most;
}

describe('coordinatesInTurn', () => {
  it('computes the same as sourceCoordinates for a large, then a small, then a larger window', () => {
    const of = coordinatesInTurn(FINE, 'EPSG:32643');
    for (const [cols, rows] of [
      [90, 70],
      [5, 3],
      [200, 80],
    ] as const) {
      const window = { col: 3, row: 40, cols, rows };
      expect(of(window)).toEqual(sourceCoordinates(FINE, window, 'EPSG:32643'));
    }
  });
});

describe('sourceCoordinates', () => {
  it.each(['EPSG:32643', 'EPSG:32644'])(
    'is exact to a centimetre on a 10 m grid at the border of two UTM zones (%s)',
    (crs) => {
      expect(worst(FINE, { col: 11, row: 7, cols: 400, rows: 300 }, crs)).toBeLessThan(0.01);
    },
  );

  it('splits squares of coarse grids until the error is below an eighth of a pixel', () => {
    const coarse = { ...FINE, west: 60, north: 40, pixelWidth: 0.2, pixelHeight: 0.2, cols: 150, rows: 150 };
    const metresPerPixel = 0.2 * 111_000 * Math.cos((40 * Math.PI) / 180);
    expect(worst(coarse, { col: 0, row: 0, cols: 150, rows: 150 }, 'EPSG:32643')).toBeLessThan(metresPerPixel / 8);
  });

  it('returns the same coordinates of a pixel for every window', () => {
    const whole = sourceCoordinates(FINE, { col: 0, row: 0, cols: 200, rows: 100 }, 'EPSG:32643');
    const part = sourceCoordinates(FINE, { col: 70, row: 33, cols: 50, rows: 40 }, 'EPSG:32643');
    for (let row = 0; row < 40; row += 1) {
      for (let col = 0; col < 50; col += 1) {
        expect(part.x[row * 50 + col]).toBe(whole.x[(row + 33) * 200 + col + 70]);
        expect(part.y[row * 50 + col]).toBe(whole.y[(row + 33) * 200 + col + 70]);
      }
    }
  });

  it('returns pixel centres if both CRSs are the same', () => {
    const { x, y } = sourceCoordinates(FINE, { col: 3, row: 5, cols: 1, rows: 1 }, 'EPSG:4326');
    expect(x[0]).toBeCloseTo(77.9 + 3.5 * FINE.pixelWidth, 12);
    expect(y[0]).toBeCloseTo(24.2 - 5.5 * FINE.pixelHeight, 12);
  });
});

describe('pointTransform', () => {
  it('agrees with PROJ in both hemispheres', () => {
    // The expected values come from pyproj 3 (EPSG:4326 to UTM, always_xy).
    const [e, n] = pointTransform('EPSG:4326', 'EPSG:32643')(76.1, 23.7);
    expect(e).toBeCloseTo(612_144.7083592211, 5);
    expect(n).toBeCloseTo(2_621_445.748838302, 5);
    expect(pointTransform('EPSG:4326', 'EPSG:32743')(76.1, -23.7)[1]).toBeCloseTo(10_000_000 - 2_621_445.748838302, 5);
    expect(pointTransform('EPSG:32643', 'EPSG:4326')(e, n)[0]).toBeCloseTo(76.1, 10);
  });

  it.each(['EPSG:3857', 'EPSG:32600', 'EPSG:32661', 'EPSG:32643 ', ''])(
    'refuses %j with a message that names it and a remedy',
    (crs) => {
      expect(() => pointTransform(crs, 'EPSG:4326')).toThrow(`CRS ${JSON.stringify(crs)} is not supported`);
      expect(() => pointTransform(crs, 'EPSG:4326')).toThrow('gdalwarp');
    },
  );

  it('returns NaN for a longitude that is NaN, and does not throw', () => {
    expect(pointTransform('EPSG:4326', 'EPSG:32643')(Number.NaN, 0)[0]).toBeNaN();
  });
});
