import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const MANUAL = { dags: [{ ...CALLS_BACK, isManual: true }] };

describe('a slow trigger', () => {
  const MINUTE_MS = 60_000;
  /** Delays triggers. Each is executed even if the client has disconnected. */
  const late = (ms: number): void => {
    world.fake.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('dagRuns') ? { kind: 'late', ms } : undefined;
  };
  const triggerSent = async (): Promise<void> => {
    await expect.poll(() => world.fake.received('POST', /dagRuns$/).length, { interval: 1 }).toBe(1);
  };
  /** Options with which requests do not stop the virtual clock, so that time passes during a request. */
  const notHolding = () => ({ orchestrator: { fetch: world.fake.fetch, requestTimeoutMs: 30_000 } });

  it.each([
    ['before the timeout of the request', 10_000, notHolding],
    ['after the timeout of the request', 5000, () => ({})],
  ])(
    'starts a run that is then cancelled at the orchestrator, if the trigger is executed %s',
    async (_when, ms, options) => {
      world = bench(MANUAL);
      late(ms);
      const id = await world.start();
      world.server(options()).start();
      await triggerSent();
      await world.runs.requestCancel(id);
      expect((await world.ended(id)).error?.code).toBe('cancelled');
      await world.clock.sleep(MINUTE_MS);
      expect(world.fake.runsOf(DAG_ID).map(({ conf, state }) => [conf['job_id'], state])).toEqual([[id, 'failed']]);
    },
  );

  it('does not start a second run if the server closes in the meantime', async () => {
    world = bench(MANUAL);
    late(10_000);
    const id = await world.start();
    const first = world.server({ watcherId: 'a', ...notHolding() });
    first.start();
    await triggerSent();
    await first.stop({ graceMs: 1000 });
    world.server({ watcherId: 'b' }).start();
    await expect.poll(async () => (await world.runs.get(id))?.workerId).toBe('b');
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toBe(world.fake.runsOf(DAG_ID)[0]?.runId);
    await world.clock.sleep(MINUTE_MS);
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(1);
  });
});
