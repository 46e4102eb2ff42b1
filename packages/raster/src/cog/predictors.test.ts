import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf } from '../pixels/pixel-array.ts';
import { undoFloating, undoHorizontal, undoHorizontal64 } from '../tiff/tile-decoder.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { differenceFloats, differenceRows } from './level-builder.ts';
import { writeGeoTiff } from './geotiff-writer.ts';

/** Any bit pattern: NaNs with payloads, infinities, zeros of both signs, subnormal numbers. */
const anyFloats = fc
  .array(fc.oneof(fc.integer(), fc.constantFrom(0, 1 << 31, 0x7f80_0000, 0x7fc0_0001, 1)), {
    minLength: 1,
    maxLength: 96,
  })
  .map((bits) => new Float32Array(Int32Array.from(bits).buffer));

describe('predictor 3', () => {
  it('is undone exactly', () => {
    fc.assert(
      fc.property(anyFloats, fc.integer({ min: 1, max: 3 }), (row, rows) => {
        const tile = new Float32Array(row.length * rows);
        for (let at = 0; at < rows; at++) bytesOf(tile).set(bytesOf(row), at * row.byteLength);
        const before = Uint8Array.from(bytesOf(tile));
        differenceFloats(tile, row.length);
        undoFloating(bytesOf(tile), { cols: row.length, rows }, 4);
        expect(bytesOf(tile)).toEqual(before);
      }),
    );
  });
});

describe('predictor 2', () => {
  it('is undone at the limits of int16, at which differences wrap around', () => {
    const ends = fc.constantFrom(-32_768, -1, 0, 1, 32_767);
    fc.assert(
      fc.property(fc.array(ends, { minLength: 1, maxLength: 64 }), (values) => {
        const tile = Int16Array.from(values);
        differenceRows(tile, tile.length);
        undoHorizontal(tile, { cols: tile.length, rows: 1 });
        expect([...tile]).toEqual(values);
      }),
    );
  });
});

describe('predictor 2 of 64-bit samples', () => {
  const anyWords = fc.array(fc.integer(), { minLength: 1, maxLength: 24 });

  it.each([1, 3])('is undone with carries, %i samples per pixel', (step) => {
    fc.assert(
      fc.property(anyWords, (words) => {
        const pixels = BigInt64Array.from({ length: words.length * step }, (_, i) => {
          const word = BigInt(words[i % words.length] ?? 0);
          return BigInt.asIntN(64, (word << 32n) ^ (word * BigInt(i + 1)));
        });
        const stored = pixels.map((value, i) => BigInt.asIntN(64, value - (i < step ? 0n : (pixels[i - step] ?? 0n))));
        undoHorizontal64(new Uint32Array(stored.buffer), { cols: words.length, rows: 1 }, step);
        expect(stored).toEqual(pixels);
      }),
    );
  });
});

describe('files', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'predictors-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 37, rows: 21 };

  it('are read with the values that were written, including NaN and the sign of zero', async () => {
    const path = join(folder, 'floats.tif');
    await fc.assert(
      fc.asyncProperty(anyFloats, async (row) => {
        const data = Float32Array.from({ length: grid.cols * grid.rows }, (_, i) => row[i % row.length] ?? 0);
        await writeGeoTiff(path, { grid, data, overviews: 'none', predictor: 3, tileSize: 16 });
        const file = await openRaster(path);
        const back = new Float32Array(data.length);
        await file.readWindow({ col: 0, row: 0, cols: grid.cols, rows: grid.rows }, back);
        file.close();
        expect([...back].every((value, i) => Object.is(value, data[i]))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('of types other than float32 are not written with predictor 3', async () => {
    const data = new Int16Array(grid.cols * grid.rows);
    await expect(
      writeGeoTiff(join(folder, 'x.tif'), { grid, data, overviews: 'none', predictor: 3, tileSize: 16 }),
    ).rejects.toThrow('predictor 3 needs float32');
  });
});
