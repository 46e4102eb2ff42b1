import { afterEach, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

it.each(['continues', 'is cancelled'])(
  'a run %s although the response to its trigger was lost and 1,200 runs followed',
  async (outcome) => {
    world = bench({ dags: [{ ...CALLS_BACK, isManual: true }] });
    const id = await world.start();
    let isDead = false;
    world.fake.fault = ({ method, path }) => {
      isDead ||= method === 'POST' && path.endsWith('dagRuns');
      return isDead ? { kind: 'hang' } : undefined;
    };
    const first = world.server({ watcherId: 'a' });
    first.start();
    await expect.poll(() => isDead).toBe(true);
    await first.stop({ graceMs: 1000 });
    // The orchestrator executes this trigger and many other triggers before another process searches for the run.
    const remote = world.fake.world.addRun(DAG_ID, { conf: { job_id: id } });
    await world.clock.sleep(3_600_000);
    for (let each = 0; each < 1200; each++) world.fake.world.addRun(DAG_ID, { conf: { job_id: `other ${each}` } });
    world.fake.fault = () => undefined;
    if (outcome === 'is cancelled') await world.runs.requestCancel(id);
    world.server({ watcherId: 'b' }).start();
    if (outcome === 'is cancelled') {
      expect((await world.ended(id)).error?.code).toBe('cancelled');
      expect(remote.state).toBe('failed');
    } else await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toBe(remote.runId);
    expect(world.fake.runsOf(DAG_ID).filter(({ conf }) => conf['job_id'] === id)).toHaveLength(1);
  },
);
