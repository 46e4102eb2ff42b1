import {
  type BackendParts,
  type Callbacks,
  type ComputeBackend,
  createCallbacks,
  createRunSignals,
  newRunId,
  observedRunStore,
} from '@headwater/core/runs';
import { createPipelineRegistry, type Place, type Run, SILENT, type DomainStores } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import { createMemoryDomainStores } from '@headwater/core/memory';
import { createOrchestratorClient, type OrchestratorOptions } from '@headwater/orchestrator-client';
import { type FakeDag, FakeOrchestrator, type FakeOptions, VirtualClock } from '@headwater/orchestrator-client/testing';
import { expect } from 'vitest';
import { z } from 'zod';
import { type OrchestratorBackendOptions, orchestratorBackend } from './index.ts';

export const DAG_ID = 'headwater';
export const SERVICE = 'http://service.test';

/** The tehsil of every run. */
export const PLACE: Place = {
  state: { id: 1, name: 'Jharkhand', isActive: true },
  district: { id: 2, name: 'West Singhbhum', isActive: true, stateId: 1 },
  tehsil: {
    id: 7,
    name: 'Chaibasa',
    isActive: true,
    districtId: 2,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [85, 22],
          [86, 22],
          [86, 23],
          [85, 23],
          [85, 22],
        ],
      ],
    },
  },
};

/** A DAG with a task that calls the service back with the conf, as generic workflows do. */
export const CALLS_BACK: FakeDag = {
  id: DAG_ID,
  maxActiveRuns: 5000,
  tasks: [{ id: 'execute', run: ({ conf, post }) => post(`${SERVICE}/api/export-asset`, { conf }) }],
};

/** Creates an Item; `broken` as id makes it invalid. */
export const item = (id: string, rest: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  type: 'Feature',
  id,
  collection: 'jharkhand_west_singhbhum_chaibasa',
  ...rest,
});

/** A service with runs, an orchestrator, their backend, and a clock whose pauses take no time. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly stores: DomainStores;
  readonly runs: RunStore;
  readonly fake: FakeOrchestrator;
  readonly callbacks: Callbacks;
  /** Creates the backend of another process on the store. Its `start` must be called. */
  readonly server: (options?: ServerOptions) => ComputeBackend;
  readonly start: (n?: number, rest?: { readonly parentId?: string; readonly requestId?: string }) => Promise<string>;
  /** Waits for the end of a run. */
  readonly ended: (id: string) => Promise<Run>;
  /** Statuses of responses to callbacks. */
  readonly answered: number[];
  readonly stop: () => Promise<void>;
}

interface ServerOptions extends Partial<OrchestratorBackendOptions> {
  readonly orchestrator?: Partial<OrchestratorOptions>;
  /** Wraps the store of this process. */
  readonly view?: (runs: RunStore) => RunStore;
  /** Returns the trace members for the conf of a run. */
  readonly traces?: Pick<BackendParts, 'traceOf'>;
}

interface BenchOptions extends FakeOptions {
  /** Returns the error of a run's computation. By default, each run succeeds with one Item. */
  readonly compute?: (run: Run) => { readonly error: string } | undefined;
}

const ADDRESSES: BackendParts['addresses'] = {
  catalog: () => `${SERVICE}/stac/`,
  collection: (path) => `${SERVICE}/stac/${path}/`,
  item: (path, id) => `${SERVICE}/stac/${path}/items/${id}/`,
};

