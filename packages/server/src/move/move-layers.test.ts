import { DomainError } from '@headwater/core';
import { findPlace } from '@headwater/core/places';
import { layerTaken, newRunId } from '@headwater/core/runs';
import { storedAddresses } from '@headwater/http-service';
import { createMemoryStores } from '@headwater/identity/memory';
import { createDirectoryAssets, openDump } from '@headwater/ingest';
import { createPixelEngine } from '@headwater/raster';
import { validateItem } from '@headwater/stac';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import { dumpText, SOURCE } from './django.fixture.ts';
import { placeAt, writeLiveWorld } from './live-world.fixture.ts';
import { moveDump } from './move-dump.ts';
import { baseName } from './move-layers.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-move-layers-'));
const scratchDir = join(folder, 'scratch');
const pixels = createPixelEngine({ scratchDir, threads: 1 });
const layers = {
  pixels,
  assets: createDirectoryAssets(join(folder, 'assets')),
  addresses: storedAddresses(),
  version: '0.1.0',
};
const terminal = { isTTY: false, write: () => {}, draw: () => {} };
const signal = new AbortController().signal;

const LINES = { type: 'FeatureCollection', features: [{ type: 'Feature', properties: { order: 1 }, geometry: null }] };
const line = (west: number) =>
  JSON.stringify({
    ...LINES,
    features: [
      {
        type: 'Feature',
        properties: { order: 1 },
        geometry: {
          type: 'LineString',
          coordinates: [
            [west, 17.01],
            [west + 0.01, 17.02],
          ],
        },
      },
    ],
  });

let server: Loopback;
const requested: string[] = [];
const lock = new AbortController();
beforeAll(async () => {
  server = await listenOnLoopback((request, response) => {
    requested.push(request.url ?? '');
    if (request.url === '/endless') return lock.abort(new Error('the lock was lost'));
    const isFile = request.url?.startsWith('/ows') === true && !request.url.includes('.sha256');
    response.writeHead(isFile ? 200 : 404, { 'content-type': 'application/json' }).end(isFile ? line(76.02) : '');
  });
});
afterAll(async () => {
  await server.close();
  await pixels.close();
  rmSync(folder, { recursive: true, force: true });
});

const stores = createMemoryStores();

async function move(path: string, { isTrial = false, allowed = false, into = stores, replaceLayers = false } = {}) {
  const downloads = join(folder, 'downloads');
  const allowedOrigins = allowed ? [server.origin] : [];
  const files = { folder, downloads, allowedOrigins, signal, notice: () => {} };
  const data = { layers, files, scratchDir, ownerId: 1 };
  const options = { isTrial, withSuperusers: false, mayCompute: false, replaceLayers };
  const report = await moveDump(await openDump(path, signal), { options, stores: into, terminal, signal, data });
  return { report: report.body({ source: '', isTrial: false }), text: report.lines(false).join('\n') };
}

const layer = (id: string, file: object, rest: object = {}) => ({
  type: 'layer',
  id,
  layer_name: `extra${id}_bland_0_cland_0`,
  workspace: 'drainage',
  dataset: 'Drainage',
  ...placeAt(0),
  title: 'Extra',
  description: 'Extra',
  start: '2020-07-01',
  end: '2021-06-30',
  file,
  ...rest,
});

const WORLD = { users: 2, keys: 1, tehsils: 2, layers: 4 };

it('moves boundaries, tehsils, datasets and layers; each layer is an Item that validates; a second move changes nothing', async () => {
  const path = await writeLiveWorld(folder, WORLD);
  const trial = await move(path, { isTrial: true });
  expect(await stores.places.states()).toEqual([]);
  const { report } = await move(path);
  const counts = {
    user: { new: 2, refused: 0 },
    boundaries: { new: 2, refused: 0 },
    tehsil: { new: 2, refused: 0 },
    dataset: { new: 1, refused: 0 },
    layer: { new: 4, refused: 0 },
  };
  expect(trial.report).toMatchObject({ counts });
  expect(report).toMatchObject({ counts, refused: [] });
  const [state] = await stores.places.states();
  expect(state?.isActive).toBe(true);
  const items = await stores.catalog.itemsOf('aland/bland_0/cland_0');
  expect(items.map(({ id }) => id).toSorted()).toEqual(['aland_bland_0_cland_0_kind0', 'aland_bland_0_cland_0_kind1']);
  for (const { item } of items)
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  const again = await move(path);
  expect(again.report).toMatchObject({ counts: { layer: { new: 0, changed: 0, equal: 4 }, boundaries: { equal: 2 } } });
  expect(again.text).toContain('nothing changed');
}, 60_000);

