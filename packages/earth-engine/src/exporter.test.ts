import { type Run, SILENT } from '@headwater/core';
import { createMemoryAssets, createMemoryDomainStores } from '@headwater/core/memory';
import { createRunSignals } from '@headwater/core/runs';
import { Network } from '@headwater/net';
import { googleTokens, type ServiceAccount, serviceAccountOf } from '@headwater/net/google';
import { assert, describe, expect, it, onTestFinished } from 'vitest';
import { stillClock } from '../../../scripts/still-clock.mjs';
import { sized } from '../../../scripts/test-length.mjs';
import { createExporter, type ExporterParts } from './exporter.ts';
import { createGoogleApi, type GoogleApi } from './google-api.ts';
import { EARTH_ENGINE_SCOPES } from './steps/step.ts';
import { FakeGoogle, type FakeGoogleOptions, type FaultRule } from './testing/fake-google.ts';

const START = Date.parse('2026-11-29T00:00:00Z');
const FOLDER = 'projects/project/assets/apps/mws';

/** Random numbers that are the same in each run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An exporter of rasters in memory over a listening fake. The clock advances only in `settle`. */
async function world({ fault, ...options }: FakeGoogleOptions & { readonly fault?: FaultRule } = {}) {
  const clock = { ms: START };
  const now = (): Date => new Date(clock.ms);
  const fake = new FakeGoogle({ ...options, now, ...(fault === undefined ? {} : { fault }) });
  const { origin, close } = await fake.listen();
  onTestFinished(close);
  const stores = createMemoryDomainStores({ clock: { now } });
  const assets = createMemoryAssets();
  const network = new Network({
    settings: { allowedOrigins: [origin] },
    tools: { ...stillClock().tools, now: () => clock.ms, timeout: () => AbortSignal.timeout(60_000) },
  });
  const apis = new Map<string, GoogleApi>();
  const apiOf = (account: ServiceAccount): GoogleApi => {
    const tokens = googleTokens({ account, scopes: EARTH_ENGINE_SCOPES, network });
    const api =
      apis.get(account.email) ??
      createGoogleApi({ hosts: { earthEngine: origin, storage: origin }, tokens, fetch, now });
    apis.set(account.email, api);
    return api;
  };
  const { timers, tick } = heldTimers();
  let problem: string | undefined;
  let changedKey: object = {};
  let bucket = 'staging';
  const parts: ExporterParts = {
    stores,
    assets,
    now,
    apiOf,
    random: seeded(1),
    signals: createRunSignals(),
    logger: SILENT,
    timers,
    get settings() {
      return { bucket, folder: 'apps/mws', isPublic: true };
    },
    problemOf: async () => problem,
    serviceOf: async () => serviceAccountOf({ ...fake.keyFor(origin), ...changedKey }),
  };
  const exporter = createExporter(parts);
  return {
    fake,
    stores,
    clock,
    exporter,
    tick,
    /** The exporter of another process on the same database. */
    otherProcess: () => createExporter({ ...parts, timers: heldTimers().timers }),
    /** Replaces members of the key. */
    setKey: (members: object) => {
      changedKey = members;
      apis.clear();
    },
    setBucket: (name: string) => void (bucket = name),
    setProblem: (text: string | undefined) => void (problem = text),
    publish: (names: readonly string[], accountId = 1) => publish({ stores, assets }, names, accountId),
    /** Makes due steps and advances the clock to the next one, until no export is unfinished. */
    settle: async (mostSteps = 5000) => {
      for (let steps = 0; steps < mostSteps;) {
        steps += await exporter.runDue();
        const due = await stores.eoExports.nextDue();
        if (due === null) return;
        clock.ms = Math.max(clock.ms, Date.parse(due));
      }
      throw new Error(`not settled after ${mostSteps} steps`);
    },
  };
}

