import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { openRaster } from './open-raster.ts';
import type { RasterFile } from './raster-file.ts';
import { TileDecoder } from './tile-decoder.ts';
import { UnfinishedTiles } from './unfinished-tiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-unfinished-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TILE = 256;
const COLS = 600;
const ROWS = 700;
const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: COLS, rows: ROWS };

/** Smooth values with noise, so that tiles have literals and matches, and are longer than one read. */
const data = Uint16Array.from({ length: COLS * ROWS }, (_, i) => {
  const noise = (Math.imul(i ^ (i >>> 7), 2_654_435_761) >>> 20) % (i % COLS < 300 ? 900 : 3);
  return 2000 + 500 * Math.sin(i / 977) + noise;
});

const pathOf = (name: string): string => join(folder, `${name}.tif`);

beforeAll(async () => {
  for (const [name, predictor, level] of [
    ['differences', 2, 6],
    ['plain', 1, 6],
    ['stored', 2, 0],
  ] as const)
    await writeGeoTiff(pathOf(name), { grid, tileSize: TILE, nodata: 0, overviews: 'none', predictor, level, data });
});

interface Read {
  readonly file: RasterFile;
  readonly decoder: TileDecoder;
  readonly unfinished: UnfinishedTiles;
}

async function open(path: string): Promise<Read> {
  const decoder = new TileDecoder();
  return { file: await openRaster(path, { decoder }), decoder, unfinished: new UnfinishedTiles() };
}

async function read({ file, decoder, unfinished }: Read, window: PixelWindow): Promise<number> {
  decoder.reserve(2 * TILE * TILE);
  const { kernels } = decoder;
  const mark = kernels.mark();
  const address = kernels.alloc(2 * window.cols * window.rows + 64);
  const decoded = await file.readWindowAt(window, address, { unfinished });
  const found = kernels.u16(address, window.cols * window.rows);
  for (let row = 0; row < window.rows; row++) {
    const at = (window.row + row) * COLS + window.col;
    const line = found.subarray(row * window.cols, (row + 1) * window.cols);
    expect(
      line.findIndex((value, col) => value !== data[at + col]),
      `row ${window.row + row}`,
    ).toBe(-1);
  }
  kernels.reset(mark);
  return decoded;
}

/** Windows of all columns from top to bottom. `heights` are repeated. */
function windows(heights: readonly number[], [col, cols]: readonly [number, number] = [0, COLS]): PixelWindow[] {
  const found: PixelWindow[] = [];
  for (let row = 0, i = 0; row < ROWS; i++) {
    const rows = Math.min(heights[i % heights.length]!, ROWS - row);
    found.push({ col, row, cols, rows });
    row += rows;
  }
  return found;
}

for (const name of ['differences', 'plain', 'stored']) {
  it.each([[[64]], [[1, 2, 3, 100]], [[255, 1]], [[300]], [[7]], [[128, 256, 3]]])(
    `${name}: windows of %j rows have the pixels of the whole image, and each tile is decoded once`,
    async (heights) => {
      const tiles = await open(pathOf(name));
      let decoded = 0;
      for (const window of windows(heights)) decoded += await read(tiles, window);
      // The last tiles have rows below the image. The reader may count these rows or not.
      expect(decoded).toBeLessThanOrEqual(3 * 3 * TILE * TILE);
      expect(decoded).toBeGreaterThanOrEqual(3 * TILE * ROWS);
    },
  );

  it(`${name}: windows of some columns, with gaps and overlaps, have the right pixels`, async () => {
    const tiles = await open(pathOf(name));
    const [first, second, third, ...others] = windows([40], [130, 333]);
    for (const window of [second!, first!, first!, ...others.filter((_, i) => i % 3 > 0), third!])
      await read(tiles, window);
    for (const window of windows([50])) await read(tiles, { ...window, rows: Math.min(60, ROWS - window.row) });
  });
}