it('refuses paths outside of the folder, private addresses, and files whose content does not match their file name', async () => {
  writeFileSync(join(folder, 'fake.tif'), 'not a raster');
  writeFileSync(join(folder, 'fake.geojson'), Buffer.from([0x49, 0x49, 0x2a, 0]));
  symlinkSync('/etc/passwd', join(folder, 'link.geojson'));
  const hostile = [
    layer('a', { path: '../../../../etc/passwd' }),
    layer('b', { path: '/etc/passwd' }),
    layer('c', { path: 'link.geojson' }),
    layer('d', { path: 'files' }),
    layer('e', { path: 'fake.tif' }),
    layer('f', { path: 'fake.geojson' }),
    layer('g', { url: `${server.origin}/ows?typeName=x` }),
    layer('h', { url: 'file:///etc/passwd' }),
    layer('i', { url: 'http://169.254.169.254/latest/meta-data' }),
    layer('j', { path: 'fake.geojson', url: 'http://example.org/' }),
    layer('k', { path: 'files/layer0.geojson', sha256: '0'.repeat(64) }),
    layer('l', { path: 'files/layer0.geojson' }, { tehsil: 'Nowhere' }),
    layer('m', { path: 'files/layer0.geojson' }, { start: '2021-02-30' }),
    layer('n', { path: 'files/layer0.geojson' }, { workspace: '../x' }),
  ];
  const path = await writeLiveWorld(folder, WORLD, hostile);
  requested.length = 0;
  const before = await stores.catalog.itemsOf('aland/bland_0/cland_0');
  const { report } = await move(path);
  expect(report).toMatchObject({ counts: { layer: { new: 0, changed: 0, equal: 4, refused: hostile.length } } });
  expect(requested).toEqual([]);
  expect(report).toMatchObject({
    refused: expect.arrayContaining(
      [
        { id: 'a', field: 'file.path', problem: expect.stringContaining('there is no file') },
        { id: 'c', field: 'file.path' },
        { id: 'h', field: 'file.url' },
        { id: 'k', field: 'file.sha256' },
        { id: 'l', field: 'tehsil', remedy: 'import its boundary first' },
        { id: 'm', field: 'start' },
        { id: 'n', field: 'workspace' },
      ].map((each) => expect.objectContaining(each)),
    ),
  });
  expect(await stores.catalog.itemsOf('aland/bland_0/cland_0')).toEqual(before);
}, 60_000);

it('downloads files of allowed origins, and removes them when their layer is published', async () => {
  const remote = layer('r', { url: `${server.origin}/ows?typeName=drainage:x` }, { version: '1.0' });
  const path = await writeLiveWorld(folder, WORLD, [remote]);
  expect((await move(path, { allowed: true })).report).toMatchObject({ counts: { layer: { new: 1, equal: 4 } } });
  expect(readdirSync(join(folder, 'downloads')).length).toBeLessThanOrEqual(2);
  requested.length = 0;
  expect((await move(path, { allowed: true })).report).toMatchObject({ counts: { layer: { new: 0, equal: 5 } } });
  expect(requested).toEqual([]);
}, 60_000);

