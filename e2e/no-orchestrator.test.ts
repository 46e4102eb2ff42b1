import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePlace } from '@headwater/ingest';
import { FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signIn } from './client.ts';
import { startServerProcess } from './server-process.ts';
import { smallPlace } from '../packages/server/src/small-world.fixture.ts';

const PASSWORD = 'tall-river-42';
const CASE_MS = 120_000;

const spy = new FakeOrchestrator({
  dags: [{ id: 'headwater', tasks: [{ id: 'execute', run: async () => ({ status: 'success' }) }] }],
});
let url = '';
let close: (() => Promise<void>) | undefined;
/** Data folder of all tests, so that the database is created only once. */
let dataDir = '';
beforeAll(async () => {
  ({ url, close } = await spy.listen());
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-alone-'));
  await writePlace(join(dataDir, 'places', 'Rampur'), smallPlace('Rampur'));
});
afterAll(async () => {
  await close?.();
  await rm(dataDir, { recursive: true });
});

/** All variables of the orchestrator except ORCHESTRATOR_API_BASE. */
const others = (): Readonly<Record<string, string>> => ({
  ORCHESTRATOR_DAG_ID: 'headwater',
  ORCHESTRATOR_JOB_DAG_ID: 'headwater',
  ORCHESTRATOR_USERNAME: 'admin',
  ORCHESTRATOR_PASSWORD: 'admin',
  ORCHESTRATOR_UNPAUSE: 'on',
  SERVICE_API_BASE: url,
});

async function withServer(
  env: Readonly<Record<string, string>>,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const server = await startServerProcess({
    dataDir,
    env: { SUPERUSER_PASSWORD: PASSWORD, ...others(), ...env },
    args: ['--no-sample'],
  });
  try {
    const [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
    await use(await signIn(server.baseUrl, username, PASSWORD));
  } finally {
    await server.stop('SIGTERM');
  }
}

const requestLayer = async (client: Client, wait: boolean) =>
  await client.post<{ readonly run_id: string; readonly stac_items: readonly unknown[] }>(
    `/api/v1/generate_mws_layer/?wait=${String(wait)}&overwrite=true`,
    { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Rampur', eo_account_id: 1 },
  );

it.each([
  ['not set', {}],
  ['empty', { ORCHESTRATOR_API_BASE: '' }],
])(
  'with ORCHESTRATOR_API_BASE %s, a server computes by itself and sends no request to the orchestrator',
  async (_, env) => {
    spy.requests.length = 0;
    await withServer(env, async (client) => {
      const { status, body } = await requestLayer(client, true);
      expect([status, body.stac_items.length]).toEqual([200, 1]);
      expect((await client.get(`/api/v1/runs/${body.run_id}/`)).body).toMatchObject({
        state: 'success',
        backend: 'local',
      });
      expect((await client.get('/api/health')).status).toBe(200);
      expect((await client.post('/api/dag/run', { conf: {} })).status).toBe(503);
    });
    expect(spy.requests).toEqual([]);
  },
  CASE_MS,
);

it(
  'with ORCHESTRATOR_API_BASE set, the same server sends its runs to the orchestrator',
  async () => {
    spy.requests.length = 0;
    await withServer({ ORCHESTRATOR_API_BASE: `${url}/api/v1` }, async (client) => {
      expect((await requestLayer(client, false)).status).toBe(202);
      await expect.poll(() => spy.received('POST', /dagRuns$/).length, { interval: 50, timeout: 30_000 }).toBe(1);
    });
  },
  CASE_MS,
);
