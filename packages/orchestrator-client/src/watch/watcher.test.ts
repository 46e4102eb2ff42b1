import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOrchestratorError } from '../errors.ts';
import type { OrchestratorErrorCode } from '../index.ts';
import type { FakeRun, Fault, RecordedRequest } from '../testing/index.ts';
import { type Bench, bench, DAG, MINUTE_MS, watchedRuns } from './bench.test-helper.ts';

const isList = ({ method, path }: RecordedRequest): boolean => method === 'GET' && path.endsWith('/dagRuns');
const isRead = ({ method, path }: RecordedRequest): boolean => method === 'GET' && /\/dagRuns\/./.test(path);

describe('a watcher', () => {
  it('reads and reports each ended run once, and needs only lists for all other runs', async () => {
    const world = bench();
    const { fake, watcher, finished, clock } = world;
    const [first, ...runs] = watchedRuns(world, 301);
    if (first === undefined) throw new Error('no run');
    await watcher.poll();
    // The watcher learns the orchestrator's time from the end of the first run. Lists of changes need this time.
    await clock.sleep(MINUTE_MS - 4000);
    fake.world.setState(first, 'success');
    await watcher.poll();
    fake.requests.length = 0;
    await clock.sleep(4000);
    for (const run of runs.slice(0, 3)) fake.world.setState(run, 'success');
    await watcher.poll();
    await clock.sleep(4000);
    await watcher.poll();
    expect(finished.slice(1).map(({ runId }) => runId)).toEqual(runs.slice(0, 3).map(({ runId }) => runId));
    expect(fake.requests.filter(isRead)).toHaveLength(3);
    expect(fake.requests.filter(isList)).toHaveLength(4);
    expect(watcher.size).toBe(297);
  });

  it.each([
    ['hours behind the clock of this machine', -5 * 60 * MINUTE_MS],
    ['hours ahead of the clock of this machine', 7 * 60 * MINUTE_MS],
  ])("reads changes by the orchestrator's clock, which is %s", async (_name, skewMs) => {
    const world = bench({ skewMs, sweepEveryMs: 1e9 });
    const { fake, watcher, finished, clock } = world;
    const runs = watchedRuns(world, 5);
    await watcher.poll();
    for (const run of runs) {
      await clock.sleep(20_000);
      fake.world.setState(run, 'failed');
      await watcher.poll();
    }
    expect(finished).toHaveLength(5);
    const since = fake.requests.filter(isList).flatMap(({ query }) => query['updated_at_gte'] ?? []);
    expect(Date.parse(since.at(-1) ?? '') - (clock.now() + skewMs)).toBeGreaterThan(-60_000);
  });

  it('finds in the next sweep an end that no list of changes contained', async () => {
    const world = bench({ sweepEveryMs: MINUTE_MS });
    const { fake, watcher, finished, clock } = world;
    const [run] = watchedRuns(world, 3);
    await watcher.poll();
    if (run === undefined) throw new Error('no run');
    fake.world.setState(run, 'success');
    // The scheduler's clock is an hour behind, so the run is not in the list of changes.
    run.updatedAt -= 60 * MINUTE_MS;
    await clock.sleep(4000);
    await watcher.poll();
    expect(finished).toEqual([]);
    await clock.sleep(MINUTE_MS);
    await watcher.poll();
    expect(finished.map(({ runId }) => runId)).toEqual([run.runId]);
  });

  it('repeats the read of a run that a list showed as ended, until a read succeeds', async () => {
    const world = bench({ sweepEveryMs: 1e9 });
    const { fake, watcher, finished, clock } = world;
    const [run] = watchedRuns(world, 2);
    await watcher.poll();
    if (run !== undefined) fake.world.setState(run, 'success');
    fake.fault = (request) => (isRead(request) ? { kind: 'reset' } : undefined);
    for (const end = clock.now() + 10 * MINUTE_MS; clock.now() < end; await clock.sleep(4000)) await watcher.poll();
    expect(finished).toEqual([]);
    fake.fault = () => undefined;
    await watcher.poll();
    expect(finished).toHaveLength(1);
  });

  it('does not report a run as ended because lists do not contain it', async () => {
    const world = bench({ sweepEveryMs: 0 });
    const { fake, watcher, finished, clock } = world;
    const runs = watchedRuns(world, 4);
    const empty = { dag_runs: [], total_entries: 0 };
    fake.fault = (request) =>
      isList(request)
        ? { kind: 'status', status: 200, body: JSON.stringify(empty), headers: { 'content-type': 'application/json' } }
        : undefined;
    for (let pass = 0; pass < 3; pass++) {
      await watcher.poll();
      await clock.sleep(4000);
    }
    expect(finished).toEqual([]);
    expect(watcher.size).toBe(4);
    fake.fault = () => undefined;
    for (const run of runs) fake.world.setState(run, 'success');
    await watcher.poll();
    expect(finished).toHaveLength(4);
  });

  it('reports runs that start, runs that were deleted, and runs that stay queued', async () => {
    const world = bench({ stalledAfterMs: 5 * MINUTE_MS, sweepEveryMs: 0 });
    const { fake, watcher, clock } = world;
    const [first, second, third] = watchedRuns(world, 3, 'queued');
    if (first === undefined || second === undefined || third === undefined) throw new Error('no runs');
    const events: string[] = [];
    watcher.on('change', ({ runId, state }) => events.push(`${runId} ${state}`));
    watcher.on('gone', ({ runId }) => events.push(`${runId} gone`));
    watcher.on('stalled', ({ runId, advice }) => events.push(`${runId} stalled: ${advice.join()}`));
    await watcher.poll();
    fake.world.setState(first, 'running');
    fake.world.dagOf(DAG.id).runs.delete(second.runId);
    fake.world.setPaused(DAG.id, true);
    await watcher.poll();
    await clock.sleep(6 * MINUTE_MS);
    await watcher.poll();
    await watcher.poll();
    expect(events).toEqual([
      `${first.runId} running`,
      `${second.runId} gone`,
      expect.stringMatching(`^${third.runId.replaceAll('+', '\\+')} stalled: the DAG is paused`),
    ]);
  });

  it('loses no event if a listener throws', async () => {
    const world = bench();
    const { fake, watcher, finished, problems } = world;
    watcher.removeAllListeners('finished');
    watcher.on('finished', (change) => {
      finished.push(change);
      throw new Error('a listener failed');
    });
    for (const run of watchedRuns(world, 3)) fake.world.setState(run, 'success');
    await watcher.poll();
    expect(finished).toHaveLength(3);
    expect(problems).toHaveLength(3);
  });

  it('stops during a pause and then sends no request', async () => {
    const world = bench();
    watchedRuns(world, 1);
    world.watcher.start();
    await new Promise<void>((settle) => world.watcher.once('pass', () => settle()));
    await world.watcher.stop();
    const before = world.fake.requests.length;
    await world.clock.sleep(MINUTE_MS);
    expect(world.fake.requests).toHaveLength(before);
  });
});

