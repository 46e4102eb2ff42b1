import { expect, it } from 'vitest';
import type { Client } from './client.ts';
import type { OrchestratorHarness } from './orchestrated-server.fixture.ts';

/** As much of the suite's world as these cases need. */
interface World {
  readonly harness: Pick<OrchestratorHarness, 'runs'>;
  readonly client: () => Client;
}

/** The workflow as somebody runs it by himself, through `/api/dag/run`; `caseMs`: how long a case may take. */
export function workflowRunCases(world: () => World, caseMs: number): void {
  it(
    'runs the workflow by itself, and tells how that gets on',
    async () => {
      const conf = { block: 'Empty', year: '2021', further: { kept: [1, null] } };
      const started = await world().client().post<{ dag_run_id: string; state: string }>('/api/dag/run', { conf });
      expect([started.status, started.body.state]).toEqual([200, expect.stringMatching(/^(queued|running|success)$/)]);
      const look = async () =>
        (
          await world()
            .client()
            .get<Readonly<Record<string, unknown>>>(
              `/api/dag/status?run_id=${encodeURIComponent(started.body.dag_run_id)}`,
            )
        ).body;
      await expect
        .poll(look, { interval: 200, timeout: caseMs })
        .toMatchObject({ done: true, success: true, state: 'success' });
      expect((await world().harness.runs('h_headwater')).map((run) => run.conf)).toContainEqual(conf);
      expect((await world().client().get('/api/dag/status?run_id=manual__none')).status).toBe(404);
    },
    caseMs,
  );

  it(
    'tells why a run of the workflow failed that somebody started by itself',
    async () => {
      const conf = { block: 'Failing' };
      const { body } = await world().client().post<{ dag_run_id: string }>('/api/dag/run', { conf });
      const path = `/api/dag/status?run_id=${encodeURIComponent(body.dag_run_id)}`;
      const look = async () => (await world().client().get<Readonly<Record<string, unknown>>>(path)).body;
      await expect.poll(look, { interval: 200, timeout: caseMs }).toMatchObject({
        state: 'failed',
        success: false,
        error: 'Task execute: RuntimeError: export failed: quota exceeded',
        details: { task: 'execute', excerpt: expect.stringContaining('Traceback (most recent call last)') },
      });
    },
    caseMs,
  );
}
