import type { RecordedRequest } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, dag, DAG_ID, onlyRun, SERVICE } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const MINUTE_MS = 60_000;
const ADDRESS = { orchestrator: { baseUrl: 'http://orchestrator.test/api/v1', requestTimeoutMs: 30_000 } };
const raised = (message: string): Error => Object.assign(new Error(message), { name: 'RuntimeError' });

async function linesOf(id: string): Promise<string> {
  return (await world.runs.events(id, 0, 99)).map(({ data }) => JSON.stringify(data)).join('\n');
}

/** Makes the first trigger fail with the first kind, the second with the second kind, and so on. */
function failTriggers(...kinds: readonly ('lost' | 'reset')[]): void {
  const left = [...kinds];
  world.fake.fault = ({ method }) => {
    const kind = method === 'POST' ? left.shift() : undefined;
    return kind === undefined ? undefined : { kind };
  };
}

describe.each([404, 'closed'] as const)('a run of an orchestrator with three calls (others: %s)', (threeCalls) => {
  it('ends with the Items of its callback, and is read every 3 to 5 s', async () => {
    const reads: number[] = [];
    world = bench({
      threeCalls,
      ...dag(
        async ({ conf, post }) => {
          await world.clock.sleep(10 * MINUTE_MS);
          return await post(`${SERVICE}/api/export-asset`, { conf });
        },
        { isPaused: true },
      ),
    });
    const isRead = ({ method, path }: RecordedRequest): boolean => method === 'GET' && /dagRuns\/manual/.test(path);
    world.fake.fault = (request) => {
      if (isRead(request)) reads.push(world.clock.now());
      return undefined;
    };
    const id = await world.start(5);
    world.server(ADDRESS).start();
    const run = await world.ended(id);
    expect(run).toMatchObject({ state: 'success', itemIds: ['item_5'], dagRunId: onlyRun(world).runId });
    const gaps = reads.slice(1).map((time, index) => time - (reads[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(110);
    expect(gaps.filter((gap) => gap < 3000 || gap > 5000)).toEqual([]);
  });

  it('fails with the remedy for a log that is not available', async () => {
    world = bench({
      threeCalls,
      ...dag(() => {
        throw raised('export failed');
      }),
    });
    const id = await world.start();
    world.server(ADDRESS).start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/the log is not available from this orchestrator .* in the orchestrator itself/),
      details: { task: null, excerpt: '' },
    });
    // Reading the tasks takes one request, or four attempts if the connection is closed.
    expect(world.fake.received('GET', /taskInstances/).length).toBeLessThanOrEqual(4);
  });

  it('fails if its workflow succeeds without a callback', async () => {
    world = bench({ threeCalls, ...dag(() => ({ status: 'success' })) });
    const id = await world.start();
    world.server(ADDRESS).start();
    expect((await world.ended(id)).error?.message).toMatch(/results of its tasks are not available.*export-asset/);
  });

  it('is cancelled in the service, and its log says that its workflow may continue', async () => {
    world = bench({ threeCalls, dags: [{ ...CALLS_BACK, isManual: true }] });
    const id = await world.start();
    world.server(ADDRESS).start();
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
    await world.runs.requestCancel(id);
    expect((await world.ended(id)).error?.code).toBe('cancelled');
    expect(await linesOf(id)).toMatch(
      /its workflow may continue at the orchestrator: .*end it in the orchestrator itself/,
    );
    const conf = onlyRun(world).conf;
    const callback = { jobId: String(conf['job_id']), runToken: String(conf['run_token']) };
    expect(await world.callbacks.begin(callback)).toBeUndefined();
  });

  it('is cancelled in the service if the response to its trigger was lost', async () => {
    world = bench({ threeCalls, dags: [{ ...CALLS_BACK, isManual: true }] });
    failTriggers('lost');
    const id = await world.start();
    world.server(ADDRESS).start();
    await expect.poll(() => world.fake.runsOf(DAG_ID).length).toBe(1);
    await world.runs.requestCancel(id);
    expect((await world.ended(id)).error?.code).toBe('cancelled');
    expect(await linesOf(id)).toMatch(/its workflow may continue at the orchestrator: its id there is unknown/);
  });

  it('ends with the result of its callback if the response to its trigger was lost', async () => {
    world = bench({ threeCalls });
    failTriggers('lost');
    const id = await world.start(5);
    world.server(ADDRESS).start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['item_5'], dagRunId: null });
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(1);
    expect(await linesOf(id)).toMatch(/this run ends with that callback/);
  });

  it('is not triggered again, even if no callback shows that its trigger was executed', async () => {
    world = bench({ threeCalls });
    failTriggers('reset');
    const id = await world.start();
    world.server({ ...ADDRESS, patienceMs: 5 * MINUTE_MS }).start();
    expect((await world.ended(id)).error).toMatchObject({ code: 'upstream_timeout' });
    expect(world.fake.received('POST', /dagRuns$/)).toHaveLength(1);
  });

  it('is started only once, even if its first triggers fail in an outage or are refused', async () => {
    world = bench({ threeCalls });
    const { fake, clock } = world;
    const began = clock.now();
    fake.fault = ({ method }) => {
      const minutes = (clock.now() - began) / MINUTE_MS;
      if (minutes < 1) return { kind: 'reset' };
      return minutes < 2 && method === 'POST' ? { kind: 'status', status: 404, body: '404 page not found' } : undefined;
    };
    const id = await world.start();
    world.server(ADDRESS).start();
    expect((await world.ended(id)).state).toBe('success');
    expect(fake.runsOf(DAG_ID)).toHaveLength(1);
  });

  it.each([
    ['before', false],
    ['after', true],
  ])('survives a restart of its service %s the response to its trigger was stored', async (_when, isStored) => {
    const called = Promise.withResolvers<void>();
    world = bench({
      threeCalls,
      ...dag(async ({ conf, post }) => {
        await called.promise;
        return await post(`${SERVICE}/api/export-asset`, { conf });
      }),
    });
    const id = await world.start();
    const dead = world.server({
      ...ADDRESS,
      watcherId: 'same',
      view: (runs) => ({
        ...runs,
        dispatch: async (runId, token, dispatch) => {
          if (!isStored && dispatch.dagRunId !== undefined) return 'lost';
          return await runs.dispatch(runId, token, dispatch);
        },
      }),
    });
    dead.start();
    await expect.poll(() => world.fake.runsOf(DAG_ID).length).toBe(1);
    if (isStored) await expect.poll(async () => (await world.runs.get(id))?.dagRunId).not.toBeNull();
    await dead.stop({ graceMs: 0 });
    world.server({ ...ADDRESS, watcherId: 'same' }).start();
    called.resolve();
    expect((await world.ended(id)).state).toBe('success');
    expect(world.fake.received('POST', /dagRuns$/)).toHaveLength(1);
  });
});

