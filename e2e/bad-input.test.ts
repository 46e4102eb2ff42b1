import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRaster } from '@headwater/raster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSmallService, type Answer, type SmallService } from '../packages/server/src/small-service.fixture.ts';
import {
  sceneId,
  scenesAround,
  smallPlace,
  writeScenes,
  type SmallScene,
} from '../packages/server/src/small-world.fixture.ts';

const YEAR = 2021;
const SCENES = scenesAround(YEAR);
/** Free space that is too small for the scratch rasters (50 kB) or the result files (40 kB) of a run. */
const FREE_BYTES = 24 * 1024;
const REQUEST = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Jalsrota', start_year: YEAR, end_year: YEAR };

let worlds: string;
let good: string;
let service: SmallService;

async function spoilt(name: string): Promise<{ readonly dir: string; readonly scene: (which: SmallScene) => string }> {
  const dir = join(worlds, name);
  await cp(good, dir, { recursive: true });
  return { dir, scene: (which) => join(dir, 'eo', 'small', sceneId(which)) };
}

async function cut(path: string, share: number): Promise<void> {
  const { size } = await stat(path);
  await truncate(path, Math.floor(size * share));
}

const sceneAt = (index: number): SmallScene => {
  const scene = SCENES[index];
  if (scene === undefined) throw new Error(`no scene ${index}`);
  return scene;
};

async function failsWith(world: string, body: Readonly<Record<string, unknown>> = REQUEST): Promise<Answer['body']> {
  const [published, attempts] = [await service.published(), await service.attempts()];
  service.useScenes(world);
  const { status, body: answer } = await service.compute(body);
  expect([status, answer['status']], JSON.stringify(answer)).toEqual([422, 'failed']);
  expect(await service.published()).toEqual(published);
  // Polls, because the files of a run are removed only after its response.
  await expect.poll(() => service.attempts()).toEqual(attempts);
  return answer;
}

beforeAll(async () => {
  worlds = await mkdtemp(join(tmpdir(), 'headwater-worlds-'));
  good = join(worlds, 'good');
  await writeScenes(good, SCENES);
  const [lone, bare] = [smallPlace('Nadi'), smallPlace('Sukha')];
  service = await startSmallService({
    places: [smallPlace('Jalsrota'), { ...bare, mws: [] }, { ...lone, geometry: null }],
  });
});
afterAll(async () => {
  await service.close();
  await rm(worlds, { recursive: true, force: true });
});

describe('bad input before a first publication', () => {
  it('a year with only clouds: the message names the year and the remedy', async () => {
    const cloudy = join(worlds, 'cloudy');
    await writeScenes(
      cloudy,
      SCENES.filter((_, index) => index % 4 === 0).map((scene) => ({ ...scene, cloudy: true })),
    );
    const answer = await failsWith(cloudy);
    expect(answer).toMatchObject({
      code: 'no_scenes',
      detail: expect.stringMatching(/2021.*cloud.*(Add scenes|other years)/),
    });
    expect((await service.published()).items).toEqual([]);
  });

  it.each([
    { change: { block: 'Nadi' }, status: 400, reason: /no boundary.*DATA_DIR\/places.*restart/ },
    { change: { block: 'Jalsrot' }, status: 404, reason: /"Jalsrot".*Jalsrota/ },
    { change: { district: 'Nirmala' }, status: 404, reason: /"Nirmala".*Nirmalgarh/ },
    { change: { state: 'Nowhere' }, status: 404, reason: /"Nowhere".*Virtapradesh/ },
    { change: { eo_account_id: 99 }, status: 400, reason: /99 does not exist.*eoaccounts/ },
    { change: { start_year: 2022, end_year: 2021 }, status: 400, reason: /after end_year 2021/ },
    { change: { start_year: 2001 }, status: 400, reason: /too early.*2016/ },
    { change: { end_year: 2999 }, status: 400, reason: /not over yet/ },
    { change: { end_year: 'soon' }, status: 400, reason: /year is an integer/ },
  ])(
    '$change: the service responds $status, names the field, and stores no run',
    async ({ change, status, reason }) => {
      await isRefused(change, status, reason);
    },
  );

  it('a hidden account gets the same response as an unknown account', async () => {
    const { eoAccounts } = service.headwater.stores;
    const { id } = await eoAccounts.create({ name: 'kept back', accountEmail: null, isVisible: false });
    await isRefused({ eo_account_id: id }, 400, new RegExp(`${id} does not exist`));
  });
});

