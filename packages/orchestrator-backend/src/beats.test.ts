import type { RunStore } from '@headwater/core/ports';
import { afterEach, expect, it } from 'vitest';
import { sized } from '../../../scripts/test-length.mjs';
import { type Bench, bench, CALLS_BACK, DAG_ID } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const WATCHED = sized(600, 1200);

/** What a process asks of the store, by the names of its methods. */
function counted(): { readonly asked: string[]; readonly view: (runs: RunStore) => RunStore } {
  const asked: string[] = [];
  const view = (runs: RunStore): RunStore =>
    new Proxy(runs, {
      get: (target, key, receiver) => {
        const member: unknown = Reflect.get(target, key, receiver);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]): unknown => {
          // The looks for new runs go on by themselves.
          if (key !== 'claim') asked.push(String(key));
          return Reflect.apply(member, target, given);
        };
      },
    });
  return { asked, view };
}

it(
  'of many watched runs, a cancellation costs a few questions, and so do the leases of all',
  { timeout: 120_000 },
  async () => {
    world = bench({ dags: [{ ...CALLS_BACK, isManual: true }] });
    const ids: string[] = [];
    for (let n = 0; n < WATCHED; n++) ids.push(await world.start(n));
    const { asked, view } = counted();
    const leaseMs = 3_600_000;
    world.server({ leaseMs, view, orchestrator: { stalledAfterMs: Number.POSITIVE_INFINITY } }).start();
    const running = async (): Promise<number> => {
      const all = await Promise.all(ids.map((id) => world.runs.get(id)));
      return all.filter((run) => run?.dagRunId !== null).length;
    };
    await expect.poll(running, { timeout: 100_000 }).toBe(WATCHED);
    const [first = ''] = world.fake.runsOf(DAG_ID).flatMap(({ conf }) => [String(conf['job_id'])]);

    asked.length = 0;
    await world.runs.requestCancel(first);
    expect((await world.ended(first)).error?.code).toBe('cancelled');
    expect(asked.slice(0, 3)).toEqual(['progressOf', 'heartbeats', 'fail']);
    // The end of the run is told as well, and looked at once.
    expect(asked.length).toBeLessThanOrEqual(5);

    const leases = async (): Promise<number[]> => {
      const all = await Promise.all(ids.map((id) => world.runs.get(id)));
      return all.flatMap((run) => (run?.state === 'running' ? [Date.parse(run.leaseUntil ?? '')] : []));
    };
    const before = Math.max(...(await leases()));
    asked.length = 0;
    await world.clock.sleep(leaseMs / 3);
    await expect.poll(async () => Math.min(...(await leases()))).toBeGreaterThan(before);
    expect(await leases()).toHaveLength(WATCHED - 1);
    // Three batches, perhaps twice by now.
    expect(asked.filter((name) => name === 'heartbeats').length).toBeLessThanOrEqual(6);
    expect(new Set(asked)).toEqual(new Set(['progressOf', 'heartbeats']));
  },
);

it('a run shows how far its callback’s run is', async () => {
  world = bench({ dags: [{ ...CALLS_BACK, isManual: true }] });
  const id = await world.start();
  world.server().start();
  await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
  const [there] = world.fake.runsOf(DAG_ID);
  const computing = await world.callbacks.begin({ jobId: id, runToken: String(there?.conf['run_token']) });
  const claim = { workerId: 'w', leaseMs: 86_400_000, pipelines: ['test'], maxAttempts: 3 };
  const held = await world.stores.runs.claim(claim);
  expect(held?.id).toBe(computing?.id);
  await world.stores.runs.heartbeat(held?.id ?? '', held?.token ?? 0, {
    leaseMs: 86_400_000,
    progress: 0.4,
    step: 'composites',
  });
  await expect.poll(() => world.runs.get(id)).toMatchObject({ progress: 0.4, step: 'composites' });
});
