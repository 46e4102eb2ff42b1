import type { RunStore } from '@headwater/core/ports';
import type { Fault, RecordedRequest } from '@headwater/orchestrator-client/testing';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../scripts/test-length.mjs';
import { type Bench, bench, DAG_ID } from './bench.fixture.ts';

const RUNS = sized(200, 1000);
const MINUTE_MS = 60_000;

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 30 % of the requests fail in one of five ways; an outage lasts a minute. */
function faults({ clock }: Bench, random = seeded(11)): (request: RecordedRequest) => Fault | undefined {
  const outage = clock.now() + 20_000;
  return () => {
    if (clock.now() >= outage && clock.now() < outage + MINUTE_MS) return { kind: 'reset' };
    const dice = random();
    if (dice < 0.1) return { kind: 'status', status: 503 };
    if (dice < 0.18) return { kind: 'status', status: 500, body: '<html>' };
    if (dice < 0.24) return { kind: 'reset' };
    if (dice < 0.28) return { kind: 'lost' };
    return dice < 0.3 ? { kind: 'hang' } : undefined;
  };
}

async function endsOf(runs: RunStore, id: string): Promise<readonly unknown[]> {
  const events = await runs.events(id, 0, 999);
  return events.filter(
    ({ kind, data }) => kind === 'state' && (data['state'] === 'success' || data['state'] === 'failed'),
  );
}

async function expectEachOnce({ runs, fake }: Bench, ids: readonly string[]): Promise<void> {
  const ended = await Promise.all(ids.map((id) => runs.get(id)));
  expect(ended.filter((run) => run?.state !== 'success')).toEqual([]);
  const ends = await Promise.all(ids.map((id) => endsOf(runs, id)));
  expect(ends.filter((each) => each.length !== 1)).toEqual([]);
  const jobs = fake.runsOf(DAG_ID).map(({ conf }) => conf['job_id']);
  expect(new Set(jobs)).toEqual(new Set(ids));
  expect(jobs).toHaveLength(ids.length);
}

describe('an orchestrator with random faults', () => {
  it('loses no run, starts no run twice, and reports each end once', async () => {
    const world = bench();
    world.fake.fault = faults(world);
    const ids = await Promise.all(Array.from({ length: RUNS }, () => world.start()));
    world.server({ watcherId: 'a' }).start();
    for (const id of ids) await world.ended(id);
    await expectEachOnce(world, ids);
    await world.stop();
  }, 300_000);

  it('starts no run twice if it offers only three calls, and completes every run that was started', async () => {
    const world = bench({ threeCalls: 405 });
    world.fake.fault = faults(world);
    const ids = await Promise.all(Array.from({ length: RUNS / 4 }, () => world.start()));
    world
      .server({ watcherId: 'a', patienceMs: 3 * MINUTE_MS, orchestrator: { baseUrl: `${world.fake.baseUrl}/api/v1` } })
      .start();
    const ended = await Promise.all(ids.map((id) => world.ended(id)));
    const jobs = world.fake.runsOf(DAG_ID).map(({ conf }) => conf['job_id']);
    expect(new Set(jobs).size).toBe(jobs.length);
    const succeeded = ended.filter(({ state }) => state === 'success').map(({ id }) => id);
    expect(succeeded.toSorted()).toEqual(jobs.map(String).toSorted());
    expect(succeeded.length).toBeGreaterThan(RUNS / 8);
    for (const { state, error } of ended) if (state === 'failed') expect(error?.code).toBe('upstream_timeout');
    await world.stop();
  }, 300_000);
});
