import type { RunStore } from '@headwater/core';
import { sha256 } from '@headwater/core';
import type { FakeDag } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID, item, SERVICE } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const raised = (message: string): Error => Object.assign(new Error(message), { name: 'RuntimeError' });
const dag = (
  run: FakeDag['tasks'][number]['run'],
  rest: Partial<FakeDag> = {},
): { readonly dags: readonly FakeDag[] } => ({
  dags: [{ ...CALLS_BACK, tasks: [{ id: 'execute', run }], ...rest }],
});
const only = (): ReturnType<Bench['fake']['runsOf']>[number] => {
  const [run] = world.fake.runsOf(DAG_ID);
  if (run === undefined) throw new Error('no run was started');
  return run;
};

describe('a run through an orchestrator', () => {
  it('is started once with everything a workflow may ask for, and ends by what its callback published', async () => {
    world = bench();
    const id = await world.start(5);
    world.server({ serviceApiBase: SERVICE }).start();
    const run = await world.ended(id);
    expect(run).toMatchObject({ state: 'success', itemIds: ['item_5'], timings: { measured: 7 }, dagId: DAG_ID });
    const { conf, runId } = only();
    expect(run.dagRunId).toBe(runId);
    expect(conf).toEqual({
      tehsilId: 7,
      n: 5,
      pipeline: 'test',
      pipeline_version: '9.9.9',
      job_id: id,
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

  it('computes once for a task that calls back again and again', async () => {
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
    expect(JSON.stringify(error)).not.toContain(String(only().conf['run_token']));
  });

  it('fails as what its callback began did', async () => {
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

  it('fails where the workflow does after its callback, and tells what was published by then', async () => {
    world = bench(
      dag(async ({ conf, post }) => {
        await post(`${SERVICE}/api/export-asset`, { conf });
        throw raised('the verification failed');
      }),
    );
    const id = await world.start();
    world.server().start();
    const { error, itemIds } = await world.ended(id);
    expect(error?.message).toMatch(/the verification failed What it had computed by then is published by run/);
    expect(itemIds).toEqual([]);
    const [child] = (await world.runs.list({ parentId: id, limit: 1, offset: 0 })).runs;
    expect(await world.stores.catalog.itemsOfRun(child?.id ?? '')).toHaveLength(1);
  });

  it('waits for a callback that the workflow did not wait for', async () => {
    const left = Promise.withResolvers<unknown>();
    world = bench(
      dag(async ({ conf }) => {
        await world.callbacks.begin({ jobId: String(conf['job_id']), runToken: String(conf['run_token']) });
        left.resolve(conf);
        return 'begun';
      }),
    );
    const id = await world.start();
    world.server().start();
    const { job_id, run_token } = (await left.promise) as { readonly job_id: string; readonly run_token: string };
    await expect.poll(() => only().state).toBe('success');
    expect((await world.runs.get(id))?.state).toBe('running');
    const signal = new AbortController().signal;
    expect((await world.callbacks.execute({ jobId: job_id, runToken: run_token, signal }))?.state).toBe('success');
    expect((await world.ended(id)).state).toBe('success');
  });

  it('fails when somebody deleted it there', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    const id = await world.start();
    world.server().start();
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
    world.fake.world.dagOf(DAG_ID).runs.clear();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/somebody deleted it/),
    });
  });

  it.each([
    ['an unknown workflow', { dagId: 'nothing' }, /nothing/],
    ['a wrong password', { orchestrator: { credentials: { username: 'admin', password: 'no' } } }, /password/],
    ['a paused one that stays so', { orchestrator: { unpause: 'error' as const } }, /is paused/],
  ])('fails at once with %s', async (_name, options, message) => {
    world = bench(dag(() => 1, { isPaused: true }));
    const id = await world.start();
    world.server(options).start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(message),
    });
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(0);
  });

  it('fails as a timeout where the orchestrator does not answer for longer than is borne', async () => {
    world = bench();
    world.fake.fault = () => ({ kind: 'reset' });
    const id = await world.start();
    world.server({ patienceMs: 60_000 }).start();
    expect((await world.ended(id)).error).toMatchObject({ code: 'upstream_timeout' });
  });
});

