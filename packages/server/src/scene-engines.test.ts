import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryDomainStores } from '@headwater/core/memory';
import type { PixelPlan, PlanScene } from '@headwater/core/pixel-plan';
import type { DomainStores, PlanOutcome, SceneEngine, SceneEngines } from '@headwater/core/ports';
import type { Fault, FaultRule } from '@headwater/earth-engine/testing';
import { openRaster } from '@headwater/raster';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EarthEngineWorld, type EngineOptions, openEarthEngine } from './earth-engine-world.fixture.ts';
import { sceneId, SMALL_BOX, type SmallScene, smallGrid, smallPlace } from './small-world.fixture.ts';

const CRS = 'EPSG:32643';
const CLEAR: SmallScene = { date: '2021-09-01', crs: CRS };
const CLOUDY: SmallScene = { date: '2021-09-11', crs: CRS, cloudy: true };
const NEIGHBOUR: SmallScene = { date: '2021-09-01', crs: 'EPSG:32644' };
const CLEAR_ID = '20210901T052000_20210901T053000_T43QAA';
const PERIOD = { start: '2021-08-01T00:00:00Z', end: '2021-10-01T00:00:00Z' };

let world: EarthEngineWorld;
let scratchDir: string;
let stores: DomainStores;
let accountId: number;
beforeAll(async () => {
  world = await openEarthEngine([CLEAR, CLOUDY, NEIGHBOUR]);
  scratchDir = await mkdtemp(join(tmpdir(), 'headwater-scenes-'));
});
beforeEach(async () => {
  stores = createMemoryDomainStores();
  const facts = { name: 'project', accountEmail: null, isVisible: true, platform: 'earth_engine' } as const;
  ({ id: accountId } = await stores.eoAccounts.create(facts));
  world.useFaults(undefined);
  world.pauses.length = 0;
});
afterAll(async () => {
  await world.close();
  await rm(scratchDir, { recursive: true, force: true });
});

const engines = (options?: EngineOptions): SceneEngines => world.engines(stores, scratchDir, options);

async function opened(options?: EngineOptions): Promise<SceneEngine> {
  const engine = await engines(options).open({ accountId, runId: 'r-1' });
  if (engine === undefined) throw new Error('the account has no engine');
  return engine;
}

function planOf(scenes: readonly PlanScene[]): PixelPlan {
  const { geometry } = smallPlace('Small');
  const area = geometry?.type === 'Polygon' ? [geometry.coordinates] : [];
  return {
    kind: 'composite',
    grid: smallGrid(CRS, 10),
    area,
    scenes,
    mask: { band: 'scl', keep: [4, 5, 6], missing: [0], grow: [9], dilate: 1 },
    steps: [{ start: '2021-08-01', end: '2021-10-01' }],
    core: [0, 1],
    indices: [{ name: 'index', formula: { kind: 'ratio', plus: ['nir'], minus: ['swir16'] }, from: 0, to: 1 }],
    block: { module: 'none', export: 'none', params: {} },
    outputs: [],
  };
}

const OUTCOME: PlanOutcome = {
  outputs: {},
  contributing: [],
  unused: {},
  pieces: { computed: 0, outside: 0 },
  skipped: {},
  decodedPixels: 0,
};

type Taken = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface Reading extends EngineOptions {
  readonly signal?: AbortSignal;
  readonly scenes?: number;
}

async function read({
  signal = new AbortController().signal,
  scenes: count = 1,
  ...options
}: Reading = {}): Promise<Taken> {
  const engine = await opened(options);
  const taken: Record<string, Readonly<Record<string, number>>> = {};
  const { scenes } = await engine.earthObservation.search({ bbox: SMALL_BOX, ...PERIOD });
  const execute = async (plan: PixelPlan): Promise<PlanOutcome> => {
    for (const { id, bands } of plan.scenes) {
      const sums = Object.entries(bands).map(async ([name, { href }]) => [name, await sumOf(href)] as const);
      taken[id] = Object.fromEntries(await Promise.all(sums));
    }
    return OUTCOME;
  };
  try {
    await engine.execute(planOf(scenes.slice(0, count)), { signal, progress: () => {} }, { execute });
    return taken;
  } finally {
    expect(await readdir(scratchDir).then((names) => names.length)).toBeLessThanOrEqual(1);
    await engine.close();
    expect(await readdir(scratchDir)).toEqual([]);
  }
}

async function sumOf(path: string): Promise<number> {
  const file = await openRaster(path);
  const { cols, rows } = file.grid;
  const values = new Uint16Array(cols * rows);
  await file.readWindow({ col: 0, row: 0, cols, rows }, values);
  file.close();
  return values.reduce((sum, value) => sum + value, 0);
}

