import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, dag, DAG_ID, SERVICE } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

describe('a workflow run that a caller starts', () => {
  it.each([
    ['the address of the service instead of the address from the caller', SERVICE, { api_base: SERVICE, year: 2021 }],
    ['no address if the service has none', undefined, { year: 2021 }],
  ])('gets %s', async (_name, serviceApiBase, conf) => {
    world = bench();
    const { workflow } = world.server(serviceApiBase === undefined ? {} : { serviceApiBase });
    await workflow?.run({ api_base: 'http://stranger.test', year: 2021 });
    expect(world.fake.runsOf(DAG_ID)).toMatchObject([{ conf }]);
    expect(JSON.stringify(world.fake.runsOf(DAG_ID)[0]?.conf)).not.toContain('stranger');
  });

  const raising = (): { readonly dags: ReturnType<typeof dag>['dags'] } =>
    dag(() => {
      throw Object.assign(new Error('conf.pipeline: is missing; name one'), { name: 'AirflowFailException' });
    });

  it('reports the reason of its failure, and reads its log once', async () => {
    world = bench(raising());
    const { workflow } = world.server();
    const { dagRunId } = (await workflow?.run({})) ?? { dagRunId: '' };
    await expect.poll(async () => (await workflow?.status(dagRunId))?.state).toBe('failed');
    const failure = await workflow?.failure(dagRunId);
    expect(failure).toEqual({
      task: 'execute',
      reason: 'AirflowFailException: conf.pipeline: is missing; name one',
      excerpt: expect.stringContaining('Traceback'),
    });
    expect(await workflow?.failure(dagRunId)).toEqual(failure);
    expect(world.fake.received('GET', /logs/)).toHaveLength(1);
  });

  it('reports no failure while it is unfinished, or if it belongs to a run of the service', async () => {
    world = bench(raising());
    const server = world.server();
    server.start();
    const id = await world.start();
    const { dagRunId } = await world.ended(id);
    expect(await server.workflow?.status(dagRunId ?? '')).toMatchObject({ state: 'failed' });
    expect(await server.workflow?.failure(dagRunId ?? '')).toBeUndefined();
    await server.stop({ graceMs: 1000 });
    world = bench(dag(() => 1, { isManual: true }));
    const { workflow } = world.server();
    const { dagRunId: open } = (await workflow?.run({})) ?? { dagRunId: '' };
    expect(await workflow?.failure(open)).toBeUndefined();
  });

  it.each([403, 503])(
    'is started, and the response has its id, even if a request for its state returns %d',
    async (status) => {
      world = bench();
      const { workflow } = world.server();
      world.fake.fault = ({ method, path }) =>
        method === 'GET' && path.includes('/dagRuns/') ? { kind: 'status', status } : undefined;
      const [run, started] = [await workflow?.run({ year: 2021 }), world.fake.runsOf(DAG_ID)];
      expect(started).toHaveLength(1);
      expect(run).toEqual({ dagRunId: started[0]?.runId, state: 'queued' });
    },
  );

  it('reports a timeout after the time of one request, and does not wait for all retries', async () => {
    world = bench();
    const fetch: typeof globalThis.fetch = (_input, init) =>
      new Promise((_settle, refuse) => init?.signal?.addEventListener('abort', () => refuse(init.signal?.reason)));
    const { workflow } = world.server({ answerMs: 50, orchestrator: { fetch, requestTimeoutMs: 60_000 } });
    for (const reading of [workflow?.status('manual__1'), workflow?.failure('manual__1')])
      await expect(reading).rejects.toMatchObject({
        code: 'upstream_timeout',
        message: expect.stringMatching(/0.05 s/),
      });
    const left = AbortSignal.abort(new Error('left'));
    await expect(workflow?.status('manual__1', left)).rejects.not.toThrow(/0.05 s/);
  });

  it.each(['~', '.', '..', 'a/b', 'a\\b'])('rejects the invalid id %j', async (id) => {
    world = bench();
    const status = world.server().workflow?.status(id);
    await expect(status).rejects.toMatchObject({ code: 'validation', fields: { runId: [expect.anything()] } });
    await expect(status).rejects.toThrow(/^runId: "/);
  });

  it('gets only the conf members that the caller sends', async () => {
    world = bench();
    await world.server({ serviceApiBase: SERVICE }).workflow?.run({ year: 2021 });
    expect(world.fake.runsOf(DAG_ID)[0]?.conf).toEqual({ year: 2021 });
  });
});
