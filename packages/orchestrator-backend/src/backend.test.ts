import { sha256 } from '@headwater/core/values';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, dag, DAG_ID, onlyRun, SERVICE } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const raised = (message: string): Error => Object.assign(new Error(message), { name: 'RuntimeError' });

describe('a run through an orchestrator', () => {
  it('is started once with the complete conf, and ends with the Items that were computed for its callback', async () => {
    world = bench();
    const id = await world.start(5, { requestId: 'req-5' });
    world.server({ serviceApiBase: SERVICE }).start();
    const run = await world.ended(id);
    expect(run).toMatchObject({ state: 'success', itemIds: ['item_5'], timings: { measured: 7 }, dagId: DAG_ID });
    const { conf, runId } = onlyRun(world);
    expect(run.dagRunId).toBe(runId);
    expect(conf).toEqual({
      tehsilId: 7,
      n: 5,
      pipeline: 'test',
      pipeline_version: '9.9.9',
      job_id: id,
      request_id: 'req-5',
      run_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      api_base: SERVICE,
      region: [85, 22, 86, 23],
      year: 2023,
      start_year: 2022,
      end_year: 2023,
      base_scheme: 'indiasat',
      state: 'Jharkhand',
      district: 'West Singhbhum',
      block: 'Chaibasa',
    });
    expect(run.runTokenHash).toBe(await sha256(String(conf['run_token'])));
    expect(JSON.stringify([run, await world.runs.events(id, 0, 99)])).not.toContain(String(conf['run_token']));
  });

  it('continues the trace of its request: the conf has the members of the trace', async () => {
    world = bench();
    const id = await world.start();
    world.server({ traces: { traceOf: (runId) => ({ traceparent: `trace of ${runId}` }) } }).start();
    await world.ended(id);
    expect(onlyRun(world).conf).toMatchObject({ traceparent: `trace of ${id}`, job_id: id });
  });

  it('has a page at the orchestrator after its trigger; the address of the page contains no credentials', async () => {
    world = bench();
    const backend = world.server();
    const page = backend.pageOf?.({ dagId: 'a dag', dagRunId: 'run/1' }) ?? '';
    expect(page).toMatch(/^https?:\/\/[^@/]+\/dags\/a%20dag\/grid\?dag_run_id=run%2F1$/);
    expect(backend.pageOf?.({ dagId: DAG_ID, dagRunId: null })).toBeUndefined();
  });

  it('is computed once for a task that calls back several times', async () => {
    world = bench(
      dag(async ({ conf, post }) => {
        const url = `${SERVICE}/api/export-asset`;
        await Promise.all([post(url, { conf }), post(url, { conf })]);
        return await post(url, { conf });
      }),
    );
    const id = await world.start();
    world.server().start();
    expect((await world.ended(id)).state).toBe('success');
    expect(world.answered).toEqual([200, 200, 200]);
    expect((await world.runs.list({ parentId: id, limit: 9, offset: 0 })).total).toBe(1);
  });

  it('fails with the task, its exception and lines of its log', async () => {
    world = bench(
      dag(({ print, conf }) => {
        print(`the token is ${String(conf['run_token'])}`);
        throw raised('export failed: quota exceeded');
      }),
    );
    const id = await world.start();
    world.server().start();
    const { error, runTokenHash } = await world.ended(id);
    expect(error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/failed in task execute: RuntimeError: export failed: quota exceeded$/),
      details: { task: 'execute', excerpt: expect.stringContaining('Traceback') },
    });
    expect(runTokenHash).not.toBeNull();
    expect(JSON.stringify(error)).not.toContain(String(onlyRun(world).conf['run_token']));
  });

  it('fails with the error of its callback', async () => {
    world = bench({ compute: () => ({ error: 'too few clear scenes in 2022' }) });
    const id = await world.start();
    world.server().start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'no_scenes',
      message: expect.stringMatching(
        /^too few clear scenes in 2022 \(At the orchestrator, run .* failed in task execute: .*500/,
      ),
      details: { task: 'execute' },
    });
  });

  it('fails if the workflow fails after its callback; the error names the run that was published', async () => {
    world = bench(
      dag(async ({ conf, post }) => {
        await post(`${SERVICE}/api/export-asset`, { conf });
        throw raised('the verification failed');
      }),
    );
    const id = await world.start();
    world.server().start();
    const { error, itemIds } = await world.ended(id);
    expect(error?.message).toMatch(/the verification failed; the results that it computed before are published by run/);
    expect(itemIds).toEqual([]);
    const [child] = (await world.runs.list({ parentId: id, limit: 1, offset: 0 })).runs;
    expect(await world.stores.catalog.itemsOfRun(child?.id ?? '')).toHaveLength(1);
  });

  it('waits for the computation of its callback, even if the workflow does not wait', async () => {
    const confSent = Promise.withResolvers<unknown>();
    world = bench(
      dag(async ({ conf }) => {
        await world.callbacks.begin({ jobId: String(conf['job_id']), runToken: String(conf['run_token']) });
        confSent.resolve(conf);
        return 'begun';
      }),
    );
    const id = await world.start();
    world.server().start();
    const { job_id, run_token } = (await confSent.promise) as { readonly job_id: string; readonly run_token: string };
    await expect.poll(() => onlyRun(world).state).toBe('success');
    expect((await world.runs.get(id))?.state).toBe('running');
    const signal = new AbortController().signal;
    expect((await world.callbacks.execute({ jobId: job_id, runToken: run_token, signal }))?.state).toBe('success');
    expect((await world.ended(id)).state).toBe('success');
  });

  it('fails if its run was deleted at the orchestrator', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    const id = await world.start();
    world.server().start();
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
    world.fake.world.dagOf(DAG_ID).runs.clear();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/it was deleted there/),
    });
  });

  it.each([
    ['an unknown workflow', { dagId: 'nothing' }, /nothing/],
    ['a wrong password', { orchestrator: { credentials: { username: 'admin', password: 'no' } } }, /password/],
    ['a workflow that remains paused', { orchestrator: { unpause: 'error' as const } }, /is paused/],
  ])('fails without a retry with %s', async (_name, options, message) => {
    world = bench(dag(() => 1, { isPaused: true }));
    const id = await world.start();
    world.server(options).start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(message),
    });
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(0);
  });

  it('fails with a timeout if the orchestrator does not respond for too long', async () => {
    world = bench();
    world.fake.fault = () => ({ kind: 'reset' });
    const id = await world.start();
    world.server({ patienceMs: 60_000 }).start();
    expect((await world.ended(id)).error).toMatchObject({ code: 'upstream_timeout' });
  });
});
