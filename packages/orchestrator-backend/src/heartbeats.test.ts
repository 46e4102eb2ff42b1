import type { RunStore } from '@headwater/core/ports';
import { afterEach, expect, it } from 'vitest';
import { sized } from '../../../scripts/test-length.mjs';
import { type Bench, bench, CALLS_BACK, DAG_ID } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const WATCHED = sized(600, 1200);

function counted(): { readonly calls: string[]; readonly view: (runs: RunStore) => RunStore } {
  const calls: string[] = [];
  const view = (runs: RunStore): RunStore =>
    new Proxy(runs, {
      get: (target, key, receiver) => {
        const member: unknown = Reflect.get(target, key, receiver);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          if (key !== 'claim') calls.push(String(key));
          return Reflect.apply(member, target, args);
        };
      },
    });
  return { calls, view };
}

it(
  'a cancellation and the renewal of all leases take few calls of the store, even with many watched runs',
  { timeout: 120_000 },
  async () => {
    world = bench({ dags: [{ ...CALLS_BACK, isManual: true }] });
    const ids: string[] = [];
    for (let n = 0; n < WATCHED; n++) ids.push(await world.start(n));
    const { calls, view } = counted();
    const leaseMs = 3_600_000;
    world.server({ leaseMs, view, orchestrator: { stalledAfterMs: Number.POSITIVE_INFINITY } }).start();
    const running = async (): Promise<number> => {
      const all = await Promise.all(ids.map((id) => world.runs.get(id)));
      return all.filter((run) => run?.dagRunId !== null).length;
    };
    await expect.poll(running, { timeout: 100_000 }).toBe(WATCHED);
    const [first = ''] = world.fake.runsOf(DAG_ID).flatMap(({ conf }) => [String(conf['job_id'])]);

    calls.length = 0;
    await world.runs.requestCancel(first);
    expect((await world.ended(first)).error?.code).toBe('cancelled');
    expect(calls.slice(0, 3)).toEqual(['progressOf', 'heartbeats', 'fail']);
    // Two further calls are allowed, because the state is checked once more at the end of the run.
    expect(calls.length).toBeLessThanOrEqual(5);

    const leases = async (): Promise<number[]> => {
      const all = await Promise.all(ids.map((id) => world.runs.get(id)));
      return all.flatMap((run) => (run?.state === 'running' ? [Date.parse(run.leaseUntil ?? '')] : []));
    };
    const before = Math.max(...(await leases()));
    calls.length = 0;
    await world.clock.sleep(leaseMs / 3);
    await expect.poll(async () => Math.min(...(await leases()))).toBeGreaterThan(before);
    expect(await leases()).toHaveLength(WATCHED - 1);
    // The runs form at most three batches. The leases of each batch are renewed once or twice.
    expect(calls.filter((name) => name === 'heartbeats').length).toBeLessThanOrEqual(6);
    expect(new Set(calls)).toEqual(new Set(['progressOf', 'heartbeats']));
  },
);

it('a run shows the progress of the run that its callback started', async () => {
  world = bench({ dags: [{ ...CALLS_BACK, isManual: true }] });
  const id = await world.start();
  world.server().start();
  await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
  const [remote] = world.fake.runsOf(DAG_ID);
  const computing = await world.callbacks.begin({ jobId: id, runToken: String(remote?.conf['run_token']) });
  const claim = { workerId: 'w', leaseMs: 86_400_000, pipelines: ['test'], maxAttempts: 3 };
  const claimed = await world.stores.runs.claim(claim);
  expect(claimed?.id).toBe(computing?.id);
  await world.stores.runs.heartbeat(claimed?.id ?? '', claimed?.token ?? 0, {
    leaseMs: 86_400_000,
    progress: 0.4,
    step: 'composites',
  });
  await expect.poll(() => world.runs.get(id)).toMatchObject({ progress: 0.4, step: 'composites' });
});