async function sumsOfCatalogue(): Promise<Taken[string]> {
  const folder = join(world.dataDir, 'eo', 'small', sceneId(CLEAR));
  const [nir, swir16, scl] = await Promise.all(['B08', 'B11', 'SCL'].map((name) => sumOf(join(folder, `${name}.tif`))));
  return { nir: nir ?? 0, swir16: swir16 ?? 0, scl: scl ?? 0 };
}

const isPixels = ({ path }: Parameters<FaultRule>[0]): boolean => path.endsWith('computePixels');

function once(fault: Fault): FaultRule {
  let isDone = false;
  return (request) => {
    if (isDone || !isPixels(request)) return undefined;
    isDone = true;
    return fault;
  };
}

const pixelRequests = (): number => world.google.requests.filter((each) => each.endsWith('computePixels')).length;

describe('scenes of Earth Engine', () => {
  it('are listed page by page with their metadata', async () => {
    const { earthObservation } = await opened();
    const { scenes, rejected } = await earthObservation.search({ bbox: SMALL_BOX, ...PERIOD });
    expect([scenes.length, rejected]).toEqual([3, []]);
    expect(scenes[0]).toMatchObject({
      id: CLEAR_ID,
      datetime: '2021-09-01T05:20:00.000Z',
      cloudCover: 0,
      crs: CRS,
      grid: smallGrid(CRS, 10),
      processing: { baseline: '03.01' },
      bands: { red: { offset: 0, scale: 0.0001, nodata: 0 }, scl: { scale: 1 } },
    });
    const none = await earthObservation.search({ bbox: [0, 0, 1, 1], ...PERIOD });
    expect(none.scenes).toEqual([]);
  });

  it('are read for the area with a margin, on the grid of each band; for a cloudy scene only the mask is read', async () => {
    const before = pixelRequests();
    const taken = await read({ scenes: 3 });
    expect(taken[CLEAR_ID]).toEqual(await sumsOfCatalogue());
    expect(taken['20210911T052000_20210911T053000_T43QAA']).toMatchObject({ nir: 0, swir16: 0 });
    expect(pixelRequests() - before).toBe(3 + 1 + 3);
  });

  it('are read in strips of a limited size, with a limited number of requests at the same time', async () => {
    Object.assign(world.load, { most: 0, together: 2 });
    const before = pixelRequests();
    const { [CLEAR_ID]: taken } = await read({ settings: { requestBytes: 10_000, parallel: 2 } });
    expect(taken).toEqual(await sumsOfCatalogue());
    expect(pixelRequests() - before).toBeGreaterThan(8);
    expect(world.load.most).toBe(2);
  });

  it.each<Fault>(['lost', 'half', 'html', 'long', 'smaller', 'rate', 429, 503])(
    'are complete after the fault %s of one request',
    async (fault) => {
      world.useFaults(once(fault));
      expect(await read()).toEqual({ [CLEAR_ID]: await sumsOfCatalogue() });
      expect(world.pauses).toEqual([fault === 429 ? 7000 : 750]);
    },
  );

  it('are read immediately with a new token if the token has expired', async () => {
    const given = world.google.tokensGiven;
    await read();
    world.google.expireTokens();
    await read();
    expect([world.google.tokensGiven - given <= 2, world.pauses]).toEqual([true, []]);
  });

  it.each<[Fault, string, RegExp]>([
    [503, 'unavailable', /account \d+: .*HTTP 503/],
    ['html', 'unavailable', /is not a GeoTIFF \(text\/html\)/],
    ['smaller', 'unavailable', /does not have the requested pixels \(its grid is/],
    ['half', 'unavailable', /does not have the requested pixels/],
    ['stall', 'unavailable', /sent no complete response \(TimeoutError\)/],
    [401, 'unavailable', /HTTP 401/],
    [403, 'input_data', /HTTP 403.*roles Earth Engine Resource Viewer/],
    [400, 'upstream_failed', /HTTP 400: Image\.load: the expression is not valid/],
    ['quota', 'input_data', /Quota exceeded for the EECU/],
  ])(
    'fail with an error that names the account and the reason if every request has the fault %s',
    async (fault, code, message) => {
      const before = pixelRequests();
      world.useFaults((request) => (isPixels(request) ? fault : undefined));
      const failed = read({ settings: { tries: 3, timeoutMs: fault === 'stall' ? 100 : 10_000 } });
      await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
      expect(pixelRequests() - before).toBeLessThanOrEqual(fault === 401 ? 24 : 12);
      const spent = (await stores.eoAccounts.byId(accountId))?.exhaustedUntil ?? null;
      expect(spent !== null).toBe(fault === 'quota');
    },
  );

  it('are removed, and no further request is sent, if the run is cancelled', async () => {
    const stopping = new AbortController();
    const before = pixelRequests();
    world.useFaults((request) => {
      if (isPixels(request)) stopping.abort(new Error('the run was cancelled'));
      return undefined;
    });
    await expect(read({ signal: stopping.signal, settings: { parallel: 1 } })).rejects.toThrow('the run was cancelled');
    expect(pixelRequests() - before).toBe(1);
  });

  it('fail with `storage_full` if their files exceed the limit of scratch files', async () => {
    await expect(read({ mostBytes: 1000 })).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringMatching(/one year take more than the limit of 0 MB/),
    });
  });
});