describe('the health of an orchestrator with three calls', () => {
  it.each([404, 403, 'page', 'closed'] as const)('is green if other calls return %s', async (threeCalls) => {
    world = bench({ threeCalls });
    expect(await world.server(ADDRESS).probe?.()).toMatch(/^version not shown.*workflow headwater \(its state is not/);
  });

  it.each(['airflow', 'fastapi'] as const)(
    'is verified before the first run by a 404 in the format of %s',
    async (missing) => {
      world = bench({ threeCalls: 404, missing });
      expect(await world.server(ADDRESS).probe?.()).toMatch(/\(its state is not shown\)$/);
    },
  );

  it.each(['error', 'page'] as const)(
    'is not verified before the first run by a 404 in another format: %s',
    async (missing) => {
      world = bench({ threeCalls: 404, missing });
      const server = world.server(ADDRESS);
      expect(await server.probe?.()).toMatch(
        /\(its state is not shown; whether its runs can be read is known only after the next run\)$/,
      );
      const id = await world.start();
      server.start();
      await world.ended(id);
      expect(await server.probe?.()).toMatch(/\(its state is not shown\)$/);
    },
  );

  it('is red after the 404 of a proxy if the orchestrator has shown its version', async () => {
    world = bench();
    const server = world.server();
    await server.probe?.();
    world.fake.fault = () => ({ kind: 'status', status: 404, body: '404 page not found' });
    await expect(server.probe?.()).rejects.toMatchObject({ code: 'not_json' });
  });

  it('is red with wrong credentials and during an outage', async () => {
    world = bench({ threeCalls: 404 });
    const credentials = { username: 'admin', password: 'no' };
    const wrong = world.server({ orchestrator: { ...ADDRESS.orchestrator, credentials } });
    await expect(wrong.probe?.()).rejects.toThrow(/basic-authentication backend is not enabled/);
    const server = world.server(ADDRESS);
    await server.probe?.();
    world.fake.fault = () => ({ kind: 'reset' });
    await expect(server.probe?.()).rejects.toMatchObject({ code: 'unreachable' });
  });
});