async function isRefused(change: Readonly<Record<string, unknown>>, status: number, reason: RegExp): Promise<void> {
  const runs = await service.runCount();
  const answer = await service.compute({ ...REQUEST, ...change });
  expect(answer.status).toBe(status);
  expect(answer.body['errors']).toEqual({ [Object.keys(change)[0] ?? '']: [expect.stringMatching(reason)] });
  expect(await service.runCount()).toBe(runs);
}

describe('bad input after a good version was published', () => {
  it('publishes version 1 first', async () => {
    service.useScenes(good);
    expect(await service.compute(REQUEST)).toMatchObject({ status: 200, body: { version: '1' } });
    expect((await service.published()).items).toHaveLength(2);
  });

  it('a year without scenes: the message names the year and the remedy', async () => {
    const answer = await failsWith(good, { ...REQUEST, start_year: 2018, end_year: 2018 });
    expect(answer).toMatchObject({
      code: 'no_scenes',
      detail: expect.stringMatching(/2018.*DATA_DIR\/eo.*other years/),
    });
  });

  it('one of two years without scenes: no year is published', async () => {
    const answer = await failsWith(good, { ...REQUEST, start_year: 2020 });
    expect(answer).toMatchObject({ code: 'no_scenes', detail: expect.stringContaining('2020') });
  });

  it('a band that every Item lacks: the message names the band and an Item', async () => {
    const { dir } = await spoilt('bandless');
    for (const scene of SCENES) {
      const path = join(dir, 'eo', 'small', sceneId(scene), 'item.json');
      const item = JSON.parse(await readFile(path, 'utf8')) as { assets: Record<string, unknown> };
      delete item.assets['B11'];
      await writeFile(path, JSON.stringify(item));
    }
    const answer = await failsWith(dir);
    expect(answer).toMatchObject({
      code: 'input_data',
      detail: expect.stringMatching(/2021.*S2_43_\d{8}.*swir16.*B11/),
    });
  });

  it('a truncated file in all scenes: the message names scenes and files', async () => {
    for (const [name, share] of [
      ['header', 0.05],
      ['tile', 0.7],
    ] as const) {
      const only = join(worlds, `only-${name}`);
      const few = [10, 14, 18, 22, 26, 30].map((index) => sceneAt(index));
      await writeScenes(only, few);
      for (const scene of few) await cut(join(only, 'eo', 'small', sceneId(scene), 'B04.tif'), share);
      const answer = await failsWith(only);
      expect(['input_data', 'no_scenes']).toContain(answer['code']);
      expect(answer['detail']).toMatch(/S2_43_\d{8}.*B04\.tif.*(Replace|repair)/);
    }
  });

  it('truncated files in some scenes: the run skips these scenes, names them in log and Item, and publishes a result from all other scenes', async () => {
    const { dir, scene } = await spoilt('cut');
    await cut(join(scene(sceneAt(10)), 'B04.tif'), 0.05);
    await cut(join(scene(sceneAt(20)), 'B08.tif'), 0.7);
    await rm(join(scene(sceneAt(30)), 'SCL.tif'));
    const broken = [10, 20, 30].map((index) => sceneId(sceneAt(index)));
    service.useScenes(dir);
    const { status, body } = await service.compute(REQUEST);
    expect([status, body['version']], JSON.stringify(body)).toEqual([200, '2']);
    const log = await service.newestLog();
    for (const id of broken) expect(log).toMatch(new RegExp(`2021: scene ${id} left out: .*tif`));
    const spec = body['stac_spec'] as { properties: Record<string, unknown> };
    expect(Object.keys(spec.properties['headwater:skipped_scenes'] as object).sort()).toEqual(broken);
    expect(spec.properties['headwater:scene_count']).toBe(SCENES.length - broken.length);
    expect(JSON.stringify(body), 'no message contains a path of the server').not.toContain(worlds);
  });
});