it('immediately continues the import of a move that was killed', async () => {
  const text = line(76.03);
  writeFileSync(join(folder, 'killed.geojson'), text);
  const path = join(folder, 'killed.jsonl');
  const records = [layer('killed', { path: 'killed.geojson' })];
  writeFileSync(path, dumpText(records, { license: 'MIT', providers: [{ name: 'Live' }] }));
  const { tehsil } = await findPlace(stores.places, placeAt(0));
  const pipeline = `import_layer:${tehsil.id}:${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  const id = newRunId(new Date());
  await stores.runs.enqueue({ id, pipeline, params: {}, fingerprint: pipeline, ownerId: 1 });
  const claim = { workerId: 'move killed', leaseMs: 300_000, pipelines: [pipeline], maxAttempts: 3 };
  expect(await stores.runs.claim(claim)).toBeDefined();
  expect((await move(path)).report).toMatchObject({ counts: { layer: { new: 1, refused: 0 } } });
});

it('immediately refuses a layer whose name belongs to another tehsil', async () => {
  writeFileSync(join(folder, 'taken.geojson'), line(76.04));
  const path = join(folder, 'taken.jsonl');
  const records = [layer('taken', { path: 'taken.geojson' })];
  writeFileSync(path, dumpText(records, { license: 'MIT', providers: [{ name: 'Live' }] }));
  const publish = async (): Promise<never> => {
    throw layerTaken('drainage', 'x');
  };
  const { report } = await move(path, { into: { ...stores, runs: { ...stores.runs, publish } } });
  expect(report).toMatchObject({ refused: [{ id: 'taken', problem: expect.stringContaining('another tehsil') }] });
});

it('ends the download of a layer when the lock is lost', async () => {
  const path = join(folder, 'endless.jsonl');
  const records = [layer('endless', { url: `${server.origin}/endless` })];
  writeFileSync(path, dumpText(records, { license: 'MIT', providers: [{ name: 'Live' }] }));
  const withLock: typeof stores.installation.withLock = async (_name, work) => await work(lock.signal);
  const into = { ...stores, installation: { ...stores.installation, withLock } };
  await expect(move(path, { into, allowed: true })).rejects.toThrow('the lock was lost');
});

it.each([1, 2, 3])('a move of %i layers fails if the database becomes unavailable', async (count) => {
  const extra = Array.from({ length: count }, (_, at) => layer(`away${at}`, { path: 'files/layer0.geojson' }));
  const path = join(folder, 'away.jsonl');
  writeFileSync(path, dumpText(extra, { license: 'MIT', providers: [{ name: 'Live' }] }));
  const away = async (): Promise<never> => {
    throw new DomainError('unavailable', 'the database is away');
  };
  const into = { ...stores, places: { ...stores.places, findState: away } };
  await expect(move(path, { into })).rejects.toThrow('the database is away');
});

it('refuses the second of two layers that get the same name', async () => {
  const names = ['same_bland_0_cland_0', 'bland_0_cland_0_SAME', 'same_bland_0_cland_0'];
  const layers = names.map((layer_name, at) => layer(`same${at}`, { path: `files/layer0.geojson` }, { layer_name }));
  const path = join(folder, 'same.jsonl');
  writeFileSync(path, dumpText(layers, { license: 'MIT', providers: [{ name: 'Live' }] }));
  const { report } = await move(path);
  expect(report).toMatchObject({ counts: { layer: { new: 1, refused: 2 } } });
  const problem = expect.stringContaining('would replace the layer of line 2, because both layers have the same name');
  expect(report).toMatchObject({ refused: [3, 4].map((line) => ({ line, field: 'layer_name', problem })) });
}, 60_000);

it('needs an option to replace a layer that was computed or imported in this service', async () => {
  const path = join(folder, 'computed.jsonl');
  const write = (order: number, source = SOURCE): void => {
    writeFileSync(join(folder, 'own.geojson'), line(76.02).replace('"order":1', `"order":${order}`));
    const makers = { license: 'MIT', providers: [{ name: 'Live' }] };
    writeFileSync(path, dumpText([layer('own', { path: 'own.geojson' })], { ...makers, source }));
  };
  write(1, 'https://elsewhere.example.org');
  expect((await move(path)).report).toMatchObject({ counts: { layer: { new: 1 } } });
  write(2);
  const refused = { layer: { new: 0, changed: 0, refused: 1 } };
  const problem = (what: string) => ({ field: 'layer_name', problem: expect.stringContaining(`was ${what} here`) });
  for (const isTrial of [true, false])
    expect((await move(path, { isTrial })).report).toMatchObject({ counts: refused, refused: [problem('imported')] });
  expect((await move(path, { replaceLayers: true })).report).toMatchObject({ counts: { layer: { new: 1 } } });
  write(3);
  expect((await move(path)).report).toMatchObject({ counts: { layer: { changed: 1 } } });
  write(4);
  const item: typeof stores.catalog.item = async (...key) => {
    const found = await stores.catalog.item(...key);
    return found === undefined ? undefined : { ...found, item: { ...found.item, properties: {} } };
  };
  const into = { ...stores, catalog: { ...stores.catalog, item } };
  expect((await move(path, { into })).report).toMatchObject({ counts: refused, refused: [problem('computed')] });
}, 60_000);

it('moves a layer again if it was removed in this service', async () => {
  const path = await writeLiveWorld(folder, WORLD);
  const item = { collectionPath: 'aland/bland_0/cland_0', id: 'aland_bland_0_cland_0_kind0' };
  await stores.runs.unpublish(item);
  expect((await move(path)).report).toMatchObject({ counts: { layer: { changed: 1, equal: 3 } } });
  expect(await stores.catalog.item(item.collectionPath, item.id)).toBeDefined();
}, 60_000);

it.each([
  ['cachar_lakhipur_drought', 'drought'],
  ['mws_cachar_lakhipur', 'mws'],
  ['cachar_lakhipur', 'swb'],
  ['LULC_17_18_lakhipur_level_3', 'LULC_17_18_level_3'],
  ['ch_raster_Cachar_Lakhipur_2020', 'ch_raster_2020'],
  ['elsewhere', 'elsewhere'],
])('the base name of layer %s, without its place, is %s', (name, base) => {
  expect(baseName(name, { district: 'cachar', block: 'lakhipur' }, 'swb')).toBe(base);
});
