import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { openRaster } from './open-raster.ts';
import { gdalRewrite, hasGdal } from './test-samples.fixture.ts';

// The folder is created in a hook and not here: if every case is skipped, no hook runs that could remove it.
let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'headwater-oddities-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string): string => join(folder, name);

const SIDE = 1100;
const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: SIDE, rows: SIDE };
const data = Uint16Array.from({ length: SIDE * SIDE }, (_, i) => (i * 2_654_435_761) % 10_007);

async function pixelsOf(path: string): Promise<{ pixels: Uint16Array; levels: number }> {
  const file = await openRaster(path, { band: 1 });
  const pixels = new Uint16Array(SIDE * SIDE);
  await file.readWindow({ col: 0, row: 0, cols: SIDE, rows: SIDE }, pixels);
  file.close();
  return { pixels, levels: file.levels.length };
}

/** Adds pages of 8 x 8 pixels. Files of scanners and atlases have several pages. */
function addPages(path: string, pages: number): void {
  const small = at('small.tif');
  gdalRewrite(at('base.tif'), small, ['-outsize', '8', '8']);
  for (let i = 0; i < pages; i++) gdalRewrite(small, path, ['-co', 'APPEND_SUBDATASET=YES']);
}

describe.skipIf(!hasGdal())('unusual valid files are read', () => {
  beforeAll(async () => {
    await writeGeoTiff(at('base.tif'), { grid, overviews: 'none', tileSize: 256, predictor: 1, data });
  });

  it.each([
    [
      'BigTIFF, big-endian, LZW',
      ['-co', 'BIGTIFF=YES', '-co', 'ENDIANNESS=BIG', '-co', 'COMPRESS=LZW', '-co', 'TILED=YES'],
    ],
    ['BigTIFF strips', ['-co', 'BIGTIFF=YES', '-co', 'COMPRESS=ZSTD', '-co', 'BLOCKYSIZE=1']],
    ['one strip', ['-co', `BLOCKYSIZE=${SIDE}`, '-co', 'COMPRESS=DEFLATE']],
    ['one uncompressed tile', ['-co', 'TILED=YES', '-co', 'BLOCKXSIZE=1104', '-co', 'BLOCKYSIZE=1104']],
    [
      'tiles of 16 x 16 pixels',
      ['-co', 'TILED=YES', '-co', 'BLOCKXSIZE=16', '-co', 'BLOCKYSIZE=16', '-co', 'COMPRESS=DEFLATE'],
    ],
    ['bands one after the other', ['-b', '1', '-b', '1', '-co', 'INTERLEAVE=BAND', '-co', 'COMPRESS=DEFLATE']],
    ['100 kB of metadata', ['-mo', `NOTE=${'x'.repeat(100_000)}`]],
  ])('%s', async (name, options) => {
    const path = at(`${name.replaceAll(/\W/g, '-')}.tif`);
    gdalRewrite(at('base.tif'), path, options);
    expect((await pixelsOf(path)).pixels).toEqual(data);
  });

  it('a chain of overviews, added after the pixels', async () => {
    const path = at('overviews.tif');
    gdalRewrite(at('base.tif'), path, ['-co', 'TILED=YES']);
    execFileSync('gdaladdo', ['-q', path, '2', '4', '8', '16', '32', '64']);
    expect(await pixelsOf(path)).toEqual({ pixels: data, levels: 7 });
  });

  it('a page with the raster and many smaller pages after it', async () => {
    const path = at('pages.tif');
    gdalRewrite(at('base.tif'), path, ['-co', 'TILED=YES']);
    addPages(path, sized(16, 40));
    expect(await pixelsOf(path)).toEqual({ pixels: data, levels: 1 });
  });

  it('tiles that were never written', async () => {
    const path = at('sparse.tif');
    gdalRewrite(at('base.tif'), path, ['-scale', '0', '60000', '0', '0', '-co', 'SPARSE_OK=TRUE', '-co', 'TILED=YES']);
    expect((await pixelsOf(path)).pixels.every((value) => value === 0)).toBe(true);
  });
});
