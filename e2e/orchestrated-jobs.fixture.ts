import { expect, it } from 'vitest';
import type { Client } from './client.ts';
import { type OrchestratorHarness, REGION_WITH_SCENES } from './orchestrated-server.fixture.ts';

interface Job {
  readonly run_id: string;
  readonly done: boolean;
}

interface World {
  readonly harness: Pick<OrchestratorHarness, 'runs'>;
  readonly client: () => Client;
  readonly restart: (env?: Readonly<Record<string, string>>) => Promise<void>;
}

/** Test cases of the work service's jobs. `caseMs` is the timeout of a case. */
export function jobCases(world: () => World, caseMs: number): void {
  const ended = async (params: Readonly<Record<string, unknown>>): Promise<Job> => {
    const { get, post } = world().client();
    const { status, body } = await post<Job>('/api/jobs', { op: 'export', params });
    expect([status, body.done]).toEqual([202, false]);
    const read = async (): Promise<Job> => (await get<Job>(`/api/jobs/${body.run_id}`)).body;
    await expect.poll(read, { interval: 200, timeout: caseMs }).toMatchObject({ done: true });
    return await read();
  };

  it(
    'a job of the work service is sent to its workflow, which calls export-asset and posts the result back',
    async () => {
      const job = await ended(REGION_WITH_SCENES);
      expect(job).toMatchObject({
        success: true,
        result: {
          status: 'success',
          stac_items: [{ id: expect.stringMatching(/^regions_custom_region_[0-9a-f]{16}_.*_2021$/) }],
        },
      });
      const { port } = new URL(world().client().baseUrl);
      const api = { api_base: `http://127.0.0.1:${port}` };
      const conf = {
        op: 'export',
        params: REGION_WITH_SCENES,
        run_id: expect.stringMatching(/^[0-9a-f]{64}$/),
        ...api,
      };
      expect((await world().harness.runs('h_job')).map((run) => run.conf)).toContainEqual(conf);
    },
    caseMs,
  );

  it(
    'reports the reason that the workflow of a failed job posts',
    async () => {
      const job = await ended({ ...REGION_WITH_SCENES, region: [80, 20, 80.002, 20.002] });
      expect(job).toMatchObject({ success: false, error: expect.stringMatching(/422.*no_scenes/s) });
    },
    caseMs,
  );

  it(
    'a job fails with a reason if its workflow ends without posting a result',
    async () => {
      // This workflow calls the service with a job's conf (input), which the service rejects.
      await world().restart({ ORCHESTRATOR_JOB_DAG_ID: 'h_headwater' });
      const job = await ended(REGION_WITH_SCENES);
      expect(job).toMatchObject({ success: false, error: expect.stringMatching(/failed in task execute.*400/s) });
    },
    caseMs,
  );
}