/** Creates a `Bench`. Runs are computed after a test has started a server. */
export function bench({ compute = () => undefined, ...options }: BenchOptions = {}): Bench {
  const clock = new VirtualClock();
  const time = { now: () => new Date(clock.now()) };
  const stores = createMemoryDomainStores({ clock: time });
  const signals = createRunSignals();
  const runs = observedRunStore(stores.runs, signals);
  const servers: ComputeBackend[] = [];
  const answered: number[] = [];
  const callbacks = createCallbacks({ runs, now: time.now, waitFor: (id) => computeNow(id) });
  const computeNow = async (id: string): Promise<Run> => {
    await work(stores.runs, compute);
    const run = await runs.get(id);
    if (run === undefined) throw new Error('the run does not exist');
    return run;
  };
  const serve = callbackServer(callbacks, answered);
  const fake = new FakeOrchestrator({
    dags: [CALLS_BACK],
    clock,
    fetch: clock.holding(async (input, init) => await serve(await new Request(input, init).json())),
    ...options,
  });
  const server = (settings: ServerOptions = {}): ComputeBackend => {
    const { orchestrator = {}, view = (store) => store, traces = {}, ...rest } = settings;
    const client = createOrchestratorClient({
      baseUrl: fake.baseUrl,
      credentials: { username: 'admin', password: 'admin' },
      clock,
      // This timeout is in real time, because the virtual clock stands still during a request without response.
      requestTimeoutMs: 20,
      fetch: clock.holding(fake.fetch),
      ...orchestrator,
    });
    const backend = orchestratorBackend({ client, dagId: DAG_ID, ...rest })({
      runs: view(runs),
      signals,
      pipelines: createPipelineRegistry([PIPELINE]),
      places: { placeOfTehsil: async (id) => (id === PLACE.tehsil.id ? PLACE : undefined) },
      checkItem: ({ id }) => (id === 'broken' ? [{ severity: 'error', rule: 'assets.data', pointer: '/assets' }] : []),
      addresses: ADDRESSES,
      statusOf: async (address) =>
        address.startsWith(`${SERVICE}/`) ? (address.endsWith('.tif') ? 200 : 404) : undefined,
      clock: time,
      timers: { sleep: (ms, signal) => clock.sleep(ms, signal).catch(() => {}) },
      logger: SILENT,
      version: '9.9.9',
      wireNames: (members) => members,
      ...traces,
    });
    servers.push(backend);
    return backend;
  };
  let started = 0;
  return {
    clock,
    stores,
    runs,
    fake,
    callbacks,
    server,
    answered,
    start: async (n = (started += 1), rest = {}) => {
      const id = newRunId(time.now());
      const params = { tehsilId: 7, n, start_year: 2022, end_year: 2023 };
      await runs.enqueue({
        id,
        pipeline: 'test',
        params,
        fingerprint: `orchestrator:${n}`,
        ownerId: 1,
        backend: 'orchestrator',
        ...rest,
      });
      return id;
    },
    ended: (id) => endedRun(runs, id),
    stop: async () => {
      await Promise.all(servers.map((each) => each.stop({ graceMs: 1000 })));
    },
  };
}

function callbackServer(callbacks: Callbacks, answered: number[]): (body: unknown) => Promise<Response> {
  const Body = z.object({ conf: z.object({ job_id: z.string(), run_token: z.string() }) });
  return async (body) => {
    const { job_id: jobId, run_token: runToken } = Body.parse(body).conf;
    const run = await callbacks.execute({ jobId, runToken, signal: new AbortController().signal });
    const status = run === undefined ? 404 : run.state === 'success' ? 200 : 500;
    answered.push(status);
    return Response.json({ status: run?.state ?? 'unknown', message: run?.error?.message ?? '' }, { status });
  };
}

async function endedRun(runs: RunStore, id: string): Promise<Run> {
  await expect.poll(async () => (await runs.get(id))?.finishedAt, { interval: 2, timeout: 240_000 }).not.toBeNull();
  const run = await runs.get(id);
  if (run === undefined) throw new Error('the run does not exist');
  return run;
}

async function work(runs: RunStore, compute: NonNullable<BenchOptions['compute']>): Promise<void> {
  for (;;) {
    const run = await runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['test'], maxAttempts: 3 });
    if (run === undefined) return;
    const failed = compute(run);
    const items = [
      { id: `item_${String(run.params['n'])}`, collectionPath: 'jharkhand/west_singhbhum/chaibasa', item: item('x') },
    ];
    await (failed === undefined
      ? runs.publish(run.id, run.token, { items, layers: [], timings: { measured: 7 } })
      : runs.fail(run.id, run.token, { code: 'no_scenes', message: failed.error }));
  }
}

const params = z.object({ tehsilId: z.int(), n: z.int() });
const PIPELINE = {
  name: 'test',
  route: 'test',
  aliases: [],
  summary: 'Computes nothing',
  examples: [],
  messages: { initiated: 'initiated', finished: 'finished' },
  request: params,
  params,
  steps: [{ name: 'compute', weight: 1 }],
  resolve: async (request: unknown) => request,
  fingerprint: () => 'test',
  execute: async () => ({ items: [], layers: [], timings: {} }),
};

/** Options of a fake orchestrator with one task. */
export const dag = (
  run: FakeDag['tasks'][number]['run'],
  rest: Partial<FakeDag> = {},
): { readonly dags: readonly FakeDag[] } => ({
  dags: [{ ...CALLS_BACK, tasks: [{ id: 'execute', run }], ...rest }],
});

/** First run at the orchestrator; throws if there is none. */
export function onlyRun({ fake }: Pick<Bench, 'fake'>): ReturnType<Bench['fake']['runsOf']>[number] {
  const [run] = fake.runsOf(DAG_ID);
  if (run === undefined) throw new Error('no run was started');
  return run;
}
