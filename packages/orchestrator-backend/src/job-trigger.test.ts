import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { type FakeTask, FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { describe, expect, it } from 'vitest';
import { jobTrigger } from './index.ts';

const JOB = { id: '0190a000-0000-7000-8000-000000000001', op: 'export', params: { year: 2021 } };
const SIGNAL = new AbortController().signal;

/** A workflow of one task, to which a job was handed. */
async function handedOver(run: FakeTask['run'], isManual = false) {
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
  it('has what the workflow of jobs reads, under the id of the job, and has not ended while it goes on', async () => {
    const { fake, ended } = await handedOver(() => null, true);
    expect(fake.runsOf('jobs')).toMatchObject([
      { runId: JOB.id, conf: { op: 'export', params: JOB.params, run_id: JOB.id, api_base: 'http://service.test' } },
    ]);
    expect(await ended()).toBeUndefined();
  });

  it('that failed tells its task, its exception and lines of its log', async () => {
    const { ended } = await handedOver(() => {
      throw Object.assign(new Error('quota exceeded'), { name: 'RuntimeError' });
    });
    await expect.poll(ended).toMatch(/failed in task work: RuntimeError: quota exceeded/);
    expect(await ended()).toMatch(/\n[^]*Traceback/);
  });

  it('that is a success by itself says what to do: its workflow does no jobs', async () => {
    const { ended } = await handedOver(() => ({ status: 'success' }));
    await expect.poll(ended).toMatch(/DAG jobs ended as a success and posted no result.*does no jobs\. Name one/);
  });

  it('that is not there is not found', async () => {
    const { trigger } = await handedOver(() => null);
    await expect(trigger.ended('another', SIGNAL)).rejects.toMatchObject({ code: 'not_found' });
  });
});
