import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GivenRadiometry } from '@headwater/ingest';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { safeImage, safeMetadata, safeName, type SafeProduct } from '../packages/ingest/src/own-scenes/safe.fixture.ts';
import { skipWithoutGdal, validateCog } from '../packages/raster/src/cog/gdal-oracle.test-helper.ts';
import {
  BANDS,
  coarseOf,
  gridOf,
  searchScenes,
  valuesOf,
  writeDownload,
} from '../packages/server/src/make-catalog/downloads.fixture.ts';
import { findGdal, type Gdal } from '../packages/server/src/make-catalog/gdal.ts';
import { makeCatalog, type MadeCatalog } from '../packages/server/src/make-catalog/make-catalog.ts';
import { isComplete, reportLines } from '../packages/server/src/make-catalog/report-lines.ts';

const GRID = gridOf(300, 280);
const COARSE = coarseOf(GRID);
const metresOf = (band: string): number => (band === 'B11' || band === 'SCL' ? 20 : 10);
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
      const tif = await writeDownload(join(templates, `${name}.tif`), { grid, data });
      const bits = isClass ? [] : ['-co', 'NBITS=15'];
      gdal(['-of', 'JP2OpenJPEG', '-co', 'QUALITY=100', '-co', 'REVERSIBLE=YES', ...bits, tif, jp2(name)]);
    }
    return () => rm(templates, { recursive: true, force: true });
  });
  beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'headwater-gdal-'))));
  afterEach(() => rm(dir, { recursive: true, force: true }));

  const jp2 = (name: string): string => join(templates, `${name}.jp2`);
  const downloads = (): string => join(dir, 'downloads from (Copernicus)');
  const imageOf = (band: string): string => jp2(band === 'SCL' ? 'scl' : String(metresOf(band)));

  async function copy(from: string, path: string): Promise<string> {
    const target = join(downloads(), path);
    await mkdir(dirname(target), { recursive: true });
    await cp(from, target);
    return target;
  }

  async function putProduct(product: SafeProduct, folder = safeName(product)) {
    for (const band of BANDS) await copy(imageOf(band), `${folder}/${safeImage(product, band, metresOf(band))}`);
    await writeFile(join(downloads(), folder, 'MTD_MSIL2A.xml'), safeMetadata(product));
    return (band: string): string => join(downloads(), folder, safeImage(product, band, metresOf(band)));
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
  const search = async () => (await searchScenes(join(dir, 'eo'))).scenes;

  it('converts products of baselines 02.14, 04.00 and 05.09: values are equal, COGs are valid, and offsets come from the metadata', async () => {
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

  it('skips truncated images, and converts them in a later call when they are complete', async () => {
    const image = await putProduct(NEW);
    const whole = await readFile(image('B04'));
    await truncate(image('B04'), whole.length - 1000);
    // This image ends early. Its stated length is adjusted, so only the missing end marker shows this.
    const short = await readFile(image('B08'));
    await writeFile(image('B08'), shortened(short, 1000));
    await writeFile(image('B03'), '<VRTDataset rasterXSize="1" rasterYSize="1"/>');
    await truncate(image('B11'), 40);
    const made = await make();
    expect(text(made)).toMatch(/LACKS B03, B04, B08, B11; land cover leaves out such scenes/);
    expect(text(made)).toMatch(
      /B04_10m\.jp2: it is truncated: it has \d+ bytes, but needs at least \d+; download it again/,
    );
    expect(text(made)).toMatch(/B08_10m\.jp2: it is truncated: its image has no end; download it again/);
    expect(text(made)).toMatch(/B03_10m\.jp2: it is not JPEG 2000; download it again/);
    expect(text(made)).toMatch(/B11_20m\.jp2: it is truncated: it has no image; download it again/);
    expect([made.converted, made.items, isComplete(made)]).toEqual([2, 1, false]);
    for (const band of BANDS.slice(1, 5)) await cp(imageOf(band), image(band));
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
    const red = image('B04').replace(product, join(unpacked, safeName(NEW)));
    await rename(product, join(unpacked, safeName(NEW)));
    await truncate(red, 5000);
    zip();
    const broken = await make();
    expect(text(broken)).toMatch(/zipped product\.SAFE\.zip \(.*B04_10m\.jp2\): it is truncated/);
    await cp(imageOf('B04'), red);
    zip();
    expect(isComplete(await make())).toBe(true);
    const [scene] = await search();
    expect(scene?.bands.red?.offset).toBe(-1000);
    expect((await valuesOf(scene?.bands.red?.href ?? '')).slice(0, 3)).toEqual([0, 1, 2].map(valueAt));
    expect(await readdir(dir)).not.toContain('scratch');
  });

  it('replaces an acquisition if a newer baseline of this acquisition is found later, and does not mix tiles or dates', async () => {
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

  it('reads single files: JPEG 2000, and TIFFs of 15 bits, with tags, or of unusual CRSs and compressions; names the remedy for files that it cannot read', async () => {
    for (const band of BANDS) await copy(imageOf(band), `T43QGV_20190701T051139_${band}_${metresOf(band)}m.jp2`);
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
    // Our TIFF reader refuses this compression.
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
    expect(text(made)).toMatch(/20230804T051139_B08\.tif: it has 2 bands, .*gdal_translate -b 1/);
    expect(text(made)).not.toMatch(/rewritten|warped/);
  });
});

function shortened(jp2: Buffer, bytes: number): Buffer {
  const cut = Buffer.from(jp2.subarray(0, jp2.length - bytes));
  const at = cut.indexOf('jp2c', 0, 'latin1') - 4;
  if (cut.readUInt32BE(at) > 1) cut.writeUInt32BE(cut.length - at, at);
  else if (cut.readUInt32BE(at) === 1) cut.writeBigUInt64BE(BigInt(cut.length - at), at + 8);
  return cut;
}
