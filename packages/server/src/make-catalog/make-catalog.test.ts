import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findUnnamedFiles, type GivenRadiometry } from '@headwater/ingest';
import { openRaster } from '@headwater/raster';
import { validate } from '@headwater/stac';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BANDS, coarseOf, type Download, gridOf, searchScenes, valuesOf, writeDownload } from './downloads.fixture.ts';
import type { Gdal } from './gdal.ts';
import { makeCatalog, type MadeCatalog } from './make-catalog.ts';
import { isComplete, reportLines } from './report-lines.ts';

let dir = '';
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), 'headwater-make-'))));
afterEach(() => rm(dir, { recursive: true, force: true }));

const GRID = gridOf(48, 40);
const COARSE = coarseOf(GRID);
const downloads = () => join(dir, 'my downloads');
const put = (path: string, grid = GRID, data?: Download['data']): Promise<string> =>
  writeDownload(join(downloads(), path), { grid, tileSize: 16, ...(data === undefined ? {} : { data }) });

async function putDay(day: string, bands: readonly string[] = BANDS): Promise<void> {
  for (const band of bands) {
    const grid = band === 'B11' || band === 'SCL' ? COARSE : GRID;
    const data = band === 'SCL' ? new Uint8Array(grid.cols * grid.rows).fill(4) : undefined;
    await put(`T43QGV_${day}T051131_${band}_${grid.pixelWidth}m.tif`, grid, data);
  }
}

interface Call {
  readonly folder?: string;
  readonly gdal?: Gdal;
  readonly given?: GivenRadiometry;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number, next: string) => void;
}

const make = ({
  given = {},
  signal = new AbortController().signal,
  progress = () => {},
  gdal,
  folder = downloads(),
}: Call = {}) =>
  makeCatalog({
    folder,
    eoDir: join(dir, 'eo'),
    name: 'own',
    given,
    progress,
    tools: { gdal, scratchDir: join(dir, 'scratch'), signal },
  });
const text = (made: MadeCatalog): string => reportLines(made, 'npx headwater check-data').join('\n');
const search = () => searchScenes(join(dir, 'eo'));
const json = async (path: string): Promise<unknown> => JSON.parse(await readFile(join(dir, 'eo/own', path), 'utf8'));

