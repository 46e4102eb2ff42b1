import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, type Cluster } from '../scripts/postgres-cluster.mjs';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import { signIn, type Client } from './client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** A separate database, because this suite stops it. */
const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: loss of the database during a run. ${missing ?? ''}`);

interface RunBody {
  readonly run_id: string;
  readonly state: string;
  readonly progress: number;
  readonly attempt: number;
  readonly item_ids: readonly string[];
  readonly stac_items: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}
type Problem = Readonly<Record<'code' | 'detail', string>>;

const PASSWORD = 'tall-river-42';
const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

describe.skipIf(make === undefined)('loss of the database during a run', () => {
  let cluster: Cluster;
  let server: ServerProcess;
  let client: Client;
  let runId = '';
  /** Cleanup functions, the newest first. */
  const cleanUp: (() => unknown)[] = [];

  beforeAll(async () => {
    if (make === undefined) return;
    const dataDir = await mkdtemp(join(tmpdir(), 'headwater-gone-'));
    cleanUp.unshift(() => rm(dataDir, { recursive: true, force: true }));
    cluster = make();
    cleanUp.unshift(() => cluster.remove());
    const env = { DB_HOST: cluster.folder, DB_NAME: 'postgres', DB_USER: cluster.role, SUPERUSER_PASSWORD: PASSWORD };
    server = await startServerProcess({ dataDir, env });
    cleanUp.unshift(() => server.stop('SIGKILL'));
    const [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})/, 100_000);
    client = await signIn(server.baseUrl, username, PASSWORD);
  }, 120_000);
  afterAll(async () => {
    for (const step of cleanUp) await step();
  });

  const run = async (): Promise<RunBody> => (await client.get<RunBody>(`/api/v1/runs/${runId}/`)).body;
  const body = { state: SAMPLE_PLACE.state, district: SAMPLE_PLACE.district, block: SAMPLE_PLACE.tehsil };
  const request = { ...body, start_year: SAMPLE_YEARS[0], end_year: SAMPLE_YEARS[0], eo_account_id: 1 };

  it('happens while the sample is computed', async () => {
    for (let at: RunBody | undefined; (at?.progress ?? 0) < 0.04; await pause(40)) {
      at = (await client.get<{ results: RunBody[] }>('/api/v1/runs/?limit=1')).body.results[0];
      expect(at?.state ?? 'queued').toMatch(/queued|running/);
      runId = at?.run_id ?? '';
    }
    cluster.stop('immediate');
  }, 180_000);

  it('makes requests fail with 503 and a remedy, does not reject valid tokens, and makes the health check fail', async () => {
    const answers = [
      await client.get<Problem>(`/api/v1/runs/${runId}/`),
      await client.get<Problem>('/api/v1/stac/'),
      await client.post<Problem>('/api/v1/lulc_for_tehsil/', request),
      await client.post<Problem>('/api/v1/auth/login/', { username: 'test_user_0000', password: PASSWORD }),
    ];
    for (const { status, body: problem } of answers) {
      expect([status, problem.code], problem.detail).toEqual([503, 'unavailable']);
      expect(problem.detail).toMatch(/PostgreSQL database "postgres".*check that it runs/);
      expect(problem.detail).not.toContain(PASSWORD);
    }
    const health = await client.get<{ status: string; parts: { database: { state: string; detail?: string } } }>(
      '/api/health',
    );
    expect([health.status, health.body.status, health.body.parts.database.state]).toEqual([503, 'failing', 'failing']);
    // Without the database, the service cannot authenticate a client, and only authenticated clients get the reason.
    expect(health.body.parts.database.detail).toBeUndefined();
    expect(server.output()).toMatch(/"part":"database"[^\n]*check that it runs/);
  }, 60_000);

  it('does not stop the run: the run computes to its end, and publishes without a restart when the database is back', async () => {
    await server.printed(/the lease of the run could not be renewed; retrying/, 60_000);
    await server.printed(/a request of a run to the database or the store of files failed; retrying/, 60_000);
    cluster.start();
    let now = await run();
    while (now.state === 'running' || now.state === undefined) {
      await pause(100);
      now = await run();
    }
    expect(now).toMatchObject({ state: 'success', attempt: 1 });
    expect(now.item_ids).toHaveLength(SAMPLE_YEARS.length + 1);
    for (const item of now.stac_items) expect(item.properties['version']).toBe('1');
    const events = await (
      await fetch(`${server.baseUrl}/api/v1/runs/${runId}/events/`, {
        headers: { authorization: `Bearer ${client.token}` },
      })
    ).text();
    expect(events.match(/"state":"success"/g)).toHaveLength(1);
    expect(events).not.toContain('"state":"failed"');
  }, 120_000);

  it('has no lasting effect: health and another run work afterwards', async () => {
    expect((await client.get<object>('/api/health')).body).toMatchObject({ status: 'ok' });
    const { status, body: answer } = await client.post<{ version: string }>('/api/v1/lulc_for_tehsil/', {
      ...request,
      wait: true,
    });
    expect([status, answer.version]).toEqual([200, '2']);
  }, 60_000);
});
