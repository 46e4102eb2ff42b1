import { expect, it } from 'vitest';
import type { Client } from './client.ts';
import type { OrchestratorHarness } from './orchestrated-server.fixture.ts';

interface World {
  readonly harness: Pick<OrchestratorHarness, 'runs'>;
  readonly client: () => Client;
}

/** Test cases of workflow runs that a client starts by `/api/dag/run`. `caseMs` is the timeout of a case. */
export function workflowRunCases(world: () => World, caseMs: number): void {
  it(
    'starts a workflow run directly and returns its status',
    async () => {
      const conf = { block: 'Empty', year: '2021', further: { kept: [1, null] } };
      const started = await world().client().post<{ dag_run_id: string; state: string }>('/api/dag/run', { conf });
      expect([started.status, started.body.state]).toEqual([200, expect.stringMatching(/^(queued|running|success)$/)]);
      const status = async () =>
        (
          await world()
            .client()
            .get<Readonly<Record<string, unknown>>>(
              `/api/dag/status?run_id=${encodeURIComponent(started.body.dag_run_id)}`,
            )
        ).body;
      await expect
        .poll(status, { interval: 200, timeout: caseMs })
        .toMatchObject({ done: true, success: true, state: 'success' });
      expect((await world().harness.runs('h_headwater')).map((run) => run.conf)).toContainEqual(conf);
      expect((await world().client().get('/api/dag/status?run_id=manual__none')).status).toBe(404);
    },
    caseMs,
  );

  it(
    'reports why a directly started workflow run failed',
    async () => {
      const conf = { block: 'Failing' };
      const { body } = await world().client().post<{ dag_run_id: string }>('/api/dag/run', { conf });
      const path = `/api/dag/status?run_id=${encodeURIComponent(body.dag_run_id)}`;
      const status = async () => (await world().client().get<Readonly<Record<string, unknown>>>(path)).body;
      await expect.poll(status, { interval: 200, timeout: caseMs }).toMatchObject({
        state: 'failed',
        success: false,
        error: 'Task execute: RuntimeError: export failed: quota exceeded',
        details: { task: 'execute', excerpt: expect.stringContaining('Traceback (most recent call last)') },
      });
    },
    caseMs,
  );
}
