import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RampStop } from '@headwater/core/ports';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { thumbnail } from './thumbnail.ts';
import { degreeGrid } from '../degree-grid.fixture.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'value-png-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [COLS, ROWS] = [400, 200];
const grid = degreeGrid({ west: 75, north: 24, cols: COLS, rows: ROWS });
const RAMP: readonly RampStop[] = [
  { value: 300, color: [255, 255, 255, 255] },
  { value: 100, color: [0, 100, 200, 255] },
  { value: 200, color: [100, 200, 0, 155] },
];
const valueAt = (i: number, none: number): number => (i < (COLS * ROWS) / 4 ? none : i % COLS);

describe('a preview of values', () => {
  it.each([
    { name: 'int16', nodata: -32_768, make: (values: number[]) => Int16Array.from(values), predictor: 2 },
    { name: 'float32', nodata: -9999, make: (values: number[]) => Float32Array.from(values), predictor: 3 },
    { name: 'NaN', nodata: Number.NaN, make: (values: number[]) => Float32Array.from(values), predictor: 3 },
  ] as const)(
    '$name: colours between the stops are interpolated, values beyond them get the nearest stop, nodata is transparent',
    async ({ name, nodata, make, predictor }) => {
      const data = make(Array.from({ length: COLS * ROWS }, (_, i) => valueAt(i, nodata)));
      const [path, target] = [join(folder, `${name}.tif`), join(folder, `${name}.png`)];
      await writeGeoTiff(path, { grid, data, nodata, overviews: 'average', predictor, tileSize: 64 });
      await thumbnail({ path, ramp: RAMP, size: COLS, target });
      const image = decode(readFileSync(target), { checkCrc: true });
      expect([image.width, image.height, image.channels]).toEqual([COLS, ROWS, 4]);
      const colorAt = (col: number, row: number): number[] =>
        [...image.data.subarray((row * COLS + col) * 4, (row * COLS + col) * 4 + 4)].map(Number);
      expect(colorAt(20, 10)).toEqual([0, 0, 0, 0]);
      expect(colorAt(20, 150)).toEqual([0, 100, 200, 255]);
      expect(colorAt(100, 150)).toEqual([0, 100, 200, 255]);
      expect(colorAt(150, 150)).toEqual([50, 150, 100, 205]);
      expect(colorAt(200, 150)).toEqual([100, 200, 0, 155]);
      expect(colorAt(399, 150)).toEqual([255, 255, 255, 255]);
    },
  );

  it('gives a pixel of a smaller image the colour of the mean of its values with data', async () => {
    const data = Float32Array.from({ length: COLS * ROWS }, (_, i) => (i % 2 === 0 ? -9999 : 150));
    const [path, target] = [join(folder, 'small.tif'), join(folder, 'small.png')];
    await writeGeoTiff(path, { grid, data, nodata: -9999, overviews: 'average', predictor: 3, tileSize: 64 });
    await thumbnail({ path, ramp: RAMP, size: 60, target });
    const image = decode(readFileSync(target));
    expect([image.width, image.height]).toEqual([60, 30]);
    expect(new Set(Array.from(image.data, Number))).toEqual(new Set([50, 150, 100, 205]));
  });

  it('needs a ramp with at least one stop, and refuses a palette', async () => {
    const path = join(folder, 'none.tif');
    await writeGeoTiff(path, {
      grid,
      data: new Float32Array(COLS * ROWS),
      overviews: 'none',
      predictor: 3,
      tileSize: 64,
    });
    const target = join(folder, 'none.png');
    await expect(thumbnail({ path, ramp: [], size: 10, target })).rejects.toThrow('at least one stop');
    await expect(thumbnail({ path, palette: {}, size: 10, target })).rejects.toThrow('Use a ramp');
  });
});