describe('a tehsil without micro-watersheds', () => {
  it('gets only its raster', async () => {
    service.useScenes(good);
    expect(await service.compute({ ...REQUEST, block: 'Sukha' })).toMatchObject({ status: 200 });
    const { items } = await service.published();
    const own = items.filter(({ collectionPath }) => collectionPath.endsWith('/sukha'));
    expect(own.map(({ item }) => item['id'])).toEqual([
      expect.stringMatching(/sukha_land_use_land_cover_raster_2021$/),
    ]);
    expect(await service.newestLog()).toContain('Sukha has no micro-watersheds: rasters only');
  });
});

describe('scenes of two UTM zones', () => {
  const otherZone = scenesAround(YEAR, (index) => (index % 2 === 0 ? 'EPSG:32643' : 'EPSG:32644'));

  it('give the same classes as scenes of one zone on more than 97 % of the pixels', async () => {
    service.useScenes(good);
    const one = await classMap(await service.compute(REQUEST));
    const mixed = join(worlds, 'mixed');
    await writeScenes(mixed, otherZone);
    service.useScenes(mixed);
    const two = await classMap(await service.compute(REQUEST));
    expect(two.properties['headwater:scene_count']).toBe(otherZone.length);
    expect(two.properties['headwater:skipped_scenes']).toEqual({});
    expect(two.classes.length).toBe(one.classes.length);
    const same = one.classes.filter((value, index) => value === two.classes[index]).length / one.classes.length;
    console.log(`one zone against two: ${(100 * same).toFixed(2)} % of ${one.classes.length} pixels agree`);
    expect(same).toBeGreaterThan(0.97);
    // Each class must cover much of the map. Otherwise, the comparison above would prove nothing.
    const shares = [4, 6, 8, 7].map(
      (code) => one.classes.filter((value) => value === code).length / one.classes.length,
    );
    for (const share of shares) expect(share).toBeGreaterThan(0.2);
  });
});

interface ClassMap {
  readonly classes: Uint8Array;
  readonly properties: Readonly<Record<string, unknown>>;
}

async function classMap({ body }: Answer): Promise<ClassMap> {
  const spec = body['stac_spec'] as { assets: { cog: { href: string } }; properties: Record<string, unknown> };
  const path = new URL(spec.assets.cog.href).pathname.replace('/api/v1/assets/', '');
  const file = await openRaster(join(service.dir, 'assets', path));
  const { cols, rows } = file.grid;
  const classes = new Uint8Array(rows * cols);
  await file.readWindow({ row: 0, col: 0, rows, cols }, classes);
  file.close();
  return { classes, properties: spec.properties };
}

/** Mounts a file system of 1 MB; undefined if impossible. */
async function tinyDisk(): Promise<string | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'headwater-tiny-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'pipe' });
    return path;
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : '';
    console.log(`skipped: test of a full disk: it needs permission to mount a tmpfs (${reason})`);
    await rm(path, { recursive: true });
    return undefined;
  }
}

describe.each(['assets', 'scratch'] as const)('a full disk under %s', (folder) => {
  let disk: string | undefined;
  beforeAll(async () => {
    disk = await tinyDisk();
  });
  afterAll(async () => {
    if (disk === undefined) return;
    execFileSync('umount', [disk]);
    await rm(disk, { recursive: true, force: true });
  });

  it('a run fails with storage_full and a remedy, publishes nothing and leaves no file; runs succeed again after space is freed', async (context) => {
    if (disk === undefined) {
      context.skip();
      return;
    }
    const small = await startSmallService({ places: [smallPlace('Jalsrota')], [`${folder}Dir`]: join(disk, folder) });
    try {
      small.useScenes(good);
      await writeFile(join(disk, 'ballast'), new Uint8Array(1024 * 1024 - FREE_BYTES));
      const { status, body } = await small.compute(REQUEST);
      expect([status, body['code']], JSON.stringify(body)).toEqual([507, 'storage_full']);
      expect(body['detail']).toMatch(/[Ff]ree .*space/);
      expect(await small.published()).toEqual({ items: [], layers: [] });
      await expect.poll(() => small.attempts()).toEqual([]);
      expect(await readdir(small.scratchDir).catch(() => [])).toEqual([]);
      await rm(join(disk, 'ballast'));
      expect((await small.compute(REQUEST)).status).toBe(200);
    } finally {
      await small.close();
    }
  });
});
