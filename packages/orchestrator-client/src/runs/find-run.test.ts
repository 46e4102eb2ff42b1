import { describe, expect, it } from 'vitest';
import { bench, DAG } from '../bench.test-helper.ts';

const DAY_MS = 86_400_000;

describe('the run of a job whose trigger was sent by a process that crashed', () => {
  it.each(['2.10.3', '3.0.6'])(
    'is found on %s with the time of the trigger, even if more than 1,000 runs started later',
    async (version) => {
      const { fake, client, clock } = bench({ version });
      const add = (count: number, name: string): void => {
        for (let each = 0; each < count; each++) fake.world.addRun(DAG.id, { conf: { job_id: `${name} ${each}` } });
      };
      add(3000, 'long ago');
      await clock.sleep(DAY_MS);
      const since = new Date(clock.now());
      const { runId } = fake.world.addRun(DAG.id, { conf: { job_id: 'mine' } });
      await clock.sleep(DAY_MS);
      add(1500, 'later');
      expect(await client.findByJob(DAG.id, 'mine')).toBeUndefined();
      expect((await client.findByJob(DAG.id, 'mine', { since }))?.runId).toBe(runId);
      const before = fake.received('GET', /dagRuns$/).length;
      expect(await client.findByJob(DAG.id, 'never sent', { since })).toBeUndefined();
      // The search reads the pages with runs after `since`, and one page of older runs.
      expect(fake.received('GET', /dagRuns$/).length - before).toBe(17);
    },
  );

  it("is found if the orchestrator's clock is behind", async () => {
    const { fake, client, clock } = bench();
    const { runId } = fake.world.addRun(DAG.id, { conf: { job_id: 'mine' } });
    for (let each = 0; each < 200; each++) fake.world.addRun(DAG.id, { conf: { job_id: `later ${each}` } });
    const since = new Date(clock.now() + 9 * 60_000);
    expect((await client.findByJob(DAG.id, 'mine', { since }))?.runId).toBe(runId);
  });

  it('is found if its job id is a number that the caller passes as a text', async () => {
    const { fake, client } = bench();
    const { runId } = fake.world.addRun(DAG.id, { conf: { job_id: 42 } });
    expect((await client.findByJob(DAG.id, '42'))?.runId).toBe(runId);
  });

  it('is found among runs whose conf is not an object', async () => {
    const { fake, client } = bench();
    const run = { dag_id: DAG.id, dag_run_id: 'mine', state: 'running', conf: { job_id: 'mine' }, run_type: 'manual' };
    const strange = ['text', [1], 5].map((conf, index) => ({ ...run, dag_run_id: `strange ${index}`, conf }));
    const body = JSON.stringify({ dag_runs: [...strange, run], total_entries: 4 });
    fake.fault = ({ path }) =>
      path.endsWith('/dagRuns')
        ? { kind: 'status', status: 200, headers: { 'content-type': 'application/json' }, body }
        : undefined;
    expect((await client.findByJob(DAG.id, 'mine'))?.runId).toBe('mine');
  });
});