it('a tile of a file that is truncated between two reads is refused', async () => {
  const path = pathOf('truncated');
  writeFileSync(path, readFileSync(pathOf('differences')));
  const [level] = (await openRaster(path)).levels;
  const last = level!.offsets.indexOf(Math.max(...level!.offsets));
  const tiles = await open(path);
  const [first, ...others] = windows([520, 32]);
  await read(tiles, first!);
  truncateSync(path, level!.offsets[last]! + Math.floor(level!.byteCounts[last]! / 2));
  await expect(
    (async () => {
      for (const window of others) await read(tiles, window);
    })(),
  ).rejects.toThrow(/it is truncated: the tile at byte \d+ has \d+ of \d+ bytes/);
});

it.each([0.3, 0.9, 0.999])('a tile with a damaged byte at %d of its length is refused', async (share) => {
  const path = pathOf(`damaged-${share}`);
  const bytes = readFileSync(pathOf('differences'));
  const [level] = (await openRaster(pathOf('differences'))).levels;
  const at = level!.offsets[0]! + Math.floor(level!.byteCounts[0]! * share);
  bytes[at] = bytes[at]! ^ 0x5a;
  writeFileSync(path, bytes);
  const tiles = await open(path);
  await expect(
    (async () => {
      for (const window of windows([64])) {
        const address = tiles.decoder.kernels.alloc(2 * COLS * 64 + 64);
        await tiles.file.readWindowAt(window, address, { unfinished: tiles.unfinished });
      }
    })(),
  ).rejects.toThrow(/the tile at byte \d+ is damaged/);
});

/** Reads the rows [row, row + rows) of a tile of 64 x 64 samples whose compressed bytes are `stored`. */
async function readStored(stored: Uint8Array, parts: readonly (readonly [row: number, rows: number])[]) {
  const decoder = new TileDecoder();
  decoder.reserve(2 * 64 * 64);
  const address = decoder.kernels.alloc(2 * 64 * 64 + 64);
  const [level] = (await openRaster(pathOf('plain'))).levels;
  const tile = { cols: 64, rows: 64 };
  const format = { level: { ...level!, tile }, dtype: 'uint16', littleEndian: true, rows: 64 } as const;
  const source = {
    length: stored.length,
    read: (position: number, length: number) => stored.subarray(position, position + length),
  };
  let next: ReturnType<TileDecoder['continueTo']> = new UnfinishedTiles().take(0, 0);
  const found: Uint16Array[] = [];
  for (const [row, rows] of parts) {
    const part = { col: 0, row, cols: 64, rows };
    if (next !== null)
      next = decoder.continueTo(next, format, { part, address, stride: 128, source, isLast: row + rows === 64 });
    if (next !== null) found.push(decoder.kernels.u16(address, 64 * rows).slice());
  }
  return { found, isRefused: next === null };
}

const SAMPLES = data.slice(0, 64 * 64);
const bytesOf = (samples: Uint16Array): Buffer => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
const padding = Buffer.alloc(3000);

it('refuses a stream that ends before the tile, with other bytes after it', async () => {
  const stored = Buffer.concat([deflateSync(bytesOf(SAMPLES.subarray(0, 64 * 10))), padding]);
  expect(await readStored(stored, [[0, 32]])).toEqual({ found: [], isRefused: true });
});

it('reads a tile with other bytes after its stream, or leaves it to zlib', async () => {
  for (const samples of [SAMPLES, new Uint16Array(64 * 64)]) {
    const stored = Buffer.concat([deflateSync(bytesOf(samples)), padding]);
    for (let row = 1; row < 64; row++) {
      const { found } = await readStored(stored, [
        [0, row],
        [row, 64 - row],
      ]);
      if (found.length > 0) expect(found[0]).toEqual(samples.slice(0, 64 * row));
      if (found.length > 1) expect(found[1]).toEqual(samples.slice(64 * row));
    }
  }
});

it('returns no rows from beyond the end of truncated bytes', async () => {
  for (const level of [0, 1, 6]) {
    const stored = deflateSync(bytesOf(SAMPLES), { level });
    for (let length = 0; length < stored.length - 4; length += 7) {
      const rows = 1 + (length % 63);
      const { found } = await readStored(stored.subarray(0, length), [[0, rows]]);
      for (const part of found) expect(part).toEqual(SAMPLES.slice(0, 64 * rows));
    }
  }
});
