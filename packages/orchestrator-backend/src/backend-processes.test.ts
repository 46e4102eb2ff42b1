import type { RunStore } from '@headwater/core/ports';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, dag, DAG_ID, onlyRun } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

describe('cancelling', () => {
  it('ends the run at the orchestrator and the run that its callback started', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    const id = await world.start();
    world.server().start();
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
    const token = String(onlyRun(world).conf['run_token']);
    const child = await world.callbacks.begin({ jobId: id, runToken: token });
    await world.runs.requestCancel(id);
    expect((await world.ended(id)).error?.code).toBe('cancelled');
    expect(onlyRun(world).state).toBe('failed');
    expect((await world.runs.get(child?.id ?? ''))?.error?.code).toBe('cancelled');
    expect(await world.callbacks.begin({ jobId: id, runToken: token })).toBeUndefined();
  });

  it('ends a run of the service that has not started at the orchestrator yet', async () => {
    world = bench();
    world.fake.fault = ({ method }) => (method === 'POST' ? { kind: 'status', status: 503 } : undefined);
    const id = await world.start();
    world.server().start();
    await expect.poll(async () => (await world.runs.get(id))?.runTokenHash).not.toBeNull();
    await world.runs.requestCancel(id);
    expect((await world.ended(id)).error?.code).toBe('cancelled');
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(0);
  });
});

describe('several processes', () => {
  const cut =
    (isCut: () => boolean) =>
    (runs: RunStore): RunStore =>
      new Proxy(runs, {
        get: (target, key, receiver) => {
          const member: unknown = Reflect.get(target, key, receiver);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]): unknown =>
            isCut() ? Promise.reject(new Error('the store is unavailable')) : Reflect.apply(member, target, args);
        },
      });

  it('take over runs of a process that died after the trigger, even if this process had not stored the response', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    let isDead = false;
    const ids = await Promise.all([1, 2, 3].map((n) => world.start(n)));
    world.server({ watcherId: 'a', view: cut(() => isDead) }).start();
    let sent = 0;
    world.fake.fault = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('dagRuns')) return undefined;
      sent += 1;
      if (sent === 3) isDead = true;
      return undefined;
    };
    await expect.poll(() => world.fake.runsOf(DAG_ID).length).toBe(3);
    world.server({ watcherId: 'b' }).start();
    await expect
      .poll(async () =>
        (await Promise.all(ids.map((id) => world.runs.get(id)))).every(
          (run) => run?.workerId === 'b' && run.dagRunId !== null,
        ),
      )
      .toBe(true);
    const { runs } = world;
    for (const each of world.fake.runsOf(DAG_ID)) {
      const callback = { jobId: String(each.conf['job_id']), runToken: String(each.conf['run_token']) };
      expect(await world.callbacks.execute({ ...callback, signal: new AbortController().signal })).toMatchObject({
        state: 'success',
      });
      world.fake.world.setState(each, 'success');
    }
    for (const id of ids) expect((await world.ended(id)).state).toBe('success');
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(3);
    expect((await runs.get(ids[0] ?? ''))?.attempt).toBe(1);
  });

  it('divide the runs: only one process watches each run', async () => {
    world = bench();
    const ids = await Promise.all(Array.from({ length: 40 }, () => world.start()));
    for (const watcherId of ['a', 'b', 'c']) world.server({ watcherId }).start();
    for (const id of ids) expect((await world.ended(id)).state).toBe('success');
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(40);
  });

  it('release their runs immediately when they close', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    const id = await world.start();
    const first = world.server({ watcherId: 'a', leaseMs: 86_400_000 });
    first.start();
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
    await first.stop({ graceMs: 1000 });
    world.server({ watcherId: 'b' }).start();
    await expect.poll(async () => (await world.runs.get(id))?.workerId).toBe('b');
    world.fake.world.setState(onlyRun(world), 'failed');
    expect((await world.ended(id)).error?.code).toBe('upstream_failed');
  });
});
