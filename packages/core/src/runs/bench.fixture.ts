import { z } from 'zod';
import { DEFAULT_REMEDIES } from '../pipelines/needs.ts';
import type { Pipeline, PipelineContext, PipelinePorts } from '../pipelines/pipeline.ts';
import { DomainError } from '../errors.ts';
import { createMemoryAssets, type MemoryAssets } from '../memory/assets.ts';
import { createManualTime, type ManualTime } from '../testing/manual-time.ts';
import { createMemoryDomainStores } from '../memory/stores.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { PixelEngine } from '../ports/pixels.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { ClaimOptions, Deliverable, RunStore } from '../ports/runs.ts';
import type { DomainStores } from '../ports/stores.ts';
import type { Logger } from '../ports/host.ts';
import { createPublishedLayers } from '../pipelines/published.ts';
import { createPipelineRegistry } from './registry.ts';
import { createRunService } from './service.ts';
import { createRunSignals, type RunSignals } from './signals.ts';
import type { ItemCheck, RunPrincipal, RunService, RunWorker, WorkerSettings } from './types.ts';
import { createRunWorker } from './worker.ts';

/** Options of a claim by a worker of another process. */
export const CLAIM: ClaimOptions = { workerId: 'elsewhere', leaseMs: 30_000, pipelines: ['test'], maxAttempts: 3 };

/** An execution of the test pipeline that waits until the test ends it. */
export interface HeldStep {
  readonly context: PipelineContext;
  readonly ports: PipelinePorts;
  readonly finish: (deliverable: Deliverable) => void;
  readonly fail: (error: unknown) => void;
}

/** Parameters of the test pipeline. */
export interface TestParams {
  readonly n: number;
}

/** A run service and workers over memory stores, with a clock that the test advances. */
export interface Bench {
  /** Ports of the worker; its pixel engine computes nothing. */
  readonly ports: PipelinePorts;
  readonly time: ManualTime;
  readonly stores: DomainStores;
  readonly assets: MemoryAssets;
  readonly signals: RunSignals;
  readonly service: RunService;
  readonly pipeline: Pipeline<TestParams, TestParams>;
  readonly owner: RunPrincipal;
  readonly log: {
    readonly level: string;
    readonly fields: Readonly<Record<string, unknown>>;
    readonly message: string;
  }[];
  /** Starts a run as the owner and returns its id. */
  readonly start: (n: number) => Promise<string>;
  /** Returns the next execution of the test pipeline. A `deaf` execution ignores the abort of its signal. */
  readonly step: (options?: { readonly deaf?: boolean }) => Promise<HeldStep>;
  /** Returns the number of executions so far. */
  readonly begun: () => number;
  readonly worker: (settings?: Partial<WorkerSettings>, runs?: RunStore, assets?: AssetStore) => RunWorker;
  /** Builds a run store with a connection that the test can cut. */
  readonly cuttable: () => { readonly runs: RunStore; readonly cut: () => void; readonly mend: () => void };
  readonly placesAway: (unavailable: boolean) => void;
  readonly stopAll: () => Promise<void>;
}

/** Creates the error of a store without connection to its database. */
export function unavailable(): DomainError {
  return new DomainError('unavailable', 'the database does not answer');
}

/** Builds a result with these Items; the Item with the id `broken` breaks a rule. */
export function deliverable(ids: readonly string[], note = ''): Deliverable {
  const items = ids.map((id) => ({ id, collectionPath: 's/d/b', item: { id, note } }));
  return { items, layers: [], timings: { measured: 7 } };
}

/** Builds the principal of a signed-in user. */
export function principal(id: number, isSuperuser = false): RunPrincipal {
  return { user: { id, isSuperuser } };
}

const pick = ({ earthObservation }: PipelinePorts): Pick<PipelinePorts, 'earthObservation'> => ({ earthObservation });