/** Timers whose pauses end when `tick` is called, or when their signal aborts. */
function heldTimers() {
  const waiting = new Set<() => void>();
  const sleep = (_ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waiting.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  const tick = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return { timers: { sleep }, tick };
}

type Published = {
  readonly stores: ReturnType<typeof createMemoryDomainStores>;
  readonly assets: ReturnType<typeof createMemoryAssets>;
};

/** Publishes rasters with a run of an account; returns the run. */
async function publish({ stores, assets }: Published, names: readonly string[], accountId: number): Promise<Run> {
  const { tehsil } = await stores.places.saveBundle({
    state: 'Nadi Pradesh',
    district: 'East Nadi',
    tehsil: 'Jal Gaon',
    geometry: BOUNDARY,
    mws: [],
    villages: [],
  });
  if ((await stores.eoAccounts.list()).length === 0)
    await stores.eoAccounts.create({ name: 'ee', accountEmail: null, isVisible: true, platform: 'earth_engine' });
  const id = crypto.randomUUID();
  const params = { eoAccountId: accountId, tehsilId: tehsil.id };
  await stores.runs.enqueue({ id, pipeline: 'p', params, fingerprint: id, ownerId: 1 });
  const run = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 });
  if (run === undefined) throw new Error('no run was claimed');
  await assets.begin(run.id, run.token);
  const layers = await Promise.all(
    names.map(async (layerName) => {
      const { key: assetKey } = await assets.write(run.id, run.token, `${layerName}.tif`, `content of ${layerName}`);
      const item = { itemId: `item_${layerName}`, datasetName: 'LULC', styleKey: null };
      return { ...item, workspace: 'lulc', layerName, layerType: 'raster' as const, tehsilId: tehsil.id, assetKey };
    }),
  );
  const items = layers.map(({ itemId }) => ({
    id: itemId,
    collectionPath: 'nadi_pradesh/east_nadi/jal_gaon',
    item: { id: itemId },
  }));
  await stores.runs.publish(run.id, run.token, { items, layers, timings: {} });
  return run;
}

const BOUNDARY = {
  type: 'MultiPolygon' as const,
  coordinates: [
    [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 0],
      ],
    ],
  ],
};

const LIST = { order: 'published', isDescending: true, layerType: 'raster' } as const;

