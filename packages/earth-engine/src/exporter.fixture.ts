import { type Run, SILENT } from '@headwater/core';
import { createMemoryAssets, createMemoryDomainStores } from '@headwater/core/memory';
import { createRunSignals } from '@headwater/core/runs';
import { Network } from '@headwater/net';
import { googleTokens, type ServiceAccount, serviceAccountOf } from '@headwater/net/google';
import { onTestFinished } from 'vitest';
import { stillClock } from '../../../scripts/still-clock.mjs';
import { createExporter, type ExporterParts } from './exporter.ts';
import { createGoogleApi, type GoogleApi } from './google-api.ts';
import { EARTH_ENGINE_SCOPES } from './steps/step.ts';
import { createAccountKeys, FakeGoogle, type FakeGoogleOptions, type FaultRule } from './testing/fake-google.ts';

const START = Date.parse('2026-11-29T00:00:00Z');
/** Folder of the assets in the test world. */
export const FOLDER = 'projects/project/assets/apps/mws';
/** Keys of the service account. All tests share them, because creating keys takes long. */
const KEYS = createAccountKeys();

/** Repeatable random numbers (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * An exporter on stores in memory and a fake of Google. The clock advances only in `settle`, and when a test changes
 * `clock.ms`.
 */
export async function world({ fault, ...options }: FakeGoogleOptions & { readonly fault?: FaultRule } = {}) {
  const clock = { ms: START };
  const now = (): Date => new Date(clock.ms);
  const fake = new FakeGoogle({ keys: KEYS, ...options, now, ...(fault === undefined ? {} : { fault }) });
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
      createGoogleApi({ hosts: { earthEngine: origin, storage: origin, monitoring: origin }, tokens, fetch, now });
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
    otherProcess: () => createExporter({ ...parts, timers: heldTimers().timers }),
    setKey: (members: object) => {
      changedKey = members;
      apis.clear();
    },
    setBucket: (name: string) => void (bucket = name),
    setProblem: (text: string | undefined) => void (problem = text),
    publish: (names: readonly string[], accountId = 1) => publish({ stores, assets }, names, accountId),
    /** Makes all due steps and advances the clock until all exports have ended. */
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
