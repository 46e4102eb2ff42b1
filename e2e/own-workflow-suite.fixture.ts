import { join } from 'node:path';
import { writePlace } from '@headwater/ingest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxPolygon } from '../scripts/boxes.mjs';
import { workflowFilesCommand } from '../packages/server/src/algorithms/workflow-command.ts';
import type { AirflowTarget } from './airflow-target.fixture.ts';
import { type Client, signIn } from './client.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

interface Body {
  readonly run_id: string;
  readonly state: string;
  readonly message: string;
  readonly dag_run_id: string | null;
  readonly error: unknown;
  readonly stac_items: readonly { readonly id: string; readonly assets: Readonly<Record<string, { href: string }>> }[];
}

const PASSWORD = 'tall-river-42';
const CASE_MS = 180_000;
const BLOCK = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Own' };

/** Writes a place, and the workflow files of one algorithm in API mode and one in container mode. */
async function writeData({ dataDir, workflows, servicePort }: AirflowTarget): Promise<void> {
  const geometry = boxPolygon({ west: 79, south: 17.5, east: 79.01, north: 17.51 });
  const { state, district, block: tehsil } = BLOCK;
  const mws = [{ uid: '12_900001', geometry }];
  await writePlace(join(dataDir, 'places', 'own'), { state, district, tehsil, geometry, mws, villages: [] });
  const image = ['--mode', 'container', '--image', 'registry.example/headwater:0.2.0'];
  for (const args of [['generate_mws_layer'], ['generate_mws_centroid', ...image]]) {
    const service = `http://127.0.0.1:${servicePort}`;
    await workflowFilesCommand(['--out', workflows, '--service', service, '--pipeline', ...args], {
      service: undefined,
      print: () => {},
    });
  }
}

/** Test cases of the workflow of deploy/airflow with a real Airflow or the fake orchestrator. */
export function describeOwnWorkflow(name: string, open: () => Promise<AirflowTarget>): void {
  describe(name, () => {
    let target: AirflowTarget;
    let server: ServerProcess;
    let client: Client;

    const start = async (): Promise<void> => {
      const { dataDir, servicePort: port, url, username, password, dagId } = target;
      const env = {
        SUPERUSER_PASSWORD: PASSWORD,
        PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
        ORCHESTRATOR_API_BASE: `${url}/api/v1`,
        ORCHESTRATOR_DAG_ID: dagId,
        ORCHESTRATOR_USERNAME: username,
        ORCHESTRATOR_PASSWORD: password,
        SERVICE_API_BASE: `http://127.0.0.1:${port}`,
      };
      server = await startServerProcess({ dataDir, port, env, args: ['--no-sample'] });
      const [, user = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
      client = await signIn(server.baseUrl, user, PASSWORD);
    };
    beforeAll(async () => {
      target = await open();
      await writeData(target);
      await start();
    }, CASE_MS);
    afterAll(async () => {
      await server.stop('SIGKILL');
      await target.close();
    });

    const requestLayer = (route: string, wait: boolean): Promise<{ status: number; body: Body }> =>
      client.post<Body>(`/api/v1/${route}/?wait=${String(wait)}&overwrite=true`, { ...BLOCK, eo_account_id: 1 });

    it('the service computes a run when the workflow calls the service', { timeout: CASE_MS }, async () => {
      const { status, body } = await requestLayer('generate_mws_layer', true);
      expect([status, body.message]).toEqual([200, expect.stringContaining('finished')]);
      expect(body.stac_items.map(({ id }) => id)).toEqual([expect.stringMatching(/^virtapradesh_nirmalgarh_own_/)]);
    });

    it('the service publishes the result of a container that the workflow runs', { timeout: CASE_MS }, async () => {
      const { status, body } = await requestLayer('generate_mws_centroid', true);
      expect([status, body.message]).toEqual([200, expect.stringContaining('finished')]);
      const [item] = body.stac_items;
      const file = await fetch(item?.assets['data']?.href ?? '');
      expect(file.status).toBe(200);
      const containerRun = target.client.run(target.dagId, await dagRunOf(body.run_id));
      expect((await containerRun.tasks()).find(({ taskId }) => taskId === 'run_container')).toMatchObject({
        state: 'success',
      });
    });

    it('the service finishes a run if it was stopped while the workflow called it', { timeout: CASE_MS }, async () => {
      const { body } = await requestLayer('generate_mws_layer', false);
      await expect.poll(() => dagRunOf(body.run_id), { timeout: CASE_MS }).not.toBe('');
      await server.stop('SIGKILL');
      const waitingRun = target.client.run(target.dagId, dagRun);
      await expect
        .poll(async () => (await waitingRun.tasks()).some(({ state }) => state === 'running'), { timeout: CASE_MS })
        .toBe(true);
      await start();
      const read = async (): Promise<string> => (await client.get<Body>(`/api/v1/runs/${body.run_id}/`)).body.state;
      await expect.poll(read, { timeout: CASE_MS }).toBe('success');
    });

    let dagRun = '';
    const dagRunOf = async (runId: string): Promise<string> => {
      dagRun = (await client.get<Body>(`/api/v1/runs/${runId}/`)).body.dag_run_id ?? '';
      return dagRun;
    };
  });
}
