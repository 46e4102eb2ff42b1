import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { createOrchestratorClient } from '../index.ts';
import { BAD_GATEWAY, bench, DAG, fail } from '../bench.test-helper.ts';
import { rejects } from '../conformance/bench.test-helper.ts';

describe('a trigger', () => {
  it.each([{ kind: 'lost' }, { kind: 'reset' }, { kind: 'hang' }, BAD_GATEWAY] as const)(
    'starts one run although an attempt fails (fault: $kind)',
    async (fault) => {
      const { fake, client } = bench();
      for (let other = 0; other < 150; other++) fake.world.addRun(DAG.id, { conf: { job_id: `other ${other}` } });
      fail(fake, { method: 'POST' }, [fault, fault]);
      const run = await client.trigger(DAG.id, { job_id: 'mine' });
      const mine = fake.runsOf(DAG.id).filter(({ conf }) => conf['job_id'] === 'mine');
      expect(mine.map(({ runId }) => runId)).toEqual([run.runId]);
    },
  );

  it('with a lost response is not retried if the runs cannot be searched, or the run cannot be identified', async () => {
    const { fake, client } = bench();
    fake.fault = ({ method, path }) =>
      /dagRuns/.test(path) ? (method === 'POST' ? { kind: 'lost' } : BAD_GATEWAY) : undefined;
    expect((await rejects(client.trigger(DAG.id, { job_id: 'a' }), 'trigger_unknown')).details).toEqual({
      dagId: DAG.id,
      jobId: 'a',
    });
    expect((await rejects(client.trigger(DAG.id, {}), 'trigger_unknown')).message).toMatch(/conf has no job_id/);
    expect(fake.received('POST', /dagRuns/)).toHaveLength(2);
  });

  it('is not retried on an Airflow 3 that confirms a run and then does not know it', async () => {
    const { fake, client } = bench({ version: '3.0.6' });
    const unknown = { kind: 'status', status: 404, body: '{"detail":"The DagRun was not found"}' } as const;
    fake.fault = ({ method, path }) => (method === 'GET' && /dagRuns\//.test(path) ? unknown : undefined);
    expect((await rejects(client.trigger(DAG.id, {}), 'trigger_unknown')).message).toMatch(/does not know this run/);
    expect(fake.received('POST', /dagRuns/)).toHaveLength(1);
    fake.fault = () => undefined;
    expect(await (await client.trigger(DAG.id, {})).state()).toBe('queued');
  });

  it.each(['2.10.3', '3.0.6'])(
    'is awaited on %s even if its caller aborts while the request is in flight',
    async (version) => {
      const { fake, client } = bench({ version });
      const slowClient = createOrchestratorClient({
        baseUrl: fake.baseUrl,
        credentials: { username: 'admin', password: 'admin' },
        fetch: fake.fetch,
      });
      const stop = new AbortController();
      fake.fault = ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('dagRuns')) return undefined;
        stop.abort();
        return { kind: 'late', ms: 5000 };
      };
      const run = await slowClient.trigger(DAG.id, { job_id: 'slow' }, { signal: stop.signal });
      expect((await client.findByJob(DAG.id, 'slow'))?.runId).toBe(run.runId);
      await rejects(slowClient.trigger(DAG.id, { job_id: 'never' }, { signal: stop.signal }), 'aborted');
      expect(fake.runsOf(DAG.id)).toHaveLength(1);
    },
  );

  it.each([429, 503])('is retried only after the pause that a response of status %i requests', async (status) => {
    const { fake, client, clock } = bench();
    await client.version();
    const sent: number[] = [];
    fake.fault = ({ method }) => {
      if (method !== 'POST') return undefined;
      sent.push(clock.now());
      return sent.length > 2 ? undefined : { kind: 'status', status, headers: { 'retry-after': '60' } };
    };
    await client.trigger(DAG.id, { job_id: 'mine' });
    const pauses = sent.slice(1).map((time, index) => time - (sent[index] ?? 0));
    expect(pauses).toHaveLength(2);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(60_000);
  });

  it.each([
    ['behind', -7_200_000],
    ['right', 0],
    ['ahead', 90_000],
    ['far ahead', 7_200_000],
  ])(
    'starts each of 120 runs once although responses are lost and the clock of a proxy is %s',
    async (_name, aheadMs) => {
      const { fake, client, clock } = bench(
        {},
        {
          fetch: async (input, init) => {
            const answer = await fake.fetch(input, init);
            const headers = new Headers(answer.headers);
            headers.set('date', new Date(clock.now() + aheadMs).toUTCString());
            return new Response(answer.body, { status: answer.status, headers });
          },
        },
      );
      // The client learns the orchestrator's time from these running runs. They fill more than one page.
      for (let other = 0; other < 150; other++) fake.world.addRun(DAG.id, { state: 'running' });
      await client.version();
      fail(
        fake,
        { method: 'POST' },
        Array.from({ length: 120 }, () => ({ kind: 'lost' })),
      );
      const jobs = Array.from({ length: 120 }, (_none, index) => `job ${index}`);
      await Promise.all(jobs.map((job_id) => client.trigger(DAG.id, { job_id })));
      const started = fake.runsOf(DAG.id).flatMap(({ conf }) => ('job_id' in conf ? [String(conf['job_id'])] : []));
      expect(started.toSorted()).toEqual(jobs.toSorted());
    },
  );

  it.each(['2.10.3', '3.0.6'])('starts a job again on %s if the run of this job failed yesterday', async (version) => {
    const { fake, client, clock } = bench({ version, skewMs: -7_200_000 });
    const { runId } = fake.world.addRun(DAG.id, { conf: { job_id: 'mine' }, state: 'failed' });
    await clock.sleep(86_400_000);
    fail(fake, { method: 'POST' }, [{ kind: 'reset' }]);
    const again = await client.trigger(DAG.id, { job_id: 'mine' });
    expect(again.runId).not.toBe(runId);
    fail(fake, { method: 'POST' }, [{ kind: 'lost' }]);
    await clock.sleep(86_400_000);
    await client.trigger(DAG.id, { job_id: 'mine' });
    expect(fake.runsOf(DAG.id)).toHaveLength(3);
  });

  it('reads only the latest pages of runs after a broken connection, although the orchestrator clock is 2 hours behind', async () => {
    const { fake, client, clock } = bench({ skewMs: -7_200_000 });
    for (let other = 0; other < 950; other++) fake.world.addRun(DAG.id, {});
    await clock.sleep(3_600_000);
    fake.world.addRun(DAG.id, { state: 'running' });
    fail(fake, { method: 'POST' }, [{ kind: 'reset' }]);
    await client.trigger(DAG.id, { job_id: 'mine' });
    expect(fake.received('GET', /dagRuns$/)).toHaveLength(4);
  });

  it('starts exactly one run, also with many random faults', async () => {
    const { fake, client, clock } = bench({}, { attempts: 12 });
    let dice = 0;
    fake.fault = ({ method, path }) => {
      if (!path.includes('dagRuns')) return undefined;
      dice = (dice * 16_807 + 11) % 2_147_483_647;
      const outcome = dice % 100;
      if (outcome < 30) return BAD_GATEWAY;
      if (method === 'POST' && outcome < 38) return { kind: 'lost' };
      return outcome < 41 ? { kind: 'reset' } : undefined;
    };
    const jobs = Array.from({ length: sized(250, 1000) }, (_none, index) => `job ${index}`);
    for (let from = 0; from < jobs.length; from += 50) {
      await Promise.all(jobs.slice(from, from + 50).map((job_id) => client.trigger(DAG.id, { job_id })));
      for (const run of fake.runsOf(DAG.id)) if (run.state === 'queued') fake.world.setState(run, 'running');
      await clock.sleep(600_000);
    }
    const started = fake.runsOf(DAG.id).map(({ conf }) => String(conf['job_id']));
    expect(started).toHaveLength(jobs.length);
    expect(new Set(started)).toEqual(new Set(jobs));
  });
});

