import { describe, expect, it } from 'vitest';
import { bench as anyBench, DAG, fail, NO_BACKEND } from './bench.test-helper.ts';
import { rejects } from './conformance/bench.test-helper.ts';
import { createOrchestratorClient } from './index.ts';
import type { FakeOptions, Fault, RecordedRequest } from './testing/index.ts';

type OtherCalls = NonNullable<FakeOptions['threeCalls']>;

const OTHERS: readonly OtherCalls[] = [404, 405, 403, 501, 'page', 'missing page', 'closed'];

/**
 * A client of an orchestrator that offers only three calls (unpause a DAG, trigger a run, read a run), and the times of
 * reads of a run.
 */
function bench(threeCalls: OtherCalls, options: Parameters<typeof anyBench>[1] = {}) {
  const world = anyBench(
    { threeCalls },
    { baseUrl: 'http://orchestrator.test/api/v1', requestTimeoutMs: 30_000, ...options },
  );
  const reads: number[] = [];
  world.fake.fault = (request) => {
    if (isRead(request)) reads.push(world.clock.now());
    return undefined;
  };
  const gaps = (): readonly number[] => reads.slice(1).map((time, index) => time - (reads[index] ?? 0));
  const only = () => {
    const [run] = world.fake.runsOf(DAG.id);
    if (run === undefined) throw new Error('no run');
    return run;
  };
  return { ...world, gaps, only };
}

const isRead = ({ method, path }: RecordedRequest): boolean => method === 'GET' && /\/dagRuns\/[^/]+$/.test(path);
const within = (gaps: readonly number[]): boolean => gaps.every((gap) => gap >= 3000 && gap <= 5000);

