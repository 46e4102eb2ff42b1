import { describe, expect, it } from 'vitest';
import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import { degreeGrid, roughSurface, utmGrid } from '../dem/surfaces.fixture.ts';
import { farthest, gdaldem, gdaldemMissing } from './gdaldem.fixture.ts';
import { hillshade, slopeDegrees, slopePercent } from './slope.ts';
import { positionOf8 } from './tpi.ts';

if (gdaldemMissing !== undefined) console.warn(`surfaces against gdaldem: skipped, ${gdaldemMissing}`);

function withHoles(dem: Dem): Dem {
  for (const at of [0, 1, 57, 300, 301, 340, 1599]) dem.heights[at] = Number.NaN;
  return dem;
}

describe.skipIf(gdaldemMissing !== undefined)('surfaces equal gdaldem, borders and holes included', () => {
  const metres = [30, 30] as const;
  const dems = Object.entries({
    'gentle hills': roughSurface(utmGrid(40, 40), { relief: 60 }),
    'steep mountains': roughSurface(utmGrid(40, 40), { seed: 2, relief: 4000 }),
    'land with holes': withHoles(roughSurface(utmGrid(40, 40), { seed: 5 })),
    'two rows': roughSurface(utmGrid(2, 9)),
  });

  it.each(dems)('%s: slope in degrees to within 1e-3, and in percent to within 1e-4 of its value', (_, dem) => {
    expect(farthest(slopeDegrees(dem), gdaldem(['slope'], dem, metres))).toBeLessThan(1e-3);
    const percent = gdaldem(['slope', '-p'], dem, metres);
    const relative = (values: Float32Array): Float32Array => values.map((value, at) => value / (1 + percent[at]!));
    expect(farthest(relative(slopePercent(dem)), relative(percent))).toBeLessThan(1e-4);
  });

  it.each(dems)(
    '%s: position among eight neighbours to within 1e-4 m, or within the rounding error of GDAL, which sums heights in float32',
    (_, dem) => {
      const highest = dem.heights.reduce((most, height) => (height > most ? height : most), 0);
      const rounding = 8 * highest * 2 ** -24;
      expect(farthest(positionOf8(dem), gdaldem(['TPI'], dem, metres))).toBeLessThan(Math.max(1e-4, rounding));
    },
  );

  it.each(dems)('%s: hillshade to within 1 of 255', (_, dem) => {
    expect(farthest(Float32Array.from(hillshade(dem)), gdaldem(['hillshade'], dem, metres))).toBeLessThanOrEqual(1);
  });

  it('in degrees: the middle rows equal gdaldem with the pixel sizes of these rows in metres, and differ from gdaldem with one scale (-s 111120)', () => {
    const dem = roughSurface(degreeGrid(41, 50), { relief: 500 });
    const { x, y } = cellSizes(dem.grid);
    const theirs = gdaldem(['slope'], dem, [x[20]!, y[20]!]);
    const middle = (plane: Float32Array): Float32Array => plane.subarray(20 * 50, 21 * 50);
    expect(farthest(middle(slopeDegrees(dem)), middle(theirs))).toBeLessThan(1e-3);
    const oneScale = gdaldem(['slope', '-s', '111120'], dem, [1 / 3600, 1 / 3600]);
    expect(farthest(middle(slopeDegrees(dem)), middle(oneScale))).toBeGreaterThan(5);
  });
});
