import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const LANES = 8;
const MINUTE_MS = 60_000;

/** Starts so many runs, which stay at the orchestrator. Returns their ids. */
async function atOrchestrator(count: number): Promise<readonly string[]> {
  world = bench({ dags: [{ ...CALLS_BACK, isManual: true }] });
  const ids = await Promise.all(Array.from({ length: count }, () => world.start()));
  world.server({ concurrency: LANES }).start();
  for (const id of ids) await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
  return ids;
}

/** Requests of this kind are refused from now on, but for those about one run there. */
async function refuse(method: string, path: RegExp, except: string): Promise<void> {
  const away = (await world.runs.get(except))?.dagRunId ?? '';
  world.fake.fault = (request) =>
    request.method === method && path.test(request.path) && !decodeURIComponent(request.path).includes(away)
      ? { kind: 'status', status: 503 }
      : undefined;
}

const received = (method: string, path: RegExp): number => world.fake.received(method, path).length;

describe('work that waits for the orchestrator', () => {
  it.each([
    {
      kind: 'cancels',
      request: ['PATCH', /dagRuns\//],
      begin: async (others: readonly string[]) => {
        for (const id of others) await world.runs.requestCancel(id);
      },
    },
    {
      kind: 'conclusions',
      request: ['GET', /taskInstances/],
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
  ] as const)('holds up no cancel of another run: $kind', async ({ request: [method, path], begin }) => {
    const [id = '', ...others] = await atOrchestrator(LANES + 1);
    await refuse(method, path, id);
    const before = received(method, path);
    await begin(others);
    await expect.poll(() => received(method, path) - before).toBeGreaterThanOrEqual(LANES);
    const asked = world.clock.now();
    await world.runs.requestCancel(id);
    expect((await world.ended(id)).error?.code).toBe('cancelled');
    expect(world.clock.now() - asked).toBeLessThan(MINUTE_MS);
  });

  it('is no more than can be under way, if nothing can be triggered', async () => {
    const [id = ''] = await atOrchestrator(1);
    await refuse('POST', /dagRuns$/, id);
    const waiting = await Promise.all(Array.from({ length: 3 * LANES }, () => world.start()));
    await expect.poll(() => received('POST', /dagRuns$/)).toBeGreaterThanOrEqual(2 * LANES);
    const runs = await Promise.all(waiting.map((each) => world.runs.get(each)));
    expect(runs.filter((run) => run?.state === 'running')).toHaveLength(LANES);
    world.fake.fault = () => undefined;
    for (const each of waiting) await expect.poll(async () => (await world.runs.get(each))?.dagRunId).not.toBeNull();
  });
});
