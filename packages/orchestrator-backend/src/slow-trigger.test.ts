import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const STAYS = { dags: [{ ...CALLS_BACK, isManual: true }] };

describe('a slow trigger', () => {
  const MINUTE_MS = 60_000;
  /** The server's triggers are carried out so late, also where it has hung up by then. */
  const late = (ms: number): void => {
    world.fake.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('dagRuns') ? { kind: 'late', ms } : undefined;
  };
  const underWay = async (): Promise<void> => {
    await expect.poll(() => world.fake.received('POST', /dagRuns$/).length, { interval: 1 }).toBe(1);
  };
  /** Requests that do not hold the clock: pauses pass while one is under way. */
  const passing = () => ({ orchestrator: { fetch: world.fake.fetch, requestTimeoutMs: 30_000 } });

  it.each([
    ['within the time of a request', 10_000, passing],
    ['after the request was given up', 5000, () => ({})],
  ])('that lands %s is ended there once it is cancelled', async (_when, ms, options) => {
    world = bench(STAYS);
    late(ms);
    const id = await world.start();
    world.server(options()).start();
    await underWay();
    await world.runs.requestCancel(id);
    expect((await world.ended(id)).error?.code).toBe('cancelled');
    await world.clock.sleep(MINUTE_MS);
    expect(world.fake.runsOf(DAG_ID).map(({ conf, state }) => [conf['job_id'], state])).toEqual([[id, 'failed']]);
  });

  it('whose server closes meanwhile is no second run for the next one', async () => {
    world = bench(STAYS);
    late(10_000);
    const id = await world.start();
    const first = world.server({ watcherId: 'a', ...passing() });
    first.start();
    await underWay();
    await first.stop({ graceMs: 1000 });
    world.server({ watcherId: 'b' }).start();
    await expect.poll(async () => (await world.runs.get(id))?.workerId).toBe('b');
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toBe(world.fake.runsOf(DAG_ID)[0]?.runId);
    await world.clock.sleep(MINUTE_MS);
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(1);
  });
});
