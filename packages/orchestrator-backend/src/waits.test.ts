import type { Fault } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const SLOTS = 8;
const TASKS = ['GET', /taskInstances/] as const;

async function atOrchestrator(count: number, orchestrator = {}): Promise<readonly string[]> {
  world = bench({ dags: [{ ...CALLS_BACK, isManual: true }] });
  const ids = await Promise.all(Array.from({ length: count }, () => world.start()));
  world.server({ concurrency: SLOTS, orchestrator }).start();
  for (const id of ids) await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
  return ids;
}

const BUSY: Fault = { kind: 'status', status: 503 };
const FAULTS: readonly (readonly [string, Fault])[] = [
  ['is busy', BUSY],
  ['requests pauses', { ...BUSY, headers: { 'retry-after': '120' } }],
  ['does not respond', { kind: 'hang' }],
];

/** Makes requests with this method and path fail, except requests about the run `except`. */
async function refuse([method, path]: readonly [string, RegExp], except: string, fault = BUSY): Promise<void> {
  const remoteId = (await world.runs.get(except))?.dagRunId ?? 'none';
  world.fake.fault = (request) =>
    request.method === method && path.test(request.path) && !decodeURIComponent(request.path).includes(remoteId)
      ? fault
      : undefined;
}

const received = ([method, path]: readonly [string, RegExp]): number => world.fake.received(method, path).length;

describe('work that waits for the orchestrator', () => {
  describe.each([
    {
      kind: 'cancellations',
      request: ['PATCH', /dagRuns\//],
      begin: async (others: readonly string[]) => {
        for (const id of others) await world.runs.requestCancel(id);
      },
    },
    {
      kind: 'reads of the tasks of failed runs',
      request: TASKS,
      begin: async (others: readonly string[]) => {
        for (const run of world.fake.runsOf(DAG_ID))
          if (others.includes(String(run.conf['job_id']))) world.fake.world.setState(run, 'failed');
      },
    },
    {
      kind: 'triggers',
      request: ['POST', /dagRuns$/],
      begin: async (others: readonly string[]) => {
        await Promise.all(others.map(() => world.start()));
      },
    },
  ] as const)('does not delay the cancellation of another run: $kind', ({ request, begin }) => {
    it.each(FAULTS)('if the orchestrator %s', async (_name, fault) => {
      const [id = '', ...others] = await atOrchestrator(SLOTS + 1);
      await refuse(request, id, fault);
      const before = received(request);
      await begin(others);
      await expect.poll(() => received(request) - before).toBeGreaterThanOrEqual(SLOTS);
      const requestedAt = world.clock.now();
      await world.runs.requestCancel(id);
      expect((await world.ended(id)).error?.code).toBe('cancelled');
      // A cancellation that waits for the other requests would take 120 s. The virtual clock may advance before
      // the cancellation is processed, so the limit is high.
      expect(world.clock.now() - requestedAt).toBeLessThan(100_000);
    });
  });

  it('ends as soon as the process stops, even while the reason of a failure is being read', async () => {
    await atOrchestrator(1, { requestTimeoutMs: 60_000 });
    await refuse(TASKS, '', { kind: 'hang' });
    for (const run of world.fake.runsOf(DAG_ID)) world.fake.world.setState(run, 'failed');
    await expect.poll(() => received(TASKS)).toBe(1);
    await world.stop();
    expect(received(TASKS)).toBe(1);
  });

  it('does not exceed the concurrency limit while no run can be triggered', async () => {
    const [id = ''] = await atOrchestrator(1);
    await refuse(['POST', /dagRuns$/], id);
    const waiting = await Promise.all(Array.from({ length: 3 * SLOTS }, () => world.start()));
    await expect.poll(() => received(['POST', /dagRuns$/])).toBeGreaterThanOrEqual(2 * SLOTS);
    const runs = await Promise.all(waiting.map((each) => world.runs.get(each)));
    expect(runs.filter((run) => run?.state === 'running')).toHaveLength(SLOTS);
    world.fake.fault = () => undefined;
    for (const each of waiting) await expect.poll(async () => (await world.runs.get(each))?.dagRunId).not.toBeNull();
  });
});