describe('a run', () => {
  it('is watched with each change of its state, and its stall is reported once', async () => {
    const { fake, client, clock } = bench({}, { stalledAfterMs: 60_000 });
    const run = await client.trigger(DAG.id, {});
    const [started] = fake.runsOf(DAG.id);
    if (started === undefined) throw new Error('no run');
    fake.world.isSchedulerUp = false;
    const events: string[] = [];
    for await (const event of run.watch()) {
      events.push(event.type === 'state' ? event.state : event.diagnosis.advice.join());
      if (event.type === 'stalled') void clock.sleep(600_000).then(() => fake.world.setState(started, 'running'));
      if (event.type === 'state' && event.state === 'running') fake.world.setState(started, 'failed');
    }
    expect(events).toEqual(['queued', expect.stringMatching(/last heartbeat of the scheduler/), 'running', 'failed']);
  });

  it('is explained if it failed without a failed task', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    for (const started of fake.runsOf(DAG.id)) fake.world.setState(started, 'failed');
    expect((await rejects(run.wait(), 'run_failed')).message).toMatch(
      /no task of the run failed: it was ended from outside/,
    );
  });

  it('stays failed if its tasks cannot be read', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    for (const started of fake.runsOf(DAG.id)) fake.world.setState(started, 'failed');
    fake.fault = ({ path }) => (path.includes('taskInstances') ? BAD_GATEWAY : undefined);
    expect((await rejects(run.wait(), 'run_failed')).details.reason).toMatch(/tasks could not be read/);
  });

  it('is not reported as cancelled if the orchestrator cannot load its DAG', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    fake.world.addDag({ ...DAG, importError: 'SyntaxError' });
    await rejects(run.cancel(), 'not_cancelled');
  });

  it.each([
    ['2.10.3', [0]],
    ['2.10.3', [500]],
    ['2.10.3', [0, 500, 0]],
    ['3.0.6', [0, 500]],
  ])(
    'of Airflow %s is cancelled although the scheduler overwrites the end with the old state %j ms later',
    async (version, after) => {
      const { fake, client, clock } = bench({ version });
      const run = await client.trigger(DAG.id, {});
      const [started] = fake.runsOf(DAG.id);
      if (started === undefined) throw new Error('no run');
      fake.world.setState(started, 'running');
      fake.world.overwritesEndsAfter = [...after];
      expect(await run.cancel()).toMatchObject({ cancelled: true, run: { state: 'failed' } });
      await clock.sleep(60_000);
      expect(await run.cancel()).toMatchObject({ cancelled: false, run: { state: 'failed' } });
      expect(fake.received('PATCH', /dagRuns/)).toHaveLength(after.length + 1);
    },
  );

  it('is not reported as cancelled if the scheduler restarts it after each cancellation', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    fake.world.overwritesEndsAfter = [0, 0, 0, 0];
    expect((await rejects(run.cancel(), 'not_cancelled')).message).toMatch(/its scheduler restarted the run/);
  });

  it('is cancelled although the response is lost', async () => {
    const { fake, client } = bench();
    const run = await client.trigger(DAG.id, {});
    fail(fake, { method: 'PATCH' }, [{ kind: 'lost' }]);
    expect(await run.cancel()).toMatchObject({ cancelled: true, run: { state: 'failed' } });
  });

  it("of an Airflow before 2.10 returns a result that is parsed from Python's repr", async () => {
    const value = { status: 'success', note: "it's", items: [1, null, true] };
    const { client } = bench({ version: '2.9.1', dags: [{ id: 'd', tasks: [{ id: 't', run: () => value }] }] });
    const run = await client.trigger('d', {});
    await run.wait();
    expect(await run.result({ taskId: 't' })).toEqual(value);
  });

  it('of Airflow 2.6 rejects a read of the result of a mapped task as `unsupported`', async () => {
    const task = { id: 't', mapped: [1, 2], run: ({ item }: { readonly item: unknown }) => item };
    const { client } = bench({ version: '2.6.3', dags: [{ id: 'd', tasks: [task] }] });
    const run = await client.trigger('d', {});
    await run.wait();
    await expect(run.result({ taskId: 't', mapIndex: 1 })).rejects.toMatchObject({
      code: 'unsupported',
      details: { version: '2.6.3', least: '2.7' },
    });
  });
});
