import { describe, expect, it } from 'vitest';
import { cellSizes } from '../dem/cell-size.ts';
import { degreeGrid, rowsOf, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import { hillshade, slopeDegrees, slopePercent } from './slope.ts';

const spread = (values: Float32Array): readonly [number, number] => [Math.min(...values), Math.max(...values)];

describe('slope', () => {
  it.each([
    [1, 0, 100],
    [0, 1, 100],
    [0.3, 0.4, 50],
    [0, 0, 0],
  ])(
    'of a plane that rises %d to the east and %d to the south per metre is %d %% everywhere',
    (east, south, percent) => {
      const dem = surface(utmGrid(6, 7, 10), (row, col) => 10 * (east * col + south * row));
      // Corners are left out: they are less steep, because the nearest column is repeated there, as in gdaldem.
      const values = slopePercent(dem).filter((_, at) => ![0, 6, 35, 41].includes(at));
      for (const value of spread(values)) expect(value).toBeCloseTo(percent, 3);
      if (percent === 100) expect(slopeDegrees(dem)[20]).toBeCloseTo(45, 4);
    },
  );

  it('uses metres on a grid in degrees: planes that rise to the east and to the north are equally steep', () => {
    const grid = degreeGrid(5, 5);
    const { x, y } = cellSizes(grid);
    expect(x[2]! / y[2]!).toBeCloseTo(0.5, 2);
    const toEast = slopePercent(surface(grid, (_, col) => 0.2 * col * x[2]!));
    const toNorth = slopePercent(surface(grid, (row) => 100 - 0.2 * row * y[2]!));
    expect(toEast[12]).toBeCloseTo(20, 3);
    expect(toNorth[12]).toBeCloseTo(20, 3);
  });

  it('of a cone is the same on all sides', () => {
    const dem = surface(utmGrid(101, 101, 1), (row, col) => 200 - 2 * Math.hypot(row - 50, col - 50));
    const ring = slopePercent(dem).filter(
      (_, at) => Math.abs(Math.hypot(Math.floor(at / 101) - 50, (at % 101) - 50) - 40) < 1,
    );
    for (const value of spread(ring)) expect(value).toBeCloseTo(200, 0);
  });

  it('is NaN without data; a neighbour without data counts as level with the pixel', () => {
    const slopes = slopePercent(
      rowsOf([
        [5, 5, 5],
        [5, Number.NaN, 5],
        [5, 5, 6],
      ]),
    );
    expect([...slopes].map((value) => Number.isNaN(value))).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(slopes[0]).toBe(0);
  });

  it('of a single row or column is the slope along it, and of a single pixel is 0', () => {
    expect(slopePercent(rowsOf([[0, 1, 2]]))).toEqual(Float32Array.of(100, 100, 100));
    expect(slopePercent(rowsOf([[0], [1], [2]]))).toEqual(Float32Array.of(100, 100, 100));
    expect(slopePercent(rowsOf([[7]]))).toEqual(Float32Array.of(0));
  });
});

describe('hillshade', () => {
  it('is light on slopes to the north-west, dark on slopes to the south-east, and 0 without data', () => {
    const shade = (east: number, south: number): number =>
      hillshade(surface(utmGrid(5, 5, 1), (row, col) => east * col + south * row))[12]!;
    expect(shade(0, 0)).toBe(Math.round(1 + 254 * Math.SQRT1_2));
    expect(shade(1, 1)).toBeGreaterThan(shade(0, 0));
    expect(shade(-1, -1)).toBe(1);
    expect(hillshade(rowsOf([[1, Number.NaN]]))).toEqual(Uint8Array.of(181, 0));
  });
});