describe.each(OTHERS)('an orchestrator with three calls, which answers all other calls with %s', (others) => {
  it('gets an unpause before every trigger, and a read of the run every 3 to 5 s', async () => {
    const { fake, client, clock, gaps, only } = bench(others);
    fake.world.setPaused(DAG.id, true);
    const run = await client.trigger(DAG.id, { job_id: '1' });
    expect(fake.world.dagOf(DAG.id).isPaused).toBe(false);
    const [patch] = fake.received('PATCH', /dags/);
    expect([patch?.path, patch?.query, patch?.body]).toEqual([`/api/v1/dags/${DAG.id}`, {}, { is_paused: false }]);
    expect(fake.received('POST', /dagRuns$/).map(({ body }) => body)).toEqual([{ conf: { job_id: '1' } }]);
    void clock.sleep(60_000).then(() => fake.world.setState(only(), 'success'));
    expect(await run.wait()).toMatchObject({ dagId: DAG.id, runId: run.runId, state: 'success', conf: {} });
    expect(gaps().length).toBeGreaterThan(11);
    expect(within(gaps())).toBe(true);
    await client.trigger(DAG.id, {});
    expect(fake.received('PATCH', /dags/)).toHaveLength(2);
  });

  it('makes a watcher read its runs one by one every 3 to 5 s, and causes no `problem` event', async () => {
    const { fake, client, clock, gaps, only } = bench(others, { stalledAfterMs: 120_000 });
    const watcher = client.watcher();
    const events: unknown[] = [];
    watcher.on('problem', (error) => events.push(error));
    watcher.on('change', ({ state }) => events.push(state));
    watcher.on('stalled', ({ isPaused, advice }) => events.push([isPaused, advice[0]]));
    watcher.add(await client.trigger(DAG.id, { job_id: '1' }));
    const ended = new Promise<void>((settle) => watcher.on('finished', ({ state }) => settle(void events.push(state))));
    watcher.start();
    await clock.sleep(300_000);
    fake.world.setState(only(), 'running');
    await clock.sleep(300_000);
    fake.world.setState(only(), 'failed');
    await ended;
    await watcher.stop();
    expect(events).toEqual([
      [null, expect.stringMatching(/does not show whether the DAG is paused/)],
      'running',
      'failed',
    ]);
    expect(gaps().length).toBeGreaterThan(119);
    expect(within(gaps())).toBe(true);
  });

  it('makes the error of a failed run contain a remedy instead of a log', async () => {
    const { fake, client, only } = bench(others);
    const run = await client.trigger(DAG.id, {});
    fake.world.setState(only(), 'failed');
    const { details, message } = await rejects(run.wait(), 'run_failed');
    expect(message).toMatch(/the log is not available from this orchestrator .*Open run .* in the orchestrator itself/);
    expect(details).toMatchObject({ task: null, excerpt: '', failed: [] });
    expect((await run.logs()).reason).toBe(details.reason);
  });

  it('causes the error `not_cancelled` for a cancellation', async () => {
    const { client } = bench(others);
    const run = await client.trigger(DAG.id, {});
    expect((await rejects(run.cancel(), 'not_cancelled')).message).toMatch(/still queued.*end it in the orchestrator/);
  });

  it('gets no second trigger if the response to the first is lost', async () => {
    const { fake, client, clock } = bench(others);
    fail(fake, { method: 'POST' }, [{ kind: 'lost' }]);
    const began = clock.now();
    await rejects(client.trigger(DAG.id, { job_id: '1' }), 'trigger_unknown');
    expect(clock.now() - began).toBeLessThan(120_000);
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
  });

  it('gets no second trigger if the trigger has a run id of the caller and its response is lost', async () => {
    const { fake, client } = bench(others);
    fail(
      fake,
      { method: 'POST' },
      Array.from({ length: 9 }, () => ({ kind: 'lost' })),
    );
    const { message } = await rejects(client.trigger(DAG.id, {}, { runId: 'own' }), 'trigger_unknown');
    expect(message).toMatch(/returns no run own; the orchestrator may have started the run under another id/);
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
  });

  it('gets a trigger although it refuses to unpause; if it also refuses the trigger, both refusals are reported', async () => {
    const { fake, client } = bench(others);
    fail(fake, { method: 'PATCH', path: /dags/ }, [{ kind: 'status', status: 403, body: '{"error":"no"}' }]);
    await client.trigger(DAG.id, {});
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
    fail(fake, { method: 'PATCH', path: /dags/ }, [{ kind: 'status', status: 403, body: '{"error":"not you"}' }]);
    const { message } = await rejects(client.trigger('t_unknown', {}), 'unknown_dag');
    expect(message).toMatch(/there is no such DAG.* refused to unpause the DAG: .*not you/);
  });

  it('gets no trigger during an outage', async () => {
    const { fake, client } = bench(others);
    fake.fault = () => ({ kind: 'reset' });
    await rejects(client.trigger(DAG.id, {}), 'unreachable');
    expect(fake.received('POST', /dagRuns$/)).toHaveLength(0);
  });

  it('causes the error `unknown_run` for an unknown run, and an error with the path of the call for a read of the version', async () => {
    const { client } = bench(others);
    await rejects(client.run(DAG.id, 'manual__none').state(), 'unknown_run');
    await expect(client.version()).rejects.toMatchObject({ details: { path: 'api/v1/version' } });
  });
});

it.each(['/api/v1', ''])(
  'the client finds the three calls below "%s" if its address has no API path',
  async (below) => {
    const { fake, clock } = bench(404);
    const client = createOrchestratorClient({
      baseUrl: 'http://orchestrator.test/airflow',
      credentials: { username: 'admin', password: 'admin' },
      clock,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        const root = `http://orchestrator.test/airflow${below}/dags/`;
        if (!request.url.startsWith(root)) return new Response('Not Found', { status: 404 });
        return await fake.fetch(new Request(request.url.replace(root, `${fake.baseUrl}/api/v1/dags/`), request));
      },
    });
    const run = await client.trigger(DAG.id, {});
    expect(await run.state()).toBe('queued');
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
  },
);

describe('a bare root whose first call fails', () => {
  /** An orchestrator with the three calls directly below the address. Other paths return the 404 of FastAPI. */
  function bareRoot(fault: (request: RecordedRequest) => Fault | undefined) {
    const { fake, clock } = bench(404);
    fake.fault = fault;
    const root = 'http://orchestrator.test/dags/';
    const client = createOrchestratorClient({
      baseUrl: 'http://orchestrator.test',
      credentials: { username: 'admin', password: 'admin' },
      unpause: 'never',
      clock,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (!request.url.startsWith(root)) return Response.json({ detail: 'Not Found' }, { status: 404 });
        return await fake.fetch(new Request(request.url.replace(root, `${fake.baseUrl}/api/v1/dags/`), request));
      },
    });
    return { fake, client };
  }

  it('with a 503 does not report the run as unknown', async () => {
    const { client } = bareRoot(() => ({ kind: 'status', status: 503 }));
    expect((await rejects(client.run(DAG.id, 'manual__1').state(), 'server_error')).details.status).toBe(503);
  });

  it('with a lost response does not report the DAG as unknown', async () => {
    const { fake, client } = bareRoot(({ method }) => (method === 'POST' ? { kind: 'lost' } : undefined));
    await rejects(client.trigger(DAG.id, {}), 'trigger_unknown');
    expect(fake.runsOf(DAG.id)).toHaveLength(1);
  });

  it('with the 404 of a missing run or DAG reports the run or DAG as unknown', async () => {
    const { client } = bareRoot(() => undefined);
    await rejects(client.run(DAG.id, 'manual__none').state(), 'unknown_run');
    await rejects(client.trigger('t_unknown', {}), 'unknown_dag');
  });
});

