import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { type FakeTask, FakeOrchestrator, VirtualClock } from '@headwater/orchestrator-client/testing';
import { describe, expect, it } from 'vitest';
import { jobTrigger } from './index.ts';

const JOB = {
  id: '0190a000-0000-8000-8000-000000000001',
  secretId: 'a1b2'.repeat(16),
  op: 'export',
  params: { year: 2021 },
};
const SIGNAL = new AbortController().signal;

async function triggered(run: FakeTask['run'], isManual = false) {
  const fake = new FakeOrchestrator({ dags: [{ id: 'jobs', isManual, tasks: [{ id: 'work', run }] }] });
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    credentials: { username: 'admin', password: 'admin' },
    fetch: fake.fetch,
  });
  const trigger = jobTrigger({ client, dagId: 'jobs', serviceApiBase: 'http://service.test' });
  await trigger.trigger(JOB, SIGNAL);
  return { fake, trigger, ended: () => trigger.ended(JOB.id, SIGNAL) };
}

describe('the run of a job', () => {
  it('has the id of the job, has the secret id in its conf, and is reported as unfinished while it is running', async () => {
    const { fake, ended } = await triggered(() => null, true);
    expect(fake.runsOf('jobs')).toMatchObject([
      {
        runId: JOB.id,
        conf: { op: 'export', params: JOB.params, run_id: JOB.secretId, api_base: 'http://service.test' },
      },
    ]);
    expect(await ended()).toBeUndefined();
  });

  it('reports task, exception and lines of the log if it failed', async () => {
    const { ended } = await triggered(() => {
      throw Object.assign(new Error('quota exceeded'), { name: 'RuntimeError' });
    });
    await expect.poll(ended).toMatch(/failed in task work: RuntimeError: quota exceeded/);
    expect(await ended()).toMatch(/\n[^]*Traceback/);
  });

  it('reports a failure without the secret id, even if the log contains it', async () => {
    const { ended } = await triggered(() => {
      throw new Error(`404 for http://service.test/api/jobs/${JOB.secretId}/result`);
    });
    await expect.poll(ended).toMatch(/jobs\/\*{3}\/result/);
    expect(await ended()).not.toContain(JOB.secretId);
  });

  it('reports that the workflow does not process jobs, if the workflow succeeds without posting a result', async () => {
    const { ended } = await triggered(() => ({ status: 'success' }));
    await expect
      .poll(ended)
      .toMatch(/DAG jobs ended as a success and posted no result.*does not process jobs\. Configure a workflow/);
  });

  it.each(['airflow', 'error'] as const)(
    'is found only by the process that triggered it, if the orchestrator chose another id (form of its 404: %s)',
    async (missing) => {
      const fake = new FakeOrchestrator({
        threeCalls: 404,
        missing,
        dags: [{ id: 'jobs', tasks: [{ id: 'work', run: () => ({ status: 'success' }) }] }],
      });
      const client = createOrchestratorClient({
        baseUrl: `${fake.baseUrl}/api/v1`,
        credentials: { username: 'admin', password: 'admin' },
        fetch: fake.fetch,
      });
      const [own, other] = [1, 2].map(() =>
        jobTrigger({ client, dagId: 'jobs', serviceApiBase: 'http://service.test' }),
      );
      await own?.trigger(JOB, SIGNAL);
      await expect.poll(() => own?.ended(JOB.id, SIGNAL)).toMatch(/ended as a success and posted no result/);
      expect(await other?.ended(JOB.id, SIGNAL)).toBeUndefined();
    },
  );

  it.each([
    { is: 'unknown if the response to its trigger is lost', method: 'POST', code: 'upstream_timeout', started: 1 },
    {
      is: 'not started if the orchestrator does not respond before the trigger',
      method: 'PATCH',
      code: 'upstream_failed',
      started: 0,
    },
  ])('is $is', async ({ method, code, started }) => {
    const clock = new VirtualClock();
    const fake = new FakeOrchestrator({ threeCalls: 404, clock, dags: [{ id: 'jobs', isManual: true, tasks: [] }] });
    fake.fault = (request) => (request.method === method ? { kind: 'lost' } : undefined);
    const client = createOrchestratorClient({
      baseUrl: `${fake.baseUrl}/api/v1`,
      credentials: { username: 'admin', password: 'admin' },
      fetch: clock.holding(fake.fetch),
      clock,
    });
    const trigger = jobTrigger({ client, dagId: 'jobs', serviceApiBase: 'http://service.test' });
    await expect(trigger.trigger(JOB, SIGNAL)).rejects.toMatchObject({ code });
    expect(fake.runsOf('jobs')).toHaveLength(started);
  });

  it('causes the error `not_found` if it does not exist', async () => {
    const { trigger } = await triggered(() => null);
    await expect(trigger.ended('another', SIGNAL)).rejects.toMatchObject({ code: 'not_found' });
  });
});