/** Builds a `Bench`. No run is executed before a worker is started. */
export function bench(): Bench {
  const time = createManualTime();
  const stores = createMemoryDomainStores({ clock: time });
  const assets = createMemoryAssets(time);
  const signals = createRunSignals();
  const log: Bench['log'] = [];
  const held: (HeldStep & { readonly listen: () => void })[] = [];
  let begun = 0;
  const pipeline = testPipeline((step) => {
    begun += 1;
    held.push(step);
  });
  let placesAreAway = false;
  const places = failing(stores.places, () => placesAreAway);
  const ports: PipelinePorts = {
    places,
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
    pixels: noPixels,
    assets,
    published: createPublishedLayers(stores, assets),
    addresses: noAddresses,
    remedies: DEFAULT_REMEDIES,
    version: '0.0.0',
    now: () => time.now(),
  };
  const service = createRunService({ ...pick(ports), stores, signals, clock: time, timers: time });
  const owner = principal(1);
  const workers: RunWorker[] = [];
  return {
    time,
    stores,
    assets,
    signals,
    ports,
    service,
    pipeline,
    owner,
    log,
    start: async (n) => (await service.start(owner, pipeline, { n })).run.id,
    step: async ({ deaf = false } = {}) => {
      await time.advance(0);
      const step = held.shift();
      if (step === undefined) throw new Error('no run is being executed, but the test expects one');
      if (!deaf) step.listen();
      return step;
    },
    begun: () => begun,
    worker: (settings = {}, runs = stores.runs, store = assets) => {
      const pipelines = createPipelineRegistry([pipeline]);
      const logger = recorder(log);
      const worker = createRunWorker({
        runs,
        pipelines,
        ports: { ...ports, assets: store },
        checkItem,
        signals,
        clock: time,
        timers: time,
        logger,
        settings,
      });
      workers.push(worker);
      return worker;
    },
    cuttable: () => {
      let isCut = false;
      return { runs: failing(stores.runs, () => isCut), cut: () => (isCut = true), mend: () => (isCut = false) };
    },
    placesAway: (isUnavailable) => (placesAreAway = isUnavailable),
    stopAll: async () => {
      const stopping = Promise.all(workers.map((worker) => worker.stop({ graceMs: 0 })));
      for (const step of held) step.fail(new Error('left over'));
      await time.advance(60_000);
      await stopping;
      // A timer is left if a test did not stop a worker or follower.
      if (time.sleeping > 0) throw new Error(`${time.sleeping} sleepers are left over`);
      const listeners = signals.eventNames();
      if (listeners.length > 0) throw new Error(`listeners of ${listeners.join(', ')} are left over`);
    },
  };
}

/** Addresses for tests that do not check addresses. */
export const noAddresses: PipelinePorts['addresses'] = {
  catalog: () => 'http://localhost/',
  collection: (path) => `http://localhost/${path}/`,
  item: (path, id) => `http://localhost/${path}/${id}`,
  file: (key) => `http://localhost/files/${key}`,
  features: (workspace, layer) => `http://localhost/${workspace}/${layer}`,
  table: (path, name, form) => `http://localhost/tables/${path}/${name}.${form}`,
  coverage: (workspace, layer) => `http://localhost/${workspace}/${layer}`,
};

function testPipeline(
  begin: (step: HeldStep & { readonly listen: () => void }) => void,
): Pipeline<TestParams, TestParams> {
  const params = z.object({ n: z.int() });
  return {
    name: 'test',
    route: 'test',
    aliases: [],
    summary: 'Waits until the test ends it',
    examples: [{ name: 'first', request: { n: 1 } }],
    messages: { initiated: 'test initiated', finished: 'test finished' },
    request: params,
    resolve: async (request) => request,
    params,
    steps: [
      { name: 'read', weight: 1 },
      { name: 'write', weight: 3 },
    ],
    fingerprint: ({ n }) => String(n),
    execute: async (_params, ports, context) => {
      const { run, signal } = context;
      await ports.assets.begin(run.id, run.token);
      const { promise, resolve, reject } = Promise.withResolvers<Deliverable>();
      const listen = (): void => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener('abort', () => reject(signal.reason));
      };
      begin({ context, ports, finish: resolve, fail: reject, listen });
      return promise;
    },
  };
}

const checkItem: ItemCheck = (item) => {
  const broken = { severity: 'error', rule: 'assets.data', pointer: '/assets' } as const;
  const odd = { severity: 'warning', rule: 'title', pointer: '' } as const;
  return item['id'] === 'broken' ? [odd, broken] : [odd];
};

/** Wraps a store: its calls fail as `unavailable` while `isUnavailable` returns true. */
function failing<S extends RunStore | PlaceStore>(store: S, isUnavailable: () => boolean): S {
  return new Proxy(store, {
    get: (target, key, receiver) => {
      const member: unknown = Reflect.get(target, key, receiver);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown =>
        isUnavailable() ? Promise.reject(unavailable()) : Reflect.apply(member, target, args);
    },
  });
}

function recorder(log: Bench['log']): Logger {
  const at =
    (level: string): Logger['info'] =>
    (fields, message) =>
      void log.push({ level, fields, message });
  return { debug: at('debug'), info: at('info'), error: at('error') };
}

const refused = (): never => {
  throw new Error('the test pipeline touches no pixels');
};
/** A pixel engine that rejects every call. */
export const noPixels: PixelEngine = {
  execute: refused,
  combine: refused,
  whole: refused,
  read: refused,
  fromValues: refused,
  gridOf: refused,
  writeCog: refused,
  zonal: refused,
  zonalValues: refused,
  zonalPairs: refused,
  zonalMeans: refused,
  valuesIn: refused,
  thumbnail: refused,
  zoneThumbnail: refused,
  release: refused,
  close: refused,
};
