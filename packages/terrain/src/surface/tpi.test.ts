import { describe, expect, it } from 'vitest';
import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import { degreeGrid, roughSurface, rowsOf, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import type { Neighbourhood } from './ring-sums.ts';
import { position, positionOf8 } from './tpi.ts';

function byDefinition({ grid, heights }: Dem, { innerMetres, outerMetres }: Neighbourhood): Float32Array {
  const { x, y } = cellSizes(grid);
  return heights.map((height, at) => {
    const row = Math.floor(at / grid.cols);
    let [sum, count] = [0, 0];
    heights.forEach((other, there) => {
      const away = Math.hypot(
        (Math.floor(there / grid.cols) - row) * y[row]!,
        ((there % grid.cols) - (at % grid.cols)) * x[row]!,
      );
      if (away > innerMetres + 1e-6 && away <= outerMetres + 1e-6 && !Number.isNaN(other)) {
        sum += other;
        count += 1;
      }
    });
    return count > 0 ? height - sum / count : height - height;
  });
}

const farthest = (a: Float32Array, b: Float32Array): number =>
  a.reduce(
    (most, value, at) => (Number.isNaN(value) && Number.isNaN(b[at]) ? most : Math.max(most, Math.abs(value - b[at]!))),
    0,
  );

describe('topographic position', () => {
  it('among the eight neighbours is 0 on a plane, negative in a pit, positive on a top', () => {
    expect(positionOf8(surface(utmGrid(5, 5), (row, col) => row + 2 * col))[12]).toBeCloseTo(0, 6);
    expect(
      positionOf8(
        rowsOf([
          [8, 8, 8],
          [8, 0, 8],
          [8, 8, 8],
        ]),
      )[4],
    ).toBe(-8);
    expect(
      positionOf8(
        rowsOf([
          [0, 0, 0],
          [0, 8, 0],
          [0, 0, 0],
        ]),
      )[4],
    ).toBe(8);
  });

  const holed = roughSurface(utmGrid(31, 43), { seed: 3 });
  holed.heights.fill(Number.NaN, 400, 460);
  it.each([
    ['a ring', roughSurface(utmGrid(31, 43)), { innerMetres: 150, outerMetres: 300 }],
    ['a full circle', roughSurface(utmGrid(31, 43)), { innerMetres: -1, outerMetres: 200 }],
    ['a ring with holes in the land', holed, { innerMetres: 60, outerMetres: 240 }],
    ['a ring in degrees', roughSurface(degreeGrid(31, 43)), { innerMetres: 100, outerMetres: 333 }],
    ['a ring wider than the grid', roughSurface(utmGrid(9, 5)), { innerMetres: 0, outerMetres: 2000 }],
    [
      'a ring whose outer edge runs through pixel centres',
      roughSurface(utmGrid(9, 9, 0.1)),
      { innerMetres: 0, outerMetres: 0.3 },
    ],
    ['a ring without pixels', roughSurface(utmGrid(5, 5)), { innerMetres: 1, outerMetres: 2 }],
  ])('of %s equals its definition', (_, dem, ring) => {
    expect(farthest(position(dem, ring), byDefinition(dem, ring))).toBeLessThan(1e-4);
  });
});
