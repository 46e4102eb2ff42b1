import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDomainError } from '@headwater/core/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Network } from '@headwater/net';
import { createPixels, viewPixels } from '../pixels/pixel-array.ts';
import { openRaster } from './open-raster.ts';
import { eoSamples, gdalRaw, gdalRewrite, hasGdal } from './test-samples.fixture.ts';

const samples = eoSamples();
const gdal = hasGdal();
// The folder is created in a hook and not here: if every case is skipped, no hook runs that could remove it.
let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'headwater-tiff-'))));
const red = join(samples ?? '', 's2_cog_29RKH/B04.tif');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function both(path: string, window: { col: number; row: number; cols: number; rows: number }) {
  const file = await openRaster(path);
  const ours = createPixels(file.dtype, window.cols * window.rows);
  await file.readWindow(window, ours);
  file.close();
  const raw = gdalRaw(
    'gdal_translate',
    ['-srcwin', ...[window.col, window.row, window.cols, window.rows].map(String)],
    path,
  );
  const theirs = viewPixels(file.dtype, { buffer: new Uint8Array(raw).buffer, byteOffset: 0 }, ours.length);
  return { ours, theirs };
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!isDomainError(error)) throw new Error(`expected a DomainError, got ${String(error)}`);
  expect(error.code).toBe('input_data');
  return error.message;
}

describe.skipIf(samples === null)('real samples', () => {
  it('takes the georeference from the file, not from the Item', async () => {
    const file = await openRaster(red);
    expect(file.grid).toEqual({
      crs: 'EPSG:32629',
      west: 199980,
      north: 2800020,
      pixelWidth: 100,
      pixelHeight: 100,
      cols: 1098,
      rows: 1098,
    });
    expect([file.dtype, file.nodata, file.tile, file.levels.length]).toEqual([
      'uint16',
      0,
      { cols: 512, rows: 512 },
      3,
    ]);
    file.close();
  });
  it('preserves pixels that are not square', async () => {
    const { grid, dtype, nodata } = await openRaster(
      join(samples ?? '', 'eolearn_testeopatch/cog/S2_20150711T100008_NDVI.tif'),
    );
    expect([grid.pixelWidth, grid.pixelHeight, dtype, nodata]).toEqual([
      9.99479222007154,
      9.997448467363668,
      'int16',
      -32768,
    ]);
  });
  it.skipIf(!gdal).each(['B02', 'B04', 'B11', 'SCL', 'AOT'])('reads %s like GDAL, across tiles', async (band) => {
    const path = join(samples ?? '', `s2_cog_29RKH/${band}.tif`);
    const size = (await openRaster(path)).grid.cols;
    const { ours, theirs } = await both(path, { col: 3, row: 101, cols: size - 7, rows: size - 120 });
    expect(ours).toEqual(theirs);
  });
  it('reads overviews, and fills pixels outside of the image with nodata', async () => {
    const file = await openRaster(red);
    const out = new Uint16Array(20 * 20).fill(9);
    await file.readWindow({ col: 265, row: -10, cols: 20, rows: 20 }, out, 2);
    expect(out.slice(0, 200)).toEqual(new Uint16Array(200));
    expect(out.slice(200, 210).every((value) => value > 0)).toBe(true);
    expect(out.slice(210, 220)).toEqual(new Uint16Array(10));
  });
});

const VARIANTS: readonly (readonly [string, readonly string[]])[] = [
  ['deflate, predictor 2, uint16', ['-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=2']],
  ['zstd, predictor 2, int16', ['-ot', 'Int16', '-co', 'TILED=YES', '-co', 'COMPRESS=ZSTD', '-co', 'PREDICTOR=2']],
  ['lzw, no predictor', ['-co', 'TILED=YES', '-co', 'COMPRESS=LZW']],
  [
    'lzw, predictor 2, uint8',
    ['-ot', 'Byte', '-scale', '0', '6000', '-co', 'TILED=YES', '-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=2'],
  ],
  ['uncompressed strips', ['-co', 'TILED=NO']],
  [
    'deflate strips, predictor 2, uint32',
    ['-ot', 'UInt32', '-co', 'TILED=NO', '-co', 'BLOCKYSIZE=7', '-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=2'],
  ],
  [
    'deflate, predictor 3, float32',
    ['-ot', 'Float32', '-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=3'],
  ],
  [
    'big-endian, predictor 2',
    ['-co', 'ENDIANNESS=BIG', '-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=2'],
  ],
  ['BigTIFF', ['-co', 'BIGTIFF=YES', '-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE']],
];

