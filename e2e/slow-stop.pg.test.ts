import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, parseConnection } from '@headwater/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import { type Client, signIn } from './client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** Creates a separate PostgreSQL, because other suites would add database sessions. */
const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: a server that is stopped during a response. ${missing ?? ''}`);

const PASSWORD = 'tall-river-42';
const WAITING = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'headwater'`;
/**
 * Delay of a response. It is longer than the other parts of the server need to stop, and shorter than the time that the
 * server waits for open responses.
 */
const HELD_MS = 800;
const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

describe.skipIf(make === undefined)('a server that is stopped during a response', () => {
  let server: ServerProcess;
  let client: Client;
  let direct: Database;
  /** Cleanup functions, the newest first. */
  const cleanUp: (() => unknown)[] = [];

  beforeAll(async () => {
    if (make === undefined) return;
    const dataDir = await mkdtemp(join(tmpdir(), 'headwater-stop-'));
    cleanUp.unshift(() => rm(dataDir, { recursive: true, force: true }));
    const cluster = make();
    cleanUp.unshift(() => cluster.remove());
    const database = { DB_HOST: cluster.folder, DB_NAME: 'postgres', DB_USER: cluster.role };
    const env = { ...database, HEADWATER_SAMPLE: 'off', SUPERUSER_PASSWORD: PASSWORD };
    server = await startServerProcess({ dataDir, env });
    cleanUp.unshift(() => server.stop('SIGKILL'));
    direct = openDatabase(parseConnection(cluster.address), { poolSize: 2 });
    cleanUp.unshift(() => direct.close());
    const [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})/, 100_000);
    client = await signIn(server.baseUrl, username, PASSWORD);
  }, 180_000);
  afterAll(async () => {
    for (const step of cleanUp) await step();
  });

  it('sends the response, even if the first SQL statement of the request had to wait, and then stops gracefully', async () => {
    const { answer, stopped } = await direct.tx(async (sql) => {
      // The first statement of the request waits for this lock, so the second statement begins after SIGTERM.
      await sql.run('lock table headwater.users in access exclusive mode');
      const pending = client.get<{ count: number }>('/api/v1/runs/');
      while (((await direct.first<{ n: number }>(WAITING))?.n ?? 0) === 0) await pause(20);
      const ended = server.stop('SIGTERM');
      await server.printed(/stopping/, 10_000);
      await pause(HELD_MS);
      return { answer: pending, stopped: ended };
    });
    expect(await answer).toMatchObject({ status: 200, body: { count: 0 } });
    expect((await stopped).code).toBe(0);
    expect(server.output()).not.toMatch(/unexpected failure|closing failed/);
  }, 60_000);
});