const MINUTE_MS = 60_000;

/**
 * Watches a deleted run and a longer run. Returns the fake, and a function that advances the clock and lists the `gone`
 * events.
 */
async function watchDeleted(options: FakeOptions, fault?: Fault) {
  const { fake, client, clock } = anyBench(options, {
    baseUrl: 'http://orchestrator.test/api/v1',
    requestTimeoutMs: 30_000,
  });
  const [deleted, kept] = [fake.world.addRun(DAG.id, {}), fake.world.addRun(DAG.id, {})];
  const watcher = client.watcher();
  const gone: string[] = [];
  watcher.on('gone', ({ runId }) => gone.push(runId === deleted.runId ? 'deleted' : 'kept'));
  for (const run of [deleted, kept]) watcher.add(run);
  await watcher.poll();
  fake.world.dagOf(DAG.id).runs.delete(deleted.runId);
  if (fault !== undefined) fake.fault = () => fault;
  const goneAfter = async (minutes: number): Promise<readonly string[]> => {
    for (const end = clock.now() + minutes * MINUTE_MS; clock.now() < end; await clock.sleep(4000))
      await watcher.poll();
    return gone;
  };
  return { fake, goneAfter };
}

describe('a deleted run', () => {
  it.each(['airflow', 'fastapi'] as const)(
    'of an orchestrator with three calls is reported as deleted immediately if its 404 has the form of %s',
    async (missing) => {
      expect(await (await watchDeleted({ threeCalls: 404, missing })).goneAfter(1)).toEqual(['deleted']);
    },
  );

  it.each(['error', 'page'] as const)(
    'of an orchestrator with three calls is reported as deleted after 15 minutes if its 404 has another format (%s)',
    async (missing) => {
      const { goneAfter } = await watchDeleted({ threeCalls: 404, missing });
      expect(await goneAfter(14)).toEqual([]);
      expect(await goneAfter(2)).toEqual(['deleted']);
    },
  );

  it('of an orchestrator with three calls is the only run reported as deleted if a proxy returns 404 for ten minutes', async () => {
    const { fake, goneAfter } = await watchDeleted({ threeCalls: 404, missing: 'error' }, NO_BACKEND);
    await goneAfter(10);
    fake.fault = undefined;
    expect(await goneAfter(10)).toEqual(['deleted']);
  });

  it('of an orchestrator with all calls is not reported as deleted while a proxy returns 404', async () => {
    expect(await (await watchDeleted({}, NO_BACKEND)).goneAfter(60)).toEqual([]);
  });
});

it('lists are used again when an orchestrator offers them again', async () => {
  const { client, fake, clock } = anyBench();
  const watcher = client.watcher();
  fake.fault = ({ path }) => (path.endsWith('/dagRuns') ? { kind: 'status', status: 405, body: '{}' } : undefined);
  const run = fake.world.addRun(DAG.id, { state: 'running' });
  watcher.add(run);
  await watcher.poll();
  const notes: unknown[] = [];
  watcher.on('pass', (note) => notes.push(note)).on('finished', ({ state }) => notes.push(state));
  fake.fault = undefined;
  await watcher.poll();
  await clock.sleep(150_000);
  await watcher.poll();
  fake.world.setState(run, 'success');
  await clock.sleep(4000);
  await watcher.poll();
  expect(notes).toEqual([
    { listCalls: 0, runCalls: 1 },
    { listCalls: 1, runCalls: 0 },
    'success',
    { listCalls: expect.any(Number), runCalls: 1 },
  ]);
});