describe.skipIf(samples === null || !gdal)('files written by GDAL', () => {
  it.each(VARIANTS)('%s', async (name, args) => {
    const path = join(folder, `${name.replaceAll(/\W/g, '-')}.tif`);
    gdalRewrite(red, path, args);
    const { ours, theirs } = await both(path, { col: 200, row: 250, cols: 333, rows: 300 });
    expect(ours).toEqual(theirs);
  });
  it('have nodata in sparse tiles', async () => {
    const path = join(folder, 'sparse.tif');
    gdalRewrite(red, path, [
      '-co',
      'TILED=YES',
      '-co',
      'SPARSE_OK=TRUE',
      '-scale',
      '0',
      '60000',
      '0',
      '0',
      '-a_nodata',
      '0',
    ]);
    const file = await openRaster(path);
    expect(file.levels[0]?.byteCounts.some((bytes) => bytes === 0)).toBe(true);
    const out = new Uint16Array(50 * 50).fill(3);
    await file.readWindow({ col: 240, row: 240, cols: 50, rows: 50 }, out);
    expect(out.every((value) => value === 0)).toBe(true);
  });
});

describe.skipIf(samples === null)('broken files', () => {
  it('a truncated file is detected when it is opened; the message has the size of the file', async () => {
    const path = join(folder, 'cut.tif');
    copyFileSync(red, path);
    truncateSync(path, 400_000);
    expect(await reasonOf(openRaster(path))).toMatch(
      /cut\.tif: it is truncated: a tile ends at byte \d+, but the file has 400000; download it again/,
    );
  });
  it('a file that ends within its headers is refused', async () => {
    const path = join(folder, 'headless.tif');
    writeFileSync(path, readFileSync(red).subarray(0, 60));
    expect(await reasonOf(openRaster(path))).toMatch(/headless\.tif: its TIFF headers cannot be read/);
  });
  it('a file that is not a TIFF and a missing file are refused', async () => {
    const path = join(folder, 'page.tif');
    writeFileSync(path, '<html>not found</html>');
    expect(await reasonOf(openRaster(path))).toMatch(/page\.tif: it is not a TIFF/);
    expect(await reasonOf(openRaster(join(folder, 'none.tif')))).toMatch(/none\.tif: the file does not exist/);
  });
  it('a damaged tile is reported with its offset', async () => {
    const path = join(folder, 'damaged.tif');
    const bytes = readFileSync(red);
    const at = (await openRaster(red)).levels[0]?.offsets[0] ?? 0;
    bytes.fill(0xff, at + 100, at + 5000);
    writeFileSync(path, bytes);
    const file = await openRaster(path);
    const read = file.readWindow({ col: 0, row: 0, cols: 10, rows: 10 }, new Uint16Array(100));
    expect(await reasonOf(read)).toContain(`damaged.tif: the tile at byte ${at} is damaged`);
  });
  it.skipIf(!gdal)('an unsupported compression and a file that is not north-up are refused with a remedy', async () => {
    const [jpeg, flipped] = [join(folder, 'jpeg.tif'), join(folder, 'flipped.tif')];
    gdalRewrite(red, jpeg, ['-ot', 'Byte', '-co', 'COMPRESS=JPEG']);
    expect(await reasonOf(openRaster(jpeg))).toMatch(/compression \(TIFF code 7\) is not supported; rewrite it/);
    gdalRewrite(red, flipped, ['-a_ullr', '199980', '2690220', '309780', '2800020']);
    expect(await reasonOf(openRaster(flipped))).toMatch(/not north-up/);
  });
});

describe.skipIf(samples === null)('over http', () => {
  let server: Server;
  let base = '';
  let failures = 0;
  let network: Network;
  beforeAll(async () => {
    const bytes = samples === null ? Buffer.alloc(0) : readFileSync(red);
    server = createServer((request, response) => {
      const range = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '');
      if (request.url?.startsWith('/whole') === true) response.writeHead(200).end(bytes);
      else if (request.url?.startsWith('/gone') === true) response.writeHead(404).end();
      else if (failures-- > 0) response.writeHead(503).end();
      else {
        const [from, to] = [Number(range?.[1]), Math.min(Number(range?.[2]), bytes.length - 1)];
        response
          .writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}` })
          .end(bytes.subarray(from, to + 1));
      }
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    network = new Network({ settings: { allowedOrigins: [base] } });
  });
  afterAll(() => server.close());

  it('reads the same pixels by ranges, and retries after a 503', async () => {
    failures = 2;
    const [remote, local] = [await openRaster(`${base}/b04.tif?sig=secret`, { network }), await openRaster(red)];
    const window = { col: 300, row: 300, cols: 600, rows: 600 };
    const [a, b] = [new Uint16Array(360_000), new Uint16Array(360_000)];
    await Promise.all([remote.readWindow(window, a), local.readWindow(window, b)]);
    expect(a).toEqual(b);
  });
  it('reports a missing file (without the signature in its address), and a server that ignores Range requests', async () => {
    const gone = await reasonOf(openRaster(`${base}/gone.tif?sig=secret`, { network }));
    expect(gone).toMatch(/gone\.tif: the server responded with HTTP 404/);
    expect(gone).not.toContain('secret');
    expect(await reasonOf(openRaster(`${base}/whole.tif`, { network }))).toMatch(/ignores Range requests/);
  });
});
