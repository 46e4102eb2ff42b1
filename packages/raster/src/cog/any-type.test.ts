import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { bytesOf, createPixels, type Dtype } from '../pixels/pixel-array.ts';
import { wholeWindow } from '../pixels/pixel-window.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { inspectWithGdal, rawLevel, skipWithoutGdal } from './gdal-oracle.test-helper.ts';
import { writeGeoTiff } from './geotiff-writer.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'any-type-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tested types, without int8, because GDAL 3.6 reads int8 as uint8. */
const TYPES: readonly Dtype[] = ['uint8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64'];

/** Random images. Their sizes can be halved, and some tiles contain only nodata. */
const CASES = fc
  .record({
    type: fc.constantFrom(...TYPES),
    across: fc.integer({ min: 1, max: 6 }),
    down: fc.integer({ min: 1, max: 6 }),
    predictor: fc.constantFrom(1, 2, 3),
    overviews: fc.constantFrom('mode', 'nearest', 'average'),
    sparse: fc.boolean(),
    bigTiff: fc.boolean(),
    nodata: fc.constantFrom(undefined, 0, 7),
    seed: fc.nat(),
  })
  .map((each) => {
    const wrong =
      (each.predictor === 3 && each.type !== 'float32') || (each.predictor === 2 && each.type === 'float64');
    return wrong ? { ...each, predictor: 1 as const } : each;
  });
type Case = typeof CASES extends fc.Arbitrary<infer C> ? C : never;

function imageOf({ type, across, down, seed, nodata = 0, ...format }: Case) {
  const [cols, rows] = [64 * across, 64 * down];
  const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols, rows };
  const data = createPixels(type, cols * rows).map((_, i) => {
    const block = Math.floor((i % cols) / 64) + across * Math.floor(i / cols / 64);
    const isBlank = Math.imul(block + seed, 2_654_435_761) >>> 31 === 0;
    return isBlank ? nodata : 1 + ((Math.imul(i + seed, 2_246_822_519) >>> 20) % 23);
  });
  return { grid, data, tileSize: 64, ...format, ...(nodata === 0 && format.sparse ? {} : { nodata }) };
}

describe('a COG of any type', () => {
  it.each([true, false])('is read as it was written (sparse: %s)', async (sparse) => {
    const path = join(folder, 'own.tif');
    const check = async (each: Case): Promise<void> => {
      const image = imageOf({ ...each, sparse });
      await writeGeoTiff(path, image);
      const file = await openRaster(path);
      const out = createPixels(each.type, image.data.length);
      await file.readWindow(wholeWindow(image.grid), out);
      file.close();
      expect(Buffer.compare(bytesOf(out), bytesOf(image.data))).toBe(0);
    };
    await fc.assert(fc.asyncProperty(CASES, check), { seed: 20_261_129, numRuns: sized(20, 150) });
  });

  it('without its empty tiles is a small file', async () => {
    const [cols, rows] = [512, 512];
    const grid = { crs: 'EPSG:4326', west: 70, north: 20, pixelWidth: 1e-4, pixelHeight: 1e-4, cols, rows };
    const data = new Float32Array(cols * rows).fill(Number.NaN);
    data[3] = 1.5;
    const common = { grid, data, nodata: Number.NaN, overviews: 'none', predictor: 3, tileSize: 64 } as const;
    const [sparse, whole] = [join(folder, 'sparse.tif'), join(folder, 'whole.tif')];
    await writeGeoTiff(sparse, { ...common, sparse: true });
    await writeGeoTiff(whole, common);
    const file = await openRaster(sparse);
    expect([...file.levels[0]!.byteCounts].filter((bytes) => bytes > 0)).toHaveLength(1);
    file.close();
    expect(statSync(sparse).size).toBeLessThan(statSync(whole).size / 2);
  });
});

describe.skipIf(skipWithoutGdal('COGs of any type'))('a COG of any type, read by GDAL', () => {
  it('is valid, and has the written values and the same overviews as GDAL', async () => {
    const path = join(folder, 'judged.tif');
    const check = async (each: Case): Promise<void> => {
      const image = imageOf(each);
      await writeGeoTiff(path, image);
      const { sizes, problems } = inspectWithGdal(path, folder, image.overviews);
      expect(problems).toEqual([]);
      expect(Buffer.compare(rawLevel(folder, 'level0'), bytesOf(image.data))).toBe(0);
      // Stops at an odd side, because there the windows that GDAL averages are not exactly 2 x 2 pixels.
      for (let level = 1; level < sizes.length && sizes[level - 1]!.every((side) => side % 2 === 0); level++)
        expect([level, Buffer.compare(rawLevel(folder, `level${level}`), rawLevel(folder, `gdal${level}`))]).toEqual([
          level,
          0,
        ]);
    };
    await fc.assert(fc.asyncProperty(CASES, check), { seed: 20_261_129, numRuns: sized(6, 40) });
  });
});
