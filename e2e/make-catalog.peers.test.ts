import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { type GivenRadiometry, openScenes } from '@headwater/ingest';
import { openRaster, writeGeoTiff } from '@headwater/raster';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { safeImage, safeMetadata, safeName, type SafeProduct } from '../packages/ingest/src/own-scenes/safe.fixture.ts';
import { skipWithoutGdal, validateCog } from '../packages/raster/src/cog/gdal-oracle.test-helper.ts';
import { findGdal, type Gdal } from '../packages/server/src/make-catalog/gdal.ts';
import { makeCatalog, type MadeCatalog } from '../packages/server/src/make-catalog/make-catalog.ts';
import { isComplete, reportLines } from '../packages/server/src/make-catalog/report-lines.ts';

const GRID: PixelGrid = {
  crs: 'EPSG:32643',
  west: 600_000,
  north: 2_000_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 300,
  rows: 280,
};
const COARSE: PixelGrid = { ...GRID, pixelWidth: 20, pixelHeight: 20, cols: 150, rows: 140 };
const BANDS = [
  ['B02', 10],
  ['B03', 10],
  ['B04', 10],
  ['B08', 10],
  ['B11', 20],
  ['SCL', 20],
] as const;
const OLD: SafeProduct = { sensing: '20190615T051139', baseline: '02.14' };
const FOURTH: SafeProduct = { sensing: '20220615T051131', baseline: '04.00' };
const NEW: SafeProduct = { sensing: '20230615T051131', baseline: '05.09' };

const gdal = (args: readonly string[]): void =>
  void execFileSync('gdal_translate', ['-q', '--config', 'GDAL_PAM_ENABLED', 'NO', ...args]);
const valueAt = (i: number): number => 1000 + ((i * 37) % 9000);