describe('an export', () => {
  it('uploads the raster, imports it, makes the asset readable, and removes the file from the bucket', async () => {
    const { fake, stores, publish: add, exporter, settle } = await world();
    await add(['level_1']);
    expect([await exporter.findNew(), await exporter.findNew()]).toEqual([1, 0]);
    await settle();
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/level_1`;
    const { rows } = await stores.eoExports.list({ limit: 10, offset: 0 });
    expect(rows).toMatchObject([{ state: 'done', assetPath: path, eecuSeconds: 1.25, problem: null, attempts: 0 }]);
    expect(fake.assets.get(path)).toMatchObject({
      properties: { headwater_file: rows[0]?.assetKey, headwater_layer: 'lulc:level_1' },
    });
    expect(fake.policies.get(path)).toEqual([{ role: 'roles/viewer', members: ['allUsers'] }]);
    expect([fake.objects.size, fake.operations.length, fake.tokensGiven]).toEqual([0, 1, 1]);
    const steps = fake.requests.filter((each) => !each.includes('assets/apps'));
    expect(steps.at(0)).toMatch(/^POST \/upload\/storage/);
  });

  it('is made for rasters of accounts of the platform only, and for each new file of a layer', async () => {
    const { fake, publish: add, exporter, settle, stores } = await world();
    await stores.eoAccounts.create({ name: 'local', accountEmail: null, isVisible: true });
    await add(['a'], 1);
    expect(await exporter.findNew()).toBe(0);
    await stores.eoAccounts.change(1, { platform: 'earth_engine' });
    await add(['a']);
    expect(await exporter.findNew()).toBe(1);
    await settle();
    await add(['a']);
    expect(await exporter.findNew()).toBe(1);
    await settle();
    expect(fake.operations.map(({ isDone }) => isDone)).toEqual([true, true]);
    const layer = await stores.catalog.layer('lulc', 'a');
    expect(fake.assets.get(`${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`)).toMatchObject({
      properties: { headwater_file: layer?.assetKey },
    });
  });

  it.each([
    ['its operation is known', false],
    ['the response to its import was lost', true],
  ])('waits for the import of an earlier file of its layer, if %s', async (_, isLost) => {
    let losses = isLost ? 0 : 1;
    const fault: FaultRule = ({ path }) => (path.endsWith(':import') && losses++ < 1 ? 'lost' : undefined);
    const { fake, publish: add, exporter, settle, stores, clock } = await world({ fault, polls: 4 });
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    expect(fake.operations.map(({ isDone }) => isDone)).toEqual([false]);
    await add(['a']);
    await exporter.findNew();
    clock.ms += 1000;
    await exporter.runDue();
    expect(fake.operations.length).toBe(1);
    const { rows: open } = await stores.eoExports.list({ state: 'waiting', limit: 9, offset: 0 });
    expect(open).toMatchObject([{ problem: 'It waits for the import of an earlier file of this layer.', failures: 0 }]);
    await settle();
    expect(fake.operations.map(({ isDone }) => isDone)).toEqual([true, true]);
    const layer = await stores.catalog.layer('lulc', 'a');
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    expect(fake.assets.get(path)).toMatchObject({ properties: { headwater_file: layer?.assetKey } });
    const { rows } = await stores.eoExports.list({ limit: 9, offset: 0 });
    const ends = new Map(rows.map(({ assetKey, state }) => [assetKey === layer?.assetKey, state]));
    expect([ends.get(true), ends.get(false)]).toEqual(['done', 'failed']);
  });

  it('does not start twice if the response to the import is lost, even before it is listed', async () => {
    let losses = 0;
    const fault: FaultRule = ({ path }) => (path.endsWith(':import') && losses++ < 2 ? 'lost' : undefined);
    const { fake, publish: add, exporter, settle, stores } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    await settle();
    expect(fake.operations.length).toBe(1);
    expect((await stores.eoExports.list({ limit: 1, offset: 0 })).rows).toMatchObject([{ state: 'done' }]);
  });

  it.each([
    ['a page of the list could not be read', true],
    ['a layer was unpublished between two pages', false],
  ])('is made for each raster although %s', async (_, fails) => {
    const { exporter, publish: add, stores } = await world();
    await add(Array.from({ length: 250 }, (__, index) => `layer_${index}`));
    const { operatorLists } = stores;
    const layers = operatorLists.layers.bind(operatorLists);
    let isFirst = true;
    operatorLists.layers = async (page) => {
      if (page.offset < 150 || !isFirst) return await layers(page);
      isFirst = false;
      if (fails) throw new Error('the database is unavailable');
      const [newest] = (await layers({ ...page, offset: 0, limit: 1 })).rows;
      const item = { collectionPath: 'nadi_pradesh/east_nadi/jal_gaon', id: `item_${newest?.layerName}` };
      await stores.runs.unpublish(item);
      return await layers(page);
    };
    await exporter.findNew().catch(() => 0);
    await exporter.findNew();
    const exports = (await stores.eoExports.list({ limit: 300, offset: 0 })).rows.map(({ layerName }) => layerName);
    const published = (await layers({ ...LIST, limit: 300, offset: 0 })).rows.map(({ layerName }) => layerName);
    expect(published.length).toBe(fails ? 250 : 249);
    expect(published.filter((name) => !exports.includes(name))).toEqual([]);
  });

  it('ends without an import if the asset already has this file', async () => {
    const { fake, publish: add, exporter, settle } = await world();
    const run = await add(['a']);
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    fake.assets.set(path, { name: path, properties: { headwater_file: `${run.id}/${run.token}/a.tif` } });
    await exporter.findNew();
    await settle();
    expect([fake.operations.length, fake.policies.has(path)]).toEqual([0, true]);
  });

  it('replaces a token that expired in the middle', async () => {
    const { fake, publish: add, exporter, settle } = await world();
    await add(['a', 'b']);
    await exporter.findNew();
    await exporter.runDue();
    fake.expireTokens();
    await settle();
    expect([fake.tokensGiven, fake.operations.length]).toEqual([2, 2]);
  });

  it('waits while its account cannot be used, and until a spent quota ends', async () => {
    let isSpent = true;
    const fault: FaultRule = ({ path }) => (isSpent && path.endsWith(':import') ? 'quota' : undefined);
    const { publish: add, exporter, settle, stores, clock, setProblem } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    setProblem('is disabled');
    await exporter.runDue();
    const first = async () => (await stores.eoExports.list({ limit: 1, offset: 0 })).rows[0];
    expect(await first()).toMatchObject({ state: 'waiting', problem: 'Account 1 is disabled', failures: 0 });
    setProblem(undefined);
    clock.ms += 600_000;
    await exporter.runDue();
    const until = new Date(clock.ms + 600_000).toISOString();
    expect(await stores.eoAccounts.byId(1)).toMatchObject({ exhaustedUntil: until });
    expect(await first()).toMatchObject({ dueAt: until, problem: expect.stringMatching(/429: Quota exceeded/) });
    isSpent = false;
    await settle();
    expect(await first()).toMatchObject({ state: 'done' });
  });

  it('retries a limit per minute without a spent account', async () => {
    let isLimited = true;
    const fault: FaultRule = ({ path }) => (isLimited && path.endsWith(':import') ? 'rate' : undefined);
    const { publish: add, exporter, settle, stores } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    expect(await stores.eoAccounts.byId(1)).toMatchObject({ exhaustedUntil: null });
    isLimited = false;
    await settle();
    expect((await stores.eoExports.list({ limit: 1, offset: 0 })).rows).toMatchObject([{ state: 'done' }]);
  });

  it('fails if the token endpoint of the key cannot be used', async () => {
    const { publish: add, exporter, stores, setKey } = await world();
    setKey({ token_uri: 'http://tokens.example/token' });
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    const { rows } = await stores.eoExports.list({ limit: 1, offset: 0 });
    expect(rows).toMatchObject([{ state: 'failed', problem: expect.stringMatching(/not an https address/) }]);
  });

  it.each([
    ['failed', 403 as const],
    ['is being imported', undefined],
  ])('begins again in the project of a new key if it %s in another one', async (_, wanted) => {
    let isFaulty = true;
    const fault: FaultRule = ({ path }) => (isFaulty && path.endsWith(':import') ? wanted : undefined);
    const { fake, publish: add, exporter, settle, stores, setKey, clock } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    const [first] = (await stores.eoExports.list({ limit: 1, offset: 0 })).rows;
    assert(first !== undefined);
    isFaulty = false;
    setKey({ project_id: 'projects-of-asha' });
    fake.objects.clear();
    await stores.eoExports.retry(first.id, new Date(clock.ms));
    await settle();
    const path = `projects/projects-of-asha/assets/apps/mws/nadi_pradesh/east_nadi/jal_gaon/a`;
    expect(await stores.eoExports.byId(first.id)).toMatchObject({ state: 'done', assetPath: path });
    expect(fake.assets.has(path)).toBe(true);
    const folders = [...fake.assets.values()].filter(({ type }) => type === 'FOLDER').map(({ name }) => String(name));
    expect(folders.filter((name) => !/^projects\/[^/]+\/assets\/apps/.test(name))).toEqual([]);
  });

  it('uploads the file again after a retry, and removes it from the bucket that it was in', async () => {
    const { fake, publish: add, exporter, settle, stores, clock, setBucket } = await world();
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    fake.importErrors.set(path, 'Unable to read the file');
    await add(['a', 'b']);
    await exporter.findNew();
    await exporter.runDue();
    setBucket('other');
    await settle();
    const [failed] = (await stores.eoExports.list({ state: 'failed', limit: 1, offset: 0 })).rows;
    assert(failed !== undefined);
    expect(fake.requests.filter((each) => each.startsWith('DELETE /storage/v1/b/staging/')).length).toBe(2);
    fake.objects.clear();
    fake.importErrors.clear();
    await stores.eoExports.retry(failed.id, new Date(clock.ms));
    await settle();
    expect(await stores.eoExports.byId(failed.id)).toMatchObject({ state: 'done' });
    expect(fake.requests.filter((each) => each.startsWith('POST /upload/storage/v1/b/other/')).length).toBe(1);
  });

  it.each([
    ['rights are missing', { fault: 403 as const }, /HTTP 403: Permission denied\. .*roles Earth Engine/],
    ['an asset of another program has its path', { other: true }, /was not made by this service\. Move or delete it/],
    [
      'the import fails three times',
      { importError: 'Unable to read the file' },
      /Unable to read the file This was attempt 3/,
    ],
  ])('fails with the reason and the remedy if %s; the layer stays, and a retry succeeds', async (_, given, problem) => {
    const { fault: wanted, other, importError } = { fault: undefined, importError: undefined, other: false, ...given };
    let isFaulty = true;
    const {
      fake,
      publish: add,
      exporter,
      settle,
      stores,
      clock,
    } = await world({
      fault: () => (isFaulty ? wanted : undefined),
    });
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    if (other) fake.assets.set(path, { name: path });
    if (importError !== undefined) fake.importErrors.set(path, importError);
    await add(['a']);
    await exporter.findNew();
    await settle();
    const [failed] = (await stores.eoExports.list({ limit: 1, offset: 0 })).rows;
    expect(failed).toMatchObject({ state: 'failed', problem: expect.stringMatching(problem), source: null });
    expect(fake.objects.size).toBe(0);
    expect(await stores.catalog.layer('lulc', 'a')).toMatchObject({ assetKey: failed?.assetKey });
    isFaulty = false;
    fake.importErrors.clear();
    fake.assets.delete(path);
    await stores.eoExports.retry(failed?.id ?? '', new Date(clock.ms));
    await settle();
    expect(await stores.eoExports.byId(failed?.id ?? '')).toMatchObject({ state: 'done' });
  });

  it.each([
    ['its import fails three times', async () => {}],
    ['its layer is computed again', async (add: (names: string[]) => Promise<unknown>) => await add(['a'])],
  ])('leaves no file in the bucket if %s, also if the bucket does not answer at first', async (_, change) => {
    let losses = 0;
    const fault: FaultRule = ({ method }) => (method === 'DELETE' && losses++ < 2 ? 503 : undefined);
    const { fake, publish: add, exporter, settle, stores, clock } = await world({ fault });
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    fake.importErrors.set(path, 'Unable to read the file');
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    expect(fake.objects.size).toBe(1);
    clock.ms += 60_000;
    await exporter.runDue();
    await change(add);
    await settle();
    const { rows } = await stores.eoExports.list({ limit: 1, offset: 0 });
    expect(rows).toMatchObject([{ state: 'failed', source: null }]);
    expect([fake.objects.size, losses > 2]).toEqual([0, true]);
  });

  it('names the file in the bucket if it may not be removed after a failure', async () => {
    const fault: FaultRule = ({ method, path }) =>
      method === 'DELETE' || path.endsWith(':import') ? 403 : undefined;
    const { publish: add, exporter, settle, stores } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    await settle();
    const [failed] = (await stores.eoExports.list({ limit: 1, offset: 0 })).rows;
    expect(failed).toMatchObject({ state: 'failed', source: `gs://staging/earth-engine/${failed?.id}.tif` });
    expect(failed?.problem).toContain(`The file ${failed?.source} may still be in the bucket; remove it there.`);
  });

  it.each([
    ['before its file is uploaded', '/upload/'],
    ['while its import is started', ':import'],
    ['while its asset is made readable', ':setIamPolicy'],
  ])('is continued by another process within two minutes after a kill %s, and is not imported twice', async (_, at) => {
    const reached = Promise.withResolvers<void>();
    let isAlive = true;
    const fault: FaultRule = ({ path }) => {
      if (!isAlive || !path.includes(at)) return undefined;
      reached.resolve();
      return 'silent';
    };
    const { fake, publish: add, exporter, settle, stores, clock, otherProcess } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    const killed = settle();
    killed.catch(() => {});
    await reached.promise;
    isAlive = false;
    const kill = clock.ms;
    const other = otherProcess();
    expect(await other.runDue()).toBe(0);
    clock.ms = Date.parse((await stores.eoExports.nextDue()) ?? '');
    expect(clock.ms - kill).toBeLessThanOrEqual(120_000);
    for (let steps = 0; steps < 20; steps += 1) {
      await other.runDue();
      const due = await stores.eoExports.nextDue();
      if (due === null) break;
      clock.ms = Math.max(clock.ms, Date.parse(due));
    }
    expect((await stores.eoExports.list({ limit: 2, offset: 0 })).rows).toMatchObject([{ state: 'done' }]);
    expect([fake.operations.length, fake.objects.size]).toEqual([1, 0]);
  });

  it('belongs to its process for as long as an upload takes', async () => {
    const [reached, uploaded] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    const { publish: add, exporter, stores, clock, tick, otherProcess, fake } = await world({
      fault: ({ path }) => {
        if (!path.startsWith('/upload/')) return undefined;
        reached.resolve();
        return uploaded.promise;
      },
    });
    await add(['a']);
    await exporter.findNew();
    const working = exporter.runDue();
    await reached.promise;
    const other = otherProcess();
    for (let beats = 0; beats < 10; beats += 1) {
      const before = await stores.eoExports.nextDue();
      clock.ms += 30_000;
      tick();
      await expect.poll(() => stores.eoExports.nextDue()).not.toBe(before);
      expect(await other.runDue()).toBe(0);
    }
    uploaded.resolve(undefined);
    expect(await working).toBe(1);
    expect(fake.requests.filter((each) => each.startsWith('POST /upload/')).length).toBe(1);
  });

  it('is neither lost nor doubled if 30 % of the requests of many exports fail', async () => {
    const count = sized(50, 200);
    const random = seeded(7);
    const faults = [401, 429, 503, 'lost', 'half'] as const;
    const fault: FaultRule = () => (random() < 0.3 ? faults[Math.floor(random() * faults.length)] : undefined);
    const { fake, publish: add, exporter, settle, stores } = await world({ fault, tokenSeconds: 600 });
    const names = Array.from({ length: count }, (_, index) => `layer_${index}`);
    await add(names);
    expect(await exporter.findNew()).toBe(count);
    await settle(50_000);
    const { rows } = await stores.eoExports.list({ limit: 500, offset: 0 });
    expect(rows.filter(({ state }) => state !== 'done')).toEqual([]);
    const images = [...fake.assets.values()].filter(({ type }) => type === 'IMAGE');
    expect([images.length, fake.operations.length, fake.policies.size]).toEqual([count, count, count]);
    expect(new Set(rows.map(({ assetPath }) => assetPath))).toEqual(new Set(images.map(({ name }) => name)));
    expect(fake.objects.size).toBe(0);
  }, 120_000);
});