describe('a container', () => {
  const marked = (value: unknown): string => `===RESULT_JSON_START===\n${JSON.stringify(value)}\n===RESULT_JSON_END===`;
  it.each([
    ['an Item', item('a')],
    ['stac_spec', { status: 'success', stac_spec: item('a') }],
    ['stac_items', { status: 'success', asset_id: 'a', stac_items: [item('a')], stac_spec: item('a') }],
    ['text with markers', `noise\n${marked(item('a'))}\nnoise`],
  ])('gives its result as %s', async (_name, returned) => {
    world = bench(dag(() => returned));
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'], publishedBy: null });
    expect(await world.stores.catalog.item('jharkhand/west_singhbhum/chaibasa', 'a')).toMatchObject({ runId: id });
  });

  it('gives its result by what it prints', async () => {
    world = bench(
      dag(({ print }) => {
        for (const line of marked({ stac_spec: item('a') }).split('\n')) print(line);
        return null;
      }),
    );
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'] });
  });

  it.each([
    ['nothing', null, /no task of it returned or printed anything/],
    ['no Item', { status: 'success' }, /no STAC Item.*its status is "success"/],
    ['a broken Item', { stac_spec: item('broken') }, /rule assets.data at \/assets/],
    ['an Item of another place', item('a', { collection: 'elsewhere' }), /names the collection "elsewhere"/],
    ['two blocks', `${marked(item('a'))}${marked(item('b'))}`, /more than one block/],
    ['half a block', '===RESULT_JSON_START===\n{', /stopped while it printed/],
    ['a list', [1], /returned no object/],
  ])('that gives %s is no success', async (_name, returned, problem) => {
    world = bench(dag(() => returned));
    const id = await world.start();
    world.server().start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/ended as a success without a valid STAC output/),
    });
    expect((await world.runs.get(id))?.error?.message).toMatch(problem);
    expect(await world.stores.catalog.collections()).toEqual([]);
  });
});

describe('cancelling', () => {
  it('ends the run there and what its callback began', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    const id = await world.start();
    world.server().start();
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
    const token = String(only().conf['run_token']);
    const child = await world.callbacks.begin({ jobId: id, runToken: token });
    await world.runs.requestCancel(id);
    expect((await world.ended(id)).error?.code).toBe('cancelled');
    expect(only().state).toBe('failed');
    expect((await world.runs.get(child?.id ?? ''))?.error?.code).toBe('cancelled');
    expect(await world.callbacks.begin({ jobId: id, runToken: token })).toBeUndefined();
  });

  it('of a run that nobody started there yet ends it here', async () => {
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
  /** A store that this process cannot reach any more. */
  const cut =
    (isCut: () => boolean) =>
    (runs: RunStore): RunStore =>
      new Proxy(runs, {
        get: (target, key, receiver) => {
          const member: unknown = Reflect.get(target, key, receiver);
          if (typeof member !== 'function') return member;
          return (...given: unknown[]): unknown =>
            isCut() ? Promise.reject(new Error('the store is away')) : Reflect.apply(member, target, given);
        },
      });

  it('one goes on where another one died: after the trigger, and before its answer was noted', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    let isDead = false;
    const ids = await Promise.all([1, 2, 3].map((n) => world.start(n)));
    world.server({ watcherId: 'a', view: cut(() => isDead) }).start();
    let sent = 0;
    world.fake.fault = ({ method, path }) => {
      if (method !== 'POST' || !path.endsWith('dagRuns')) return undefined;
      sent += 1;
      // The answer of the last trigger finds nobody.
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

  it('share the runs, each watched by one', async () => {
    world = bench();
    const ids = await Promise.all(Array.from({ length: 40 }, () => world.start()));
    for (const watcherId of ['a', 'b', 'c']) world.server({ watcherId }).start();
    for (const id of ids) expect((await world.ended(id)).state).toBe('success');
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(40);
  });

  it('a server that closes gives its runs back at once', async () => {
    world = bench(dag(() => 1, { isManual: true }));
    const id = await world.start();
    const first = world.server({ watcherId: 'a', leaseMs: 86_400_000 });
    first.start();
    await expect.poll(async () => (await world.runs.get(id))?.dagRunId).toMatch(/^manual__/);
    await first.stop({ graceMs: 1000 });
    world.server({ watcherId: 'b' }).start();
    await expect.poll(async () => (await world.runs.get(id))?.workerId).toBe('b');
    world.fake.world.setState(only(), 'failed');
    expect((await world.ended(id)).error?.code).toBe('upstream_failed');
  });
});