function randomFaults({ clock }: Bench, random: () => number): (request: RecordedRequest) => Fault | undefined {
  const outage = clock.now() + 90_000;
  return () => {
    const now = clock.now();
    if (now >= outage && now < outage + MINUTE_MS) return { kind: 'reset' };
    const dice = random();
    if (dice < 0.3)
      return {
        kind: 'status',
        status: dice < 0.1 ? 500 : dice < 0.2 ? 502 : 503,
        body: '<html>Bad</html>',
        headers: { 'content-type': 'text/html' },
      };
    if (dice < 0.33) return { kind: 'lost' };
    if (dice < 0.36) return { kind: 'reset' };
    if (dice < 0.362) return { kind: 'hang' };
    return dice < 0.4 ? { kind: 'delay', ms: 2000 } : undefined;
  };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function watchThrough(seed: number, count: number): Promise<{ world: Bench; runs: readonly FakeRun[] }> {
  const random = seeded(seed);
  const world = bench({ skewMs: (random() - 0.5) * 1e8 });
  const { fake, watcher, finished, clock } = world;
  const runs = watchedRuns(world, count, 'queued');
  fake.fault = randomFaults(world, random);
  const all = new Promise<void>((settle) => watcher.on('finished', () => finished.length === count && settle()));
  watcher.start();
  for (let left = [...runs]; left.length > 0;) {
    await clock.sleep(3000);
    for (const run of left.splice(0, Math.ceil(random() * count * 0.05)))
      fake.world.setState(run, random() < 0.2 ? 'failed' : 'success');
    left = left.sort(() => random() - 0.5);
  }
  await all;
  await watcher.stop();
  return { world, runs };
}

describe('a watcher under random faults', () => {
  it('reports each of 1,000 runs exactly once', async () => {
    const { world, runs } = await watchThrough(11, 1000);
    const byId = new Map(world.finished.map(({ runId, state }) => [runId, state]));
    expect(world.finished).toHaveLength(1000);
    expect(runs.every(({ runId, state }) => byId.get(runId) === state)).toBe(true);
    expect(world.watcher.size).toBe(0);
    const codes = new Set(world.problems.map((error) => (isOrchestratorError(error) ? error.code : error)));
    const allowed: OrchestratorErrorCode[] = ['server_error', 'unreachable', 'timeout'];
    expect([...codes].every((code) => allowed.some((each) => each === code))).toBe(true);
    expect(codes.size).toBeGreaterThan(0);
  });

  it('reports each run exactly once, for any seed and number of runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 120 }), async (seed, count) => {
        const { world, runs } = await watchThrough(seed, count);
        expect(world.finished).toHaveLength(count);
        expect(new Map(world.finished.map(({ runId, state }) => [runId, state]))).toEqual(
          new Map(runs.map(({ runId, state }) => [runId, state])),
        );
      }),
      { numRuns: 8 },
    );
  });
});
