import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { boxPolygon } from '../geo/outlines.ts';
import { placeFields } from '../pipelines/request-fields.ts';
import type { Pipeline } from '../pipelines/pipeline.ts';
import { findPlace } from '../places/find-place.ts';
import type { Run, RunStore } from '../ports/runs.ts';
import { principal } from './bench.fixture.ts';
import { needsWorld, type NeedsWorld } from './needs.fixture.ts';
import { createPipelineRegistry } from './registry.ts';
import { createRunService, type RunServiceDeps, type StartableRunService } from './service.ts';
import { createRunSignals } from './signals.ts';
import type { RunWorker } from './types.ts';
import { partState } from './scope-report.ts';

const request = z.object({ ...placeFields, year: z.int() });
const params = z.object({ tehsilId: z.int(), year: z.int() });
type TilePipeline = Pipeline<z.infer<typeof request>, z.infer<typeof params>>;

/** Two districts with 2 x 3 tehsils each. A tehsil has its column and row as its name. */
const DISTRICTS = ['West', 'East'];
const AREA = { scope: 'district', state: 'Bihar', district: 'West' } as const;
const STATE = { scope: 'state', state: 'bihar' } as const;

let world: NeedsWorld;
let worker: RunWorker;
/** Executions of the pipeline, as names of tehsils. */
let made: string[];
/** Names of tehsils of which a source does not answer. */
let silent: Set<string>;
/** Called before the inputs of a stored result are compared. */
let compare: () => Promise<unknown>;
/** Names of tehsils that fail. */
let broken: Set<string>;
/** Resolved to continue executions; undefined: they do not wait. */
let gate: PromiseWithResolvers<void> | undefined;
let others: StartableRunService[];

