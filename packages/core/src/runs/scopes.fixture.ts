import { afterEach, beforeEach, onTestFinished } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { boxPolygon } from '../geo/outlines.ts';
import { placeFields } from '../pipelines/request-fields.ts';
import type { Pipeline } from '../pipelines/pipeline.ts';
import { checkAccount } from '../places/computed-place.ts';
import { findPlace } from '../places/find-place.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import { needsWorld, type NeedsWorld } from './needs.fixture.ts';
import { createRunService, type RunServiceDeps, type StartableRunService } from './service.ts';
import { createRunSignals } from './signals.ts';
import type { RunWorker } from './types.ts';
import { partState } from './scope-report.ts';

export const request = z.object({ ...placeFields, year: z.int(), eoAccountId: z.int().optional() });
const params = z.object({ tehsilId: z.int(), year: z.int() });
type TilePipeline = Pipeline<z.infer<typeof request>, z.infer<typeof params>>;

const DISTRICTS = ['West', 'East'];
export const AREA = { scope: 'district', state: 'Bihar', district: 'West' } as const;
export const STATE = { scope: 'state', state: 'bihar' } as const;

export let world: NeedsWorld;
export let worker: RunWorker;
/** Names of the computed tehsils, also of failed computations, in the order of the computations. */
export let made: string[];
/** Tehsils for which a source does not answer. */
export let silent: Set<string>;
let compare: () => Promise<unknown>;
/** Tehsils whose computation fails. */
export let broken: Set<string>;
/** Executions wait until a test resolves this promise. */
export let gate: PromiseWithResolvers<void> | undefined;
let others: StartableRunService[];

export const tiles: TilePipeline = {
  name: 'tiles',
  route: 'tiles_for_tehsil',
  aliases: [],
  summary: 'Tiles',
  examples: [{ name: 'first', request: { state: 'Bihar', district: 'West', tehsil: 'T00', year: 2020 } }],
  messages: { initiated: 'initiated', finished: 'finished' },
  request,
  params,
  steps: [{ name: 'work', weight: 1 }],
  resolve: async ({ year, eoAccountId, ...names }, { places, eoAccounts }) => {
    if (year > 2025)
      throw new DomainError('validation', 'year', {
        fields: { year: [{ rule: 'invalid', message: 'is in the future' }] },
      });
    if (eoAccountId !== undefined) await checkAccount(eoAccountId, eoAccounts);
    if (silent.has(names.tehsil)) throw new DomainError('unavailable', 'The source does not answer.');
    return { tehsilId: (await findPlace(places, names)).tehsil.id, year };
  },
  fingerprint: ({ tehsilId, year }) => `${tehsilId}:${year}`,
  inputs: async ({ tehsilId }) => {
    await compare();
    return `scenes of ${tehsilId}`;
  },
  execute: async ({ tehsilId }, { places }, { signal }) => {
    const name = (await places.placeOfTehsil(tehsilId))?.tehsil.name ?? '';
    await Promise.race([gate?.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    signal.throwIfAborted();
    made.push(name);
    if (broken.has(name)) throw new DomainError('no_scenes', `${name} has no scenes.`);
    return { items: [], layers: [], timings: {}, inputs: `scenes of ${tehsilId}` };
  },
};

/** Registers the hooks that create the stores and services of each test. Call this function in each test file. */
export function setUpScopes(): void {
  beforeEach(async () => {
    [made, broken, silent, gate, others] = [[], new Set(), new Set(), undefined, []];
    compare = async () => {};
    world = needsWorld([tiles]);
    for (const [index, district] of DISTRICTS.entries())
      for (const column of [0, 1])
        for (const row of [2, 0, 1]) {
          const [west, south] = [85 + index + column / 2, 25 + row / 2];
          const geometry = boxPolygon([west, south, west + 0.5, south + 0.5]);
          const tehsil = `T${2 * index + column}${row}`;
          await world.stores.places.saveBundle({ state: 'Bihar', district, tehsil, geometry, mws: [], villages: [] });
        }
    worker = world.worker();
  });

  afterEach(async () => {
    gate?.resolve();
    await Promise.all([world.service, ...others].map(({ coordinator }) => coordinator.close()));
    await world.close();
  });
}

export const start = async (area: typeof AREA | typeof STATE = AREA, options = {}, year = 2020): Promise<Run> =>
  (await world.service.startScope(world.owner, { pipeline: tiles, area, request: { year }, options })).run;

export const end = (run: Run): Promise<Run> => world.service.waitFor(run.id, new AbortController().signal);

export const states = async (run: Run): Promise<readonly string[]> =>
  (await world.stores.runs.parts(run.id)).map((part) => partState(part, run.id));

/** Starts a further coordinator over the same stores, as another process would do. */
export function coordinatorOver(
  runs: RunStore = world.stores.runs,
  rest: Pick<RunServiceDeps, 'backend' | 'pipelines' | 'coordinator'> = {},
): StartableRunService {
  const service = createRunService({
    stores: { ...world.stores, runs },
    signals: createRunSignals(),
    clock: { now: () => new Date() },
    pipelines: world.pipelines,
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
    coordinator: { leaseMs: 600, idleMs: 10 },
    ...rest,
  });
  others.push(service);
  service.coordinator.start();
  return service;
}

/** A store of runs in which one method is replaced; `instead` gets the original method. */
export function storeWith(
  name: keyof RunStore,
  instead: (original: (...args: unknown[]) => unknown) => unknown,
): RunStore {
  return new Proxy(world.stores.runs, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      const original = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      return key === name ? instead(original) : original;
    },
  });
}

/** Starts the worker and wakes it every 10 ms, because signals of a service of `coordinatorOver` do not reach the worker. */
export function keepWorking(): void {
  worker.start();
  const ticking = setInterval(() => worker.wake(), 10);
  onTestFinished(() => clearInterval(ticking));
}

export const childrenOf = async ({ id }: Run): Promise<readonly Run[]> =>
  (await world.stores.runs.list({ parentId: id, limit: 99, offset: 0 })).runs;

/** Starts the worker and the coordinator. */
export function go(): void {
  worker.start();
  world.service.coordinator.start();
}

/** Makes executions wait until the gate is resolved. */
export function closeGate(): PromiseWithResolvers<void> {
  gate = Promise.withResolvers();
  return gate;
}

/** Sets a function that is called before the inputs of a stored result are compared. */
export function compareAfter(wait: () => Promise<unknown>): void {
  compare = wait;
}