describe('make-catalog without GDAL', () => {
  it('converts loose GeoTIFFs to COGs with the same values, and writes a valid catalogue that a search can read', async () => {
    await putDay('20190615');
    await putDay('20190620', ['B02', 'B03', 'B04', 'B08', 'B11']);
    const catalog = await make();
    expect(text(catalog)).toMatch(/2 scenes in the catalogue; 11 files converted, 0 converted before/);
    expect(text(catalog)).toMatch(
      /2 scenes \(first S2_T43QGV_20190615T051131\): .*assumed that the values have no offset.*--baseline 05\.00/,
    );
    expect(text(catalog)).toMatch(/1 scene \(first S2_T43QGV_20190620T051131\): LACKS SCL.*call again/);
    expect(isComplete(catalog)).toBe(false);
    const { scenes, rejected } = await search();
    expect(rejected).toEqual([]);
    expect(scenes.map(({ id, datetime }) => [id, datetime])).toEqual([
      ['S2_T43QGV_20190615T051131', '2019-06-15T05:11:31.000Z'],
      ['S2_T43QGV_20190620T051131', '2019-06-20T05:11:31.000Z'],
    ]);
    expect(scenes[0]).toMatchObject({ crs: 'EPSG:32643', grid: GRID, bands: { red: { offset: 0, scale: 0.0001 } } });
    const nir = scenes[0]?.bands.nir?.href ?? '';
    const copy = await openRaster(nir);
    copy.close();
    const values = await valuesOf(nir);
    expect([copy.tile.cols, values[0], values.at(-1)]).toEqual([512, 1000, 1000 + values.length - 1]);
    for (const path of ['catalog.json', 'collection.json', `${scenes[0]?.id}/${scenes[0]?.id}.json`])
      expect([path, validate(await json(path)).filter(({ severity }) => severity !== 'info')]).toEqual([path, []]);
  });

  it('names the files that need GDAL and how to install it, and converts the others', async () => {
    await putDay('20190615', ['B02', 'B03', 'B04', 'B08', 'B11']);
    await writeFile(join(downloads(), 'T43QGV_20190615T051131_SCL_20m.jp2'), 'x');
    const catalog = await make();
    expect(text(catalog)).toMatch(/5 files converted/);
    expect(text(catalog)).toMatch(
      /left out: .*SCL_20m\.jp2: it is JPEG 2000, which only GDAL reads: install GDAL \(Debian and Ubuntu: sudo apt-get install gdal-bin; .* and call again/,
    );
    expect(isComplete(catalog)).toBe(false);
    const refused = () => Promise.reject(new Error('never called'));
    const gdal: Gdal = { readsJp2: false, toTiff: refused, toUtm: refused };
    expect(text(await make({ gdal }))).toMatch(/SCL_20m\.jp2: the installed GDAL has no driver of JPEG 2000: install/);
  });

  it('distinguishes a folder without scenes from a folder with files that could not be converted', async () => {
    await mkdir(downloads());
    expect(text(await make())).toMatch(/^no scene of Sentinel-2 L2A found: name a folder with SAFE folders/);
    await writeFile(join(downloads(), 'T43QGV_20190615T051131_SCL_20m.jp2'), 'x');
    expect(text(await make())).toMatch(/^no scene was made, because .*\nleft out: .*SCL_20m\.jp2: it is JPEG 2000/);
    expect(await readdir(join(dir, 'eo/own'))).toEqual([]);
  });

  it('converts nothing twice: a second call only converts new and changed files', async () => {
    await putDay('20190615');
    await make();
    const item = 'S2_T43QGV_20190615T051131';
    const band = join(dir, 'eo/own', item, 'B02.tif');
    const before = [await stat(band), await stat(join(dir, 'eo/own', item, `${item}.json`))].map(({ ino }) => ino);
    const again = await make();
    expect([again.converted, again.present, isComplete(again)]).toEqual([0, 6, true]);
    const after = [await stat(band), await stat(join(dir, 'eo/own', item, `${item}.json`))].map(({ ino }) => ino);
    expect(after).toEqual(before);
    await putDay('20190620');
    const soon = new Date(Date.now() + 60_000);
    await utimes(join(downloads(), 'T43QGV_20190615T051131_B03_10m.tif'), soon, soon);
    const third = await make();
    expect([third.converted, third.present, third.items]).toEqual([7, 5, 2]);
    expect((await make()).converted).toBe(0);
  });

  it('counts only the bands that this call converted, also if a band has another CRS than the others', async () => {
    await putDay('20230911');
    await put('T43QGV_20230911T051131_B12_20m.tif', { ...COARSE, crs: 'EPSG:32644' });
    expect(await make()).toMatchObject({
      converted: BANDS.length + 1,
      leftOut: [{ reason: expect.stringContaining('its CRS is EPSG:32644') }],
    });
    expect(await make()).toMatchObject({ converted: 0, present: BANDS.length + 1 });
  });

  it('continues after it was stopped, and leaves no partly written file', async () => {
    await putDay('20190615');
    await putDay('20190620');
    const stop = new AbortController();
    const steps: string[] = [];
    const progress = (done: number, total: number, next: string): void => {
      steps.push(`${done}/${total} ${next}`);
      if (done === 7) stop.abort(new Error('stopped'));
    };
    await expect(make({ signal: stop.signal, progress })).rejects.toThrow('stopped');
    expect(steps.at(-1)).toMatch(/^7\/12 \w+ of S2_T43QGV_20190620T051131$/);
    expect((await search()).scenes.map(({ id }) => id)).toEqual(['S2_T43QGV_20190615T051131']);
    const names = await readdir(join(dir, 'eo/own'), { recursive: true });
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const catalog = await make();
    expect([catalog.converted, catalog.present, isComplete(catalog)]).toEqual([5, 7, true]);
    expect((await search()).scenes).toHaveLength(2);
    expect(await readdir(dir)).not.toContain('scratch');
  });

  it('reports an unknown offset with the options that set the offset; later calls use the offset that was set', async () => {
    await putDay('20230615');
    const unknown = await make();
    expect(text(unknown)).toMatch(/OFFSET UNKNOWN.*--baseline NN\.NN.*--offset 0/);
    expect([isComplete(unknown), (await search()).scenes[0]?.offsetUnknown]).toEqual([false, true]);
    const given = await make({ given: { baseline: '05.10' } });
    expect([given.converted, isComplete(given)]).toEqual([0, true]);
    await make();
    expect((await search()).scenes[0]).toMatchObject({
      processing: { baseline: '05.10' },
      bands: { red: { offset: -1000, scale: 0.0001 } },
    });
    expect(text(await make())).toMatch(
      /: offset -1000, as given by --baseline or --offset in this call, or as in the earlier Item of the scene/,
    );
    await make({ given: { offset: 0 } });
    await make();
    const [scene] = (await search()).scenes;
    expect([scene?.bands.red?.offset, scene?.offsetUnknown]).toEqual([0, undefined]);
  });

  it('replaces a scene by a newer processing that is found later; check-data then lists the older copy as not needed', async () => {
    const days = (baseline: string) => BANDS.map((band) => `x_N${baseline}_y/T43QGV_20230615T051131_${band}_20m.tif`);
    const data = (path: string) => (path.includes('SCL') ? new Uint8Array(480).fill(4) : undefined);
    for (const path of days('0400')) await put(path, COARSE, data(path));
    expect(isComplete(await make())).toBe(true);
    for (const path of days('0510')) await put(path, COARSE, data(path));
    const catalog = await make();
    expect([catalog.converted, catalog.items]).toEqual([6, 1]);
    expect((await search()).scenes.map(({ processing }) => processing.baseline)).toEqual(['05.10']);
    expect(await findUnnamedFiles(join(dir, 'eo'))).toEqual({
      unread: [],
      unneeded: [join(dir, 'eo/own/S2_T43QGV_20230615T051131_N0400')],
      isWhole: true,
    });
  });

  it('later calls use an offset that was set, even if it contradicts the baseline in the names', async () => {
    await put('x_N0510_y/T43QGV_20230615T051131_B04_10m.tif');
    expect(text(await make())).toMatch(/offset of the values by the processing baseline in the name/);
    const offset = async () => (await search()).scenes[0]?.bands.red?.offset;
    expect(await offset()).toBe(-1000);
    await make({ given: { offset: 0 } });
    expect(await offset()).toBe(0);
    await make();
    expect(await offset()).toBe(0);
    expect(text(await make({ given: { baseline: '05.10' } }))).toMatch(/as given by/);
    expect(text(await make())).toMatch(/by the processing baseline in the name/);
    expect(await offset()).toBe(-1000);
  });

  it('leaves out truncated files, files with float samples, and files without a band in the name, each with a remedy', async () => {
    await putDay('20190615');
    const cut = join(downloads(), 'T43QGV_20190615T051131_B04_10m.tif');
    await truncate(cut, (await stat(cut)).size - 500);
    await put('T43QGV_20190615T051131_B12_20m.tif', COARSE, new Float32Array(COARSE.cols * COARSE.rows).fill(0.3));
    await put('photo.tif');
    const other = await put('20190615/T43QGV_20190615T051131_B05_10m.tif');
    const catalog = await make();
    expect(text(catalog)).toMatch(/B04_10m\.tif: .*truncated|B04_10m\.tif: .*ends/);
    expect(text(catalog)).toMatch(/its samples are float32.*gdal_translate -ot UInt16 -scale 0 1 0 10000/);
    expect(text(catalog)).toMatch(/photo\.tif: its name has no band.*rename it/);
    expect(text(catalog)).toContain(`${other}: no layer reads this band`);
    expect(text(catalog)).toMatch(/LACKS B04/);
    expect([catalog.items, catalog.converted]).toEqual([1, 5]);
  });

  it('does not replace a catalogue of another program', async () => {
    await mkdir(join(dir, 'eo/own'), { recursive: true });
    await writeFile(join(dir, 'eo/own/catalog.json'), '{"type":"Catalog","id":"theirs"}');
    await putDay('20190615');
    await expect(make()).rejects.toThrow(/--name: .*eo\/own has another catalogue; choose another name/);
    expect(await readdir(join(dir, 'eo/own'))).toEqual(['catalog.json']);
  });

  it('makes a catalogue of files in the folder of scenes, as check-data advises; these files then count as not needed', async () => {
    await putDay('20190615');
    const eo = join(dir, 'eo');
    await mkdir(eo);
    await rename(downloads(), join(eo, 'copied here'));
    expect((await findUnnamedFiles(eo)).unread).toHaveLength(6);
    expect(isComplete(await make({ folder: eo }))).toBe(true);
    const { unread, unneeded } = await findUnnamedFiles(eo);
    expect([unread, unneeded.length]).toEqual([[], 6]);
    expect(await make({ folder: eo })).toMatchObject({ converted: 0, present: 6, items: 1 });
  });

  it('removes old temporary files of killed calls, and keeps recent ones, which may belong to a running call', async () => {
    await putDay('20190615');
    const folder = join(dir, 'eo/own/S2_T43QGV_20190615T051131');
    await mkdir(folder, { recursive: true });
    await copyFile(join(downloads(), 'T43QGV_20190615T051131_B02_10m.tif'), join(folder, '.B02.tif.aa.tmp'));
    await (await open(join(folder, '.B03.tif.bb.tmp'), 'w')).close();
    const past = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(join(folder, '.B02.tif.aa.tmp'), past, past);
    await make();
    expect((await readdir(folder)).filter((name) => name.startsWith('.'))).toEqual(['.B03.tif.bb.tmp']);
  });
});