const tiles: TilePipeline = {
  name: 'tiles',
  route: 'tiles_for_tehsil',
  aliases: [],
  summary: 'Tiles',
  examples: [{ name: 'first', request: { state: 'Bihar', district: 'West', tehsil: 'T00', year: 2020 } }],
  messages: { initiated: 'initiated', finished: 'finished' },
  request,
  params,
  steps: [{ name: 'work', weight: 1 }],
  resolve: async ({ year, ...names }, { places }) => {
    if (year > 2025)
      throw new DomainError('validation', 'year', {
        fields: { year: [{ rule: 'invalid', message: 'is in the future' }] },
      });
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

const start = async (area: typeof AREA | typeof STATE = AREA, options = {}, year = 2020): Promise<Run> =>
  (await world.service.startScope(world.owner, { pipeline: tiles, area, request: { year }, options })).run;

const end = (run: Run): Promise<Run> => world.service.waitFor(run.id, new AbortController().signal);

const states = async (run: Run): Promise<readonly string[]> =>
  (await world.stores.runs.parts(run.id)).map((part) => partState(part, run.id));

/** Starts a coordinator of its own over the stores of the world. */
function coordinatorOver(
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

/** A store of runs whose member is replaced; it has the original. */
function storeWith(name: keyof RunStore, instead: (original: (...args: unknown[]) => unknown) => unknown): RunStore {
  return new Proxy(world.stores.runs, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      const original = (...args: unknown[]): unknown => Reflect.apply(member, target, args);
      return key === name ? instead(original) : original;
    },
  });
}

/** Wakes the worker again and again, since it has the signals of another process. */
function keepWorking(): void {
  worker.start();
  const ticking = setInterval(() => worker.wake(), 10);
  onTestFinished(() => clearInterval(ticking));
}

const childrenOf = async ({ id }: Run): Promise<readonly Run[]> =>
  (await world.stores.runs.list({ parentId: id, limit: 99, offset: 0 })).runs;

/** Starts the worker and the coordinator of the world. */
function go(): void {
  worker.start();
  world.service.coordinator.start();
}

describe('a run over a district or a state', () => {
  it('computes every tehsil once, neighbours one after the other, and ends with the last of them', async () => {
    go();
    const run = await end(await start(STATE));
    expect(run).toMatchObject({ state: 'success', itemIds: [], timings: { tehsils: 12, reused: 0 }, progress: 1 });
    expect(made.toSorted()).toEqual([...new Set(made)].toSorted());
    expect(made).toHaveLength(12);
    const { runs } = await world.stores.runs.list({ parentId: run.id, limit: 99, offset: 0 });
    expect(new Set(runs.map(({ params }) => params['tehsilId'])).size).toBe(12);
    const messages = (await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 })).map(
      ({ message }) => message,
    );
    expect(messages).toContain('T00, West: success');
  });

  it('counts as one run of its owner, and an identical request joins it', async () => {
    gate = Promise.withResolvers();
    go();
    const run = await start(STATE);
    await expect.poll(() => states(run)).toContain('running');
    expect((await start(STATE)).id).toBe(run.id);
    const year = (each: number) =>
      world.service.start(
        world.owner,
        tiles,
        request.parse({ state: 'Bihar', district: 'West', tehsil: 'T00', year: each }),
      );
    await year(2021);
    await year(2022);
    await expect(year(2023)).rejects.toMatchObject({ code: 'throttled' });
  });

  it('refuses members that no tehsil can have, unknown places, and pipelines without tehsils', async () => {
    await expect(start(AREA, {}, 2030)).rejects.toMatchObject({ code: 'validation', fields: { year: [{}] } });
    const other = { pipeline: tiles, request: { year: 2020 }, options: {} };
    const { service, owner, pipelines } = world;
    await expect(service.startScope(owner, { ...other, area: { ...STATE, state: 'Bihr' } })).rejects.toMatchObject({
      code: 'not_found',
    });
    const lulc = pipelines.get('lulc') ?? tiles;
    await expect(service.startScope(owner, { ...other, pipeline: lulc, area: STATE })).rejects.toMatchObject({
      code: 'validation',
    });
  });

  it('names the failed tehsils; a retry computes only these', async () => {
    broken.add('T01');
    go();
    const failed = await end(await start());
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'dependency_failed' } });
    expect(failed.error?.message).toMatch(/^1 of 6 tehsils failed: T01 \(West\)\. All others are published\./);
    expect((await states(failed)).toSorted()).toEqual(['failed', ...Array.from({ length: 5 }, () => 'success')]);
    broken.clear();
    made.length = 0;
    const again = await world.service.retryFailed(world.owner, failed.id);
    expect(again.id).not.toBe(failed.id);
    expect(await end(again)).toMatchObject({ state: 'success', timings: { tehsils: 6, reused: 5 } });
    expect(made).toEqual(['T01']);
    await expect(world.service.retryFailed(world.owner, again.id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('continues with its failed tehsils if it has not ended', async () => {
    const run = await start();
    silent.add('T00');
    broken.add('T02');
    go();
    await expect.poll(() => states(run)).toContain('failed');
    expect((await world.stores.runs.get(run.id))?.state).toBe('running');
    broken.clear();
    silent.clear();
    expect((await world.service.retryFailed(world.owner, run.id)).id).toBe(run.id);
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(made.filter((name) => name === 'T02')).toHaveLength(2);
  });

  it('can be paused and resumed: tehsils that were started end, no further one starts', async () => {
    gate = Promise.withResolvers();
    go();
    const run = await start(STATE);
    await expect.poll(async () => (await states(run)).filter((each) => each === 'running')).toHaveLength(2);
    await world.service.pause(world.owner, run.id, true);
    gate.resolve();
    await expect
      .poll(async () => (await states(run)).filter((each) => each !== 'success' && each !== 'paused'))
      .toEqual([]);
    const before = made.length;
    expect(before).toBeLessThan(12);
    expect((await world.stores.runs.get(run.id))?.step).toMatch(/paused/);
    await world.service.pause(world.owner, run.id, false);
    await end(run);
    expect(made).toHaveLength(12);
  });

  it('is cancelled with all of its tehsils', async () => {
    gate = Promise.withResolvers();
    go();
    const run = await start(STATE);
    await expect.poll(() => states(run)).toContain('running');
    await world.service.cancel(world.owner, run.id);
    expect(await end(run)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    const open = async (): Promise<number> => {
      const { runs } = await world.stores.runs.list({ parentId: run.id, limit: 99, offset: 0 });
      return runs.filter(({ state }) => state === 'queued' || state === 'running').length;
    };
    await expect.poll(open).toBe(0);
    expect(made).toEqual([]);
  });

  it('uses stored results and runs of other requests; if such a run is cancelled there, it computes the tehsil itself', async () => {
    gate = Promise.withResolvers();
    const names = { state: 'Bihar', district: 'West', year: 2020 };
    const other = await world.service.start(world.owner, tiles, { ...names, tehsil: 'T00' });
    go();
    const run = await start();
    await expect
      .poll(async () => (await world.stores.runs.parts(run.id)).map(({ runId }) => runId))
      .toContain(other.run.id);
    await world.service.cancel(world.owner, other.run.id);
    gate.resolve();
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(made.toSorted()).toEqual(['T00', 'T01', 'T02', 'T10', 'T11', 'T12']);
    made.length = 0;
    const again = await end(await start());
    expect(again).toMatchObject({ state: 'success', timings: { reused: 6 } });
    expect(made).toEqual([]);
  });

  it('leaves room for runs of others and for further runs of its owner', async () => {
    world.service.coordinator.start();
    const run = await start(STATE);
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    const names = { state: 'Bihar', district: 'East', tehsil: 'T20', year: 2019 };
    const mine = await world.service.start(world.owner, tiles, names);
    const other = await world.service.start(principal(2), tiles, names);
    const ids: string[] = [];
    const claim = { workerId: 'w', leaseMs: 60_000, pipelines: ['tiles'], maxAttempts: 3, queue: 'nrm' };
    while (!ids.includes(mine.run.id)) {
      const claimed = await world.stores.runs.claim(claim);
      if (claimed === undefined) break;
      ids.push(claimed.id);
      await world.stores.runs.publish(claimed.id, claimed.token, { items: [], layers: [], timings: {} });
    }
    expect(ids.indexOf(other.run.id)).toBeLessThanOrEqual(1);
    expect(ids.indexOf(mine.run.id)).toBe(5);
  });

  it('continues in another process if its process dies, and no tehsil is computed twice', async () => {
    let isDead = false;
    /** A store that a dead process cannot reach. */
    const mortal = new Proxy(world.stores.runs, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          isDead ? Promise.reject(new Error('dead')) : Reflect.apply(member, target, args);
      },
    });
    coordinatorOver(mortal);
    const run = await start(STATE);
    await expect.poll(() => states(run)).toContain('queued');
    isDead = true;
    coordinatorOver();
    keepWorking();
    const ended = await end(run);
    expect(ended).toMatchObject({ state: 'success' });
    expect(ended.token).toBeGreaterThan(1);
    expect(made.toSorted()).toEqual([...new Set(made)].toSorted());
    expect(made).toHaveLength(12);
  });

  it('is taken over while a tehsil is started: the former process starts no tehsil any more', async () => {
    const held = Promise.withResolvers<void>();
    let isLate = true;
    const late = storeWith('enqueue', (original) => async (...args: unknown[]) => {
      if (isLate) await held.promise;
      return await original(...args);
    });
    const run = await start();
    const first = coordinatorOver(late, { coordinator: { leaseMs: 60_000, idleMs: 10 } });
    await expect.poll(async () => (await world.stores.runs.get(run.id))?.token).toBe(1);
    await world.stores.runs.release(run.id, 1);
    isLate = false;
    coordinatorOver();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    held.resolve();
    await first.coordinator.close();
    keepWorking();
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(await childrenOf(run)).toHaveLength(6);
  });

  it('keeps its process while the inputs of stored results are compared for longer than a lease', async () => {
    keepWorking();
    coordinatorOver();
    await end(await start());
    const second = await start();
    const leaseOf = async () => (await world.stores.runs.get(second.id))?.leaseUntil;
    compare = async () => {
      const before = await leaseOf();
      await expect.poll(leaseOf).not.toBe(before);
    };
    const run = await end(second);
    expect(run).toMatchObject({ state: 'success', token: 1, timings: { reused: 6 } });
  });

  it('starts no tehsil after it was cancelled', async () => {
    keepWorking();
    coordinatorOver();
    await end(await start());
    const [compared, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    compare = async () => {
      compared.resolve();
      await goOn.promise;
      throw new Error('the inputs differ');
    };
    const run = await start();
    await compared.promise;
    await world.service.cancel(world.owner, run.id);
    goOn.resolve();
    expect(await end(run)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(await childrenOf(run)).toEqual([]);
  });

  it('is paused while the inputs of stored results are compared: no further part gets a result', async () => {
    keepWorking();
    coordinatorOver();
    await end(await start());
    const [compared, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let count = 0;
    compare = async () => {
      count += 1;
      if (count < 3) return;
      compared.resolve();
      await goOn.promise;
    };
    const run = await start();
    await compared.promise;
    await world.service.pause(world.owner, run.id, true);
    goOn.resolve();
    await expect.poll(async () => (await world.stores.runs.get(run.id))?.step).toMatch(/^2 of 6 tehsils, paused/);
    expect([count, (await states(run)).filter((each) => each === 'paused').length]).toEqual([3, 4]);
    await world.service.pause(world.owner, run.id, false);
    expect(await end(run)).toMatchObject({ state: 'success', timings: { reused: 6 } });
    await expect(world.service.pause(world.owner, run.id, true)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('does not start a tehsil while it is paused, also if the run that it joined is cancelled elsewhere', async () => {
    gate = Promise.withResolvers();
    const names = { state: 'Bihar', district: 'West', year: 2020 };
    const other = await world.service.start(world.owner, tiles, { ...names, tehsil: 'T00' });
    keepWorking();
    coordinatorOver();
    const run = await start();
    await expect
      .poll(async () => (await world.stores.runs.parts(run.id)).map(({ runId }) => runId))
      .toContain(other.run.id);
    await world.service.pause(world.owner, run.id, true);
    await world.service.cancel(world.owner, other.run.id);
    gate.resolve();
    const isQuiet = async () => (await states(run)).filter((each) => each !== 'success' && each !== 'paused');
    await expect.poll(isQuiet).toEqual([]);
    expect(made).not.toContain('T00');
    await world.service.pause(world.owner, run.id, false);
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(made).toContain('T00');
  });

  it('does not end while a failed tehsil is retried at that moment', async () => {
    broken.add('T01');
    let isRetried = false;
    const raced = storeWith('endParts', (original) => async (...args: unknown[]) => {
      broken.clear();
      if (!isRetried) isRetried = (await world.stores.runs.retryParts(String(args[0]))) === 1;
      return await original(...args);
    });
    keepWorking();
    coordinatorOver(raced);
    const run = await end(await start());
    expect([run.state, isRetried, await states(run)]).toEqual([
      'success',
      true,
      Array.from({ length: 6 }, () => 'success'),
    ]);
  });

  it('computes all others if a source does not answer for one tehsil, which fails at last', async () => {
    const run = await start();
    silent.add('T00');
    keepWorking();
    coordinatorOver(world.stores.runs, { coordinator: { leaseMs: 600, idleMs: 1 } });
    const ended = await end(run);
    expect(ended.error?.message).toMatch(/^1 of 6 tehsils failed: T00 \(West\)\. All others are published\./);
    expect(made).toHaveLength(5);
    const messages = (await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 })).map(
      ({ message }) => message,
    );
    expect(messages).toContain('T00, West: not started, will be tried again: The source does not answer.');
    expect(messages).toContain('T00, West: failed: The source does not answer.');
  });

  it('has a log line for each tehsil that ended while no process had the run', async () => {
    const run = await start();
    const first = coordinatorOver();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    await first.coordinator.close();
    keepWorking();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'success')).toHaveLength(4);
    coordinatorOver();
    await end(run);
    const log = await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 });
    expect(log.filter(({ message }) => message.endsWith(': success'))).toHaveLength(6);
  });

  it('that failed everywhere does not name others', async () => {
    ['T00', 'T01', 'T02', 'T10', 'T11', 'T12'].forEach((name) => broken.add(name));
    go();
    expect((await end(await start())).error?.message).toMatch(
      /^6 of 6 tehsils failed: [^.]*\. Remove the causes, which the report lists, then retry/,
    );
  });

  it('is left to a process with the pipeline and the backend of its tehsils', async () => {
    const run = await start();
    let turns = 0;
    const counted = storeWith('claim', (original) => (...args: unknown[]) => {
      turns += 1;
      return original(...args);
    });
    coordinatorOver(counted, { pipelines: createPipelineRegistry([]) });
    await expect.poll(() => turns).toBeGreaterThan(2);
    turns = 0;
    coordinatorOver(counted, { backend: 'orchestrator' });
    await expect.poll(() => turns).toBeGreaterThan(4);
    const claim = { workerId: 'w', leaseMs: 60_000, pipelines: ['scope_run'], maxAttempts: 3 };
    expect(await world.stores.runs.get(run.id)).toMatchObject({ state: 'queued', token: 0 });
    expect(await world.stores.runs.claim({ ...claim, queues: ['scopes-local-tiles'] })).toMatchObject({ id: run.id });
  });
});
