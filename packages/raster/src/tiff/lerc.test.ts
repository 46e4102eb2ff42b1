import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDomainError } from '@headwater/core/errors';
import type { WasmMemory } from '@headwater/core/wasm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { createPixels, viewPixels, type Dtype } from '../pixels/pixel-array.ts';
import { loadLerc, undoLerc } from './lerc.ts';
import { openRaster } from './open-raster.ts';
import { gdalRaw, gdalRewrite, hasGdal } from './test-samples.fixture.ts';

const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 100, rows: 70 };
const folder = mkdtempSync(join(tmpdir(), 'headwater-lerc-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [source, target] = [join(folder, 'source.tif'), join(folder, 'lerc.tif')];
/** TypeScript declares this API only in its DOM library. */
declare const WebAssembly: {
  readonly Memory: abstract new () => WasmMemory;
  instantiate(...args: readonly unknown[]): Promise<unknown>;
};
const memberOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);
let memory: WasmMemory | undefined;
beforeAll(async () => {
  const instantiate = vi.spyOn(WebAssembly, 'instantiate');
  await loadLerc();
  for (const { value } of instantiate.mock.settledResults) {
    const exported: readonly unknown[] = Object.values(Object(memberOf(memberOf(value, 'instance'), 'exports')));
    memory ??= exported.find((each) => each instanceof WebAssembly.Memory);
  }
  instantiate.mockRestore();
  const data = Float32Array.from({ length: grid.cols * grid.rows }, (_, i) =>
    i % 37 === 0 ? Number.NaN : Math.floor(100 + 90 * Math.sin(i / 50) + (i % 7)) + (i % 3) / 4,
  );
  await writeGeoTiff(source, { grid, data, nodata: Number.NaN, overviews: 'none', predictor: 1, tileSize: 64 });
});

const option = (...pairs: readonly string[]): readonly string[] => pairs.flatMap((pair) => ['-co', pair]);
const SCHEMES = ['LERC', 'LERC_DEFLATE', 'LERC_ZSTD'] as const;
const TYPES: readonly (readonly [string, Dtype])[] = [
  ['Byte', 'uint8'],
  ['UInt16', 'uint16'],
  ['Int16', 'int16'],
  ['Int32', 'int32'],
  ['Float32', 'float32'],
  ['Float64', 'float64'],
];
const TILES = option('TILED=YES', 'BLOCKXSIZE=32', 'BLOCKYSIZE=48');

/** Returns the samples of a band as read by our reader, and as read by GDAL. */
async function bothReadings(dtype: Dtype, band = 1): Promise<readonly [unknown, unknown]> {
  const file = await openRaster(target, { band });
  const pixels = grid.cols * grid.rows;
  const ours = createPixels(dtype, pixels);
  await file.readWindow({ col: 0, row: 0, cols: grid.cols, rows: grid.rows }, ours);
  file.close();
  const raw = gdalRaw('gdal_translate', ['-b', `${band}`], target);
  return [ours, viewPixels(dtype, { buffer: new Uint8Array(raw).buffer, byteOffset: 0 }, pixels)];
}

describe.skipIf(!hasGdal())('LERC files that GDAL wrote', () => {
  const cases = SCHEMES.flatMap((scheme) => TYPES.map(([type, dtype]) => ({ scheme, type, dtype })));
  it.each(cases)(
    '$type samples with $scheme are read bit for bit, in tiles and in strips',
    async ({ scheme, type, dtype }) => {
      const args = ['-ot', type, '-a_nodata', dtype.startsWith('float') ? 'nan' : '0', ...option(`COMPRESS=${scheme}`)];
      for (const layout of [TILES, option('BLOCKYSIZE=32')]) {
        gdalRewrite(source, target, [...args, ...layout]);
        const [ours, theirs] = await bothReadings(dtype);
        expect(ours).toEqual(theirs);
      }
    },
  );

  it('reads the first of two bands that are stored pixel by pixel', async () => {
    const args = ['-ot', 'Int16', '-b', '1', '-b', '1', ...option('COMPRESS=LERC', 'INTERLEAVE=PIXEL')];
    gdalRewrite(source, target, [...args, ...TILES]);
    const [ours, theirs] = await bothReadings('int16');
    expect(ours).toEqual(theirs);
  });

  it.each([
    ['0 and 255, which are the mask of its blobs', []],
    ['other values, which are samples of its blobs', ['-scale_2', '0', '255', '0', '77']],
  ])('reads values and alpha of a file with an alpha of %s', async (_, scale) => {
    const bands = ['-ot', 'Byte', '-b', '1', '-b', 'mask', '-colorinterp_2', 'alpha', '-a_nodata', 'none', ...scale];
    gdalRewrite(source, target, [...bands, ...option('COMPRESS=LERC', 'ALPHA=NON-PREMULTIPLIED', 'INTERLEAVE=PIXEL')]);
    for (const band of [1, 2]) {
      const [ours, theirs] = await bothReadings('uint8', band);
      expect(ours).toEqual(theirs);
    }
  });

  it('reads a big-endian file, whose samples have swapped bytes in the blobs', async () => {
    gdalRewrite(source, target, option('COMPRESS=LERC', 'ENDIANNESS=BIG'));
    const [ours, theirs] = await bothReadings('float32');
    expect(ours).toEqual(theirs);
  });

  it('refuses a blob of another size, type or length before it is decoded, and names the file', async () => {
    gdalRewrite(source, target, [...option('COMPRESS=LERC'), ...TILES]);
    const blob = await firstBlob();
    const tile = { cols: 32, rows: 48, step: 1, dtype: 'float32' } as const;
    await loadLerc();
    expect(undoLerc(blob, tile)).toHaveLength(32 * 48 * 4);
    expect(() => undoLerc(blob, { ...tile, cols: 64 })).toThrow(/has 32 x 48 pixels of 1 float32, not 64 x 48/);
    expect(() => undoLerc(blob, { ...tile, dtype: 'int32' })).toThrow(/of 1 float32, not/);
    expect(() => undoLerc(blob, { ...tile, step: 2 })).toThrow(/not 32 x 48 of 2 float32/);
    expect(() => undoLerc(blob.subarray(0, 100), tile)).toThrow(/has 100 bytes, but its header says \d+/);
    expect(() => undoLerc(blob.subarray(0, 20), tile)).toThrow(/not LERC of version 2 to 6/);
    const bytes = readFileSync(target);
    bytes.fill(0, bytes.indexOf('Lerc2 '), bytes.indexOf('Lerc2 ') + 4);
    writeFileSync(target, bytes);
    await expect(bothReadings('float32')).rejects.toThrow(
      /lerc\.tif: the tile at byte \d+ is damaged \(it is not LERC/,
    );
  });

  it('refuses or decodes mutated blobs with correct checksums in bounded memory, and then decodes a valid blob', async () => {
    gdalRewrite(source, target, [...option('COMPRESS=LERC'), ...TILES]);
    const whole = await firstBlob();
    const tile = { cols: 32, rows: 48, step: 1, dtype: 'float32' } as const;
    await loadLerc();
    const expected = undoLerc(whole, tile).slice();
    const sealed = whole.slice();
    seal(sealed);
    expect(sealed).toEqual(whole);
    let refused = 0;
    const runs = sized(1000, 50_000);
    for (let run = 0; run < runs; run++) {
      const blob = whole.slice();
      // Half of the mutations change the headers of the blob.
      const reach = run % 2 === 0 ? blob.length : 120;
      for (let k = 0; k <= run % 3; k++)
        blob[(Math.imul(run * 3 + k, 2_654_435_761) >>> 0) % reach]! ^= 1 + (run % 255);
      seal(blob);
      try {
        expect(undoLerc(blob, tile)).toHaveLength(expected.length);
      } catch {
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(runs / 10);
    expect(refused).toBeLessThan(runs);
    expect(undoLerc(whole, tile)).toEqual(expected);
    expect(memory?.buffer.byteLength).toBeLessThan(64 * 2 ** 20);
  });
});

/**
 * Writes the Fletcher-32 checksum (`ComputeChecksumFletcher32` of Esri's LERC). With a wrong checksum, a blob is
 * refused before the tested code runs.
 */
function seal(blob: Uint8Array): void {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.length);
  const end = Math.max(14, Math.min(blob.length, view.getInt32(34, true)));
  let [first, second] = [0xffff, 0xffff];
  const fold = (sum: number): number => (sum & 0xffff) + (sum >>> 16);
  for (let at = 14; at < end; at += 2) {
    first += blob[at]! << 8;
    if (at + 1 < end) first += blob[at + 1]!;
    second += first;
    [first, second] = [fold(first), fold(second)];
  }
  [first, second] = [fold(fold(first)), fold(fold(second))];
  view.setUint32(10, ((second << 16) | first) >>> 0, true);
}

async function firstBlob(): Promise<Uint8Array> {
  const file = await openRaster(target).catch((error: unknown) => {
    throw isDomainError(error) ? new Error(error.message) : error;
  });
  const [level] = file.levels;
  file.close();
  const at = level?.offsets[0] ?? 0;
  return new Uint8Array(readFileSync(target).subarray(at, at + (level?.byteCounts[0] ?? 0)));
}