it('scenes are read only after the use of Earth Engine by the run is stored', async () => {
  const order: string[] = [];
  vi.spyOn(stores.sceneUses, 'begin').mockImplementation(async () => {
    // These calls take longer than the start of a read. If the read does not wait for them, the test fails.
    for (let call = 0; call < 30; call += 1) await readdir(scratchDir);
    order.push('stored');
  });
  const freeBytes = async (): Promise<number> => {
    order.push('reads');
    return 1e9;
  };
  await read({ freeBytes });
  expect(order).toEqual(['stored', 'reads']);
});

it('scenes are not requested if the disk has too little free space, and the error names folder, needed and free bytes', async () => {
  const before = pixelRequests();
  await expect(read({ freeBytes: async () => 1000 })).rejects.toMatchObject({
    code: 'storage_full',
    message: expect.stringMatching(
      /may need \d{4,} bytes of scratch files, and 1000 bytes are free in \/.*headwater-scenes/,
    ),
  });
  expect(pixelRequests()).toBe(before);
});

describe('scene engines', () => {
  it('exist only for accounts of Earth Engine', async () => {
    const local = await stores.eoAccounts.create({ name: 'local', accountEmail: null, isVisible: true });
    expect(await engines().open({ accountId: local.id })).toBeUndefined();
    expect(await engines().problemOf(local)).toBeUndefined();
  });

  it.each([
    ['was removed', () => stores.eoAccounts.remove(accountId), /account \d+ was removed/],
    ['is disabled', () => stores.eoAccounts.change(accountId, { isActive: false }), /\(project\) is disabled/],
    [
      'has spent its quota',
      () => stores.eoAccounts.change(accountId, { exhaustedUntil: '2999-01-01T00:00:00.000Z' }),
      /\(project\) has spent its quota/,
    ],
  ] as const)(
    'fail with an error that names the account and the reason if the account %s',
    async (_, change, reason) => {
      await change();
      await expect(engines().open({ accountId })).rejects.toMatchObject({
        code: 'input_data',
        message: expect.stringMatching(reason),
      });
    },
  );

  it('count requests, pixels and bytes, with a workload tag of the run', async () => {
    const engine = await opened();
    const { scenes } = await engine.earthObservation.search({ bbox: SMALL_BOX, ...PERIOD });
    const context = { signal: new AbortController().signal, progress: () => {} };
    const estimate = await engine.estimate(planOf(scenes), context, {});
    await engine.execute(planOf(scenes), context, { execute: async () => OUTCOME });
    const usage = engine.usage();
    expect(usage).toMatchObject({ accountId, requests: 7, workloadTag: 'headwater-run-r-1' });
    expect(estimate).toMatchObject({ scenes: 3, requests: 9, bytes: 2 * estimate.decodedPixels });
    expect(usage.pixels).toBeLessThan(estimate.decodedPixels);
    expect(usage.bytes).toBeGreaterThan(usage.pixels);
    await engine.close();
  });

  it('cache the result that an account can be used; a temporary failure is not reported as a problem of the account', async () => {
    const all = engines();
    const account = await stores.eoAccounts.byId(accountId);
    if (account === undefined) throw new Error('there is no account');
    world.useFaults(() => 503);
    expect(await all.problemOf(account)).toBeUndefined();
    world.useFaults(() => 403);
    expect(await all.problemOf(account)).toMatch(/cannot read scenes of Earth Engine.*HTTP 403/);
    world.useFaults(undefined);
    expect(await all.problemOf(account)).toBeUndefined();
    const before = pixelRequests();
    expect(await all.problemOf(account)).toBeUndefined();
    expect(pixelRequests()).toBe(before);
  });
});