describe.skipIf(skipWithoutGdal('make-catalog'))('make-catalog with GDAL', () => {
  let templates = '';
  let dir = '';
  let installed: Gdal | undefined;
  beforeAll(async () => {
    templates = await mkdtemp(join(tmpdir(), 'headwater-jp2-'));
    installed = await findGdal();
    for (const [name, grid] of [
      ['10', GRID],
      ['20', COARSE],
      ['scl', COARSE],
    ] as const) {
      const size = grid.cols * grid.rows;
      const isClass = name === 'scl';
      const data = isClass
        ? Uint8Array.from({ length: size }, (_, i) => i % 12)
        : Uint16Array.from({ length: size }, (_, i) => valueAt(i));
      const tif = join(templates, `${name}.tif`);
      await writeGeoTiff(tif, { grid, data, overviews: 'none', predictor: 1, tileSize: 256 });
      const bits = isClass ? [] : ['-co', 'NBITS=15'];
      gdal(['-of', 'JP2OpenJPEG', '-co', 'QUALITY=100', '-co', 'REVERSIBLE=YES', ...bits, tif, jp2(name)]);
    }
    return () => rm(templates, { recursive: true, force: true });
  });
  beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'headwater-gdal-'))));
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const jp2 = (name: string): string => join(templates, `${name}.jp2`);
  const downloads = (): string => join(dir, 'downloads from (Copernicus)');
  const imageOf = (band: string, metres: number): string => jp2(band === 'SCL' ? 'scl' : String(metres));

  async function copy(from: string, path: string): Promise<string> {
    const target = join(downloads(), path);
    await mkdir(dirname(target), { recursive: true });
    await cp(from, target);
    return target;
  }

  /** Writes a SAFE folder; returns the path of an image. */
  async function putProduct(
    product: SafeProduct,
    folder = safeName(product),
    bands: readonly (readonly [string, number])[] = BANDS,
  ) {
    for (const [band, metres] of bands)
      await copy(imageOf(band, metres), `${folder}/${safeImage(product, band, metres)}`);
    await mkdir(join(downloads(), folder), { recursive: true });
    await writeFile(join(downloads(), folder, 'MTD_MSIL2A.xml'), safeMetadata(product));
    return (band: string, metres: number): string => join(downloads(), folder, safeImage(product, band, metres));
  }

  const make = (given: GivenRadiometry = {}): Promise<MadeCatalog> =>
    makeCatalog({
      folder: downloads(),
      eoDir: join(dir, 'eo'),
      name: 'own',
      given,
      progress: () => {},
      tools: { gdal: installed, scratchDir: join(dir, 'scratch'), signal: new AbortController().signal },
    });
  const text = (made: MadeCatalog): string => reportLines(made, 'npx headwater check-data').join('\n');
  const search = async () => {
    const query = {
      bbox: [75.5, 17.9, 76.2, 18.3],
      start: '2016-01-01T00:00:00Z',
      end: '2026-01-01T00:00:00Z',
    } as const;
    return (await openScenes({ folder: join(dir, 'eo') }).search(query)).scenes;
  };

  async function valuesOf(path: string): Promise<readonly number[]> {
    const raster = await openRaster(path);
    const { cols, rows } = raster.grid;
    const out = new Uint16Array(cols * rows);
    await raster.readWindow({ col: 0, row: 0, cols, rows }, out);
    raster.close();
    return [...out];
  }

  it('converts products of baselines 02.14, 04.00 and 05.09: same values, valid COGs, offsets of their metadata', async () => {
    await putProduct(OLD);
    await putProduct(FOURTH, 'June 2022 – $(touch x); "copy" (1)');
    await putProduct(NEW, `disk 2/${safeName(NEW)}`);
    const made = await make();
    expect([made.converted, made.items, isComplete(made)]).toEqual([18, 3, true]);
    const scenes = await search();
    expect(scenes.map(({ bands, processing }) => [processing.baseline, bands.red?.offset, bands.scl?.offset])).toEqual([
      ['02.14', 0, 0],
      ['04.00', -1000, 0],
      ['05.09', -1000, 0],
    ]);
    expect(scenes[1]).toMatchObject({ datetime: '2022-06-15T05:11:31.000Z', cloudCover: 12.5, grid: GRID });
    const { nir, swir16, scl } = scenes[1]?.bands ?? {};
    expect(await valuesOf(nir?.href ?? '')).toEqual(
      Array.from({ length: GRID.cols * GRID.rows }, (_, i) => valueAt(i)),
    );
    expect((await valuesOf(swir16?.href ?? '')).slice(0, 5)).toEqual([0, 1, 2, 3, 4].map(valueAt));
    expect((await valuesOf(scl?.href ?? '')).slice(0, 13)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0]);
    for (const band of [nir, swir16, scl]) expect(validateCog(band?.href ?? '')).toBe('');
    expect((await make()).converted).toBe(0);
  });

  it('leaves out truncated images and continues when they are complete again', async () => {
    const image = await putProduct(NEW);
    const whole = await readFile(image('B04', 10));
    await truncate(image('B04', 10), whole.length - 1000);
    // The code stream ends early, and its box is as long as the file: only the end marker is missing.
    const short = await readFile(image('B08', 10));
    await writeFile(image('B08', 10), shortened(short, 1000));
    await writeFile(image('B03', 10), '<VRTDataset rasterXSize="1" rasterYSize="1"/>');
    await truncate(image('B11', 20), 40);
    const made = await make();
    expect(text(made)).toMatch(/LACKS B03, B04, B08, B11; land cover leaves out such scenes/);
    expect(text(made)).toMatch(/B04_10m\.jp2: it is truncated: it has \d+ of \d+ bytes or more; download it again/);
    expect(text(made)).toMatch(/B08_10m\.jp2: it is truncated: its image has no end; download it again/);
    expect(text(made)).toMatch(/B03_10m\.jp2: it is not JPEG 2000; download it again/);
    expect(text(made)).toMatch(/B11_20m\.jp2: it is truncated: it has no image; download it again/);
    expect([made.converted, made.items, isComplete(made)]).toEqual([2, 1, false]);
    for (const [band, metres] of BANDS.slice(1, 5)) await cp(imageOf(band, metres), image(band, metres));
    const again = await make();
    expect([again.converted, again.present, isComplete(again)]).toEqual([4, 2, true]);
  });

  it('converts a product in a zip file without unpacking the rest, and reports a damaged image of a zip file', async () => {
    const image = await putProduct(NEW);
    const [product, unpacked] = [join(downloads(), safeName(NEW)), join(dir, 'unpacked')];
    const zip = (): void =>
      void execFileSync('python3', [
        '-m',
        'zipfile',
        '-c',
        join(downloads(), 'zipped product.SAFE.zip'),
        join(unpacked, safeName(NEW)),
      ]);
    await mkdir(unpacked);
    const red = image('B04', 10).replace(product, join(unpacked, safeName(NEW)));
    await rename(product, join(unpacked, safeName(NEW)));
    await truncate(red, 5000);
    zip();
    const broken = await make();
    expect(text(broken)).toMatch(/zipped product\.SAFE\.zip \(.*B04_10m\.jp2\): it is truncated/);
    await cp(imageOf('B04', 10), red);
    zip();
    expect(isComplete(await make())).toBe(true);
    const [scene] = await search();
    expect(scene?.bands.red?.offset).toBe(-1000);
    expect((await valuesOf(scene?.bands.red?.href ?? '')).slice(0, 3)).toEqual([0, 1, 2].map(valueAt));
    expect(await readdir(dir)).not.toContain('scratch');
  });

  it('uses the newer baseline of an acquisition that it finds later, and keeps tiles and dates apart', async () => {
    await putProduct(FOURTH);
    await make();
    await putProduct({ ...FOURTH, baseline: '05.10' });
    await putProduct({ ...FOURTH, tile: '43QHV' });
    const made = await make();
    expect(text(made)).toMatch(/left out: .*_N0400_.*_T43QGV_.*: .*_N0510_.* newer processing baseline \(05\.10\)/);
    expect(made.items).toBe(2);
    const ids = (await search()).map(({ id }) => /_N\d{4}_R019_\w{6}/.exec(id)?.[0] ?? '');
    expect(new Set(ids)).toEqual(new Set(['_N0400_R019_T43QHV', '_N0510_R019_T43QGV']));
  });

  it('reads loose JPEG 2000, TIFFs of 15 bits, with tags, of other CRSs and compressions; names the remedy for others', async () => {
    for (const [band, metres] of BANDS)
      await copy(imageOf(band, metres), `T43QGV_20190701T051139_${band}_${metres}m.jp2`);
    const tif = (name: string): string => join(downloads(), name);
    gdal([jp2('10'), tif('T43QGV_20230801T051139_B02.tif')]);
    expect(execFileSync('gdalinfo', [tif('T43QGV_20230801T051139_B02.tif')], { encoding: 'utf8' })).toContain(
      'NBITS=15',
    );
    gdal(['-a_scale', '0.0001', '-a_offset', '-0.1', join(templates, '10.tif'), tif('T43QGV_20230802T051139_B04.tif')]);
    execFileSync('gdalwarp', [
      '-q',
      '-t_srs',
      'EPSG:3857',
      join(templates, '10.tif'),
      tif('T43QGV_20230803T051139_B08.tif'),
    ]);
    // A compression that our readers refuse.
    const packed = ['-co', 'COMPRESS=LZMA'];
    gdal([...packed, join(templates, '10.tif'), tif('T43QGV_20230805T051139_B03.tif')]);
    gdal([
      ...packed,
      '-ot',
      'Float32',
      '-scale',
      '0',
      '10000',
      '0',
      '1',
      join(templates, '10.tif'),
      tif('T43QGV_20230806T051139_B03.tif'),
    ]);
    gdal(['-b', '1', '-b', '1', join(templates, '10.tif'), tif('T43QGV_20230804T051139_B08.tif')]);
    const made = await make();
    const scenes = await search();
    expect(scenes.map(({ id, bands }) => [id, Object.keys(bands).length, bands.red?.offset])).toEqual([
      ['S2_T43QGV_20190701T051139', 6, 0],
      ['S2_T43QGV_20230801T051139', 1, undefined],
      ['S2_T43QGV_20230802T051139', 1, -1000],
      ['S2_T43QGV_20230803T051139', 1, undefined],
      ['S2_T43QGV_20230805T051139', 1, undefined],
    ]);
    expect(scenes[3]?.crs).toBe('EPSG:32643');
    const warped = await valuesOf(scenes[3]?.bands.nir?.href ?? '');
    expect([
      warped.length > 50_000,
      warped.filter((value) => value >= 1000 && value < 10_000).length / warped.length,
    ]).toEqual([true, expect.closeTo(0.97, 1)]);
    expect((await valuesOf(scenes[4]?.bands.green?.href ?? '')).slice(0, 3)).toEqual([0, 1, 2].map(valueAt));
    expect(text(made)).toMatch(/20230806T051139_B03\.tif: its samples are Float32, not digital numbers/);
    expect((await valuesOf(scenes[1]?.bands.blue?.href ?? '')).slice(0, 3)).toEqual([0, 1, 2].map(valueAt));
    expect([scenes[1]?.offsetUnknown, scenes[2]?.offsetUnknown]).toEqual([true, undefined]);
    expect(text(made)).toMatch(/1 scene \(first S2_T43QGV_20230802T051139\): scale and offset of the files' own tags/);
    expect(text(made)).toMatch(/20230804T051139_B08\.tif: it has 2 bands .*gdal_translate -b 1/);
    expect(text(made)).not.toMatch(/rewritten|warped/);
  });
});

/** A JP2 whose code stream lost its last bytes, with a box length that fits. */
function shortened(jp2: Buffer, bytes: number): Buffer {
  const cut = Buffer.from(jp2.subarray(0, jp2.length - bytes));
  const at = cut.indexOf('jp2c', 0, 'latin1') - 4;
  if (cut.readUInt32BE(at) > 1) cut.writeUInt32BE(cut.length - at, at);
  else if (cut.readUInt32BE(at) === 1) cut.writeBigUInt64BE(BigInt(cut.length - at), at + 8);
  return cut;
}
