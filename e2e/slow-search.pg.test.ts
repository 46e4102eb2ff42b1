import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase, parseConnection } from '@headwater/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** Creates a separate PostgreSQL, because other suites would change the number of connections. */
const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: slow searches. ${missing ?? ''}`);

const ITEMS = `
  insert into headwater.items (collection_path, id, version, run_id, position, content, geometry, start_datetime, end_datetime)
  select 'a/b/c', 'item ' || n, 1, 'r', 0,
    json_build_object('type', 'Feature', 'stac_version', '1.1.0', 'id', 'item ' || n, 'links', '[]'::json, 'assets', '{}'::json,
      'properties', json_build_object('description', repeat('Süßes Wasser ' || n || ', ', 100)))::text,
    ST_MakeEnvelope(70, 10, 71, 11, 4326), now(), now()
  from generate_series(1, 5000) as n;
  analyze headwater.items;`;
/** Filter that exceeds no limit and takes a minute for these Items. */
const NASTY = Array.from({ length: 33 }, (_, at) => `CASEI(ACCENTI(description)) LIKE '%_${at}%x%y%z%'`).join(' OR ');
/** Number of simultaneous slow searches, more than the database connections of a process. */
const CALLERS = 12;
const OTHERS = ['/api/health', '/api/v1/stac-api/collections', '/api/v1/stac-api/collections/a/items/b'];

const BUSY = `select count(*)::int as n from pg_stat_activity where state = 'active' and query like '%octet_length%' and pid <> pg_backend_pid()`;
const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

type Problem = Readonly<Record<'code' | 'description', string>>;

describe.skipIf(make === undefined)('slow searches', () => {
  let server: ServerProcess;
  let direct: Database;
  /** Cleanup functions, the newest first. */
  const cleanUp: (() => unknown)[] = [];

  beforeAll(async () => {
    if (make === undefined) return;
    const dataDir = await mkdtemp(join(tmpdir(), 'headwater-slow-'));
    cleanUp.unshift(() => rm(dataDir, { recursive: true, force: true }));
    const cluster = make();
    cleanUp.unshift(() => cluster.remove());
    const database = { DB_HOST: cluster.folder, DB_NAME: 'postgres', DB_USER: cluster.role };
    const env = { ...database, HEADWATER_SAMPLE: 'off', SEARCH_TIMEOUT_SECONDS: '4' };
    server = await startServerProcess({ dataDir, env });
    cleanUp.unshift(() => server.stop('SIGKILL'));
    direct = openDatabase(parseConnection(cluster.address), { poolSize: 1 });
    cleanUp.unshift(() => direct.close());
    await direct.script(ITEMS);
  }, 180_000);
  afterAll(async () => {
    for (const step of cleanUp) await step();
  });

  const search = async (body: object): Promise<Response> =>
    await fetch(`${server.baseUrl}/api/v1/stac-api/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const others = async (): Promise<readonly number[]> =>
    await Promise.all(OTHERS.map(async (path) => (await fetch(`${server.baseUrl}${path}`)).status));

  it('get 503 with the advice to restrict the search, while other requests are served', async () => {
    // The first requests fill caches.
    await others();
    let ended = 0;
    const slow = Array.from({ length: CALLERS }, async (): Promise<readonly [number, Problem]> => {
      const answer = await search({ filter: NASTY, 'filter-lang': 'cql2-text' });
      ended += 1;
      return [answer.status, (await answer.json()) as Problem];
    });
    // Waits until the only connection for costly filters is busy.
    while (((await direct.first<{ n: number }>(BUSY))?.n ?? 0) < 1) await pause(50);
    expect(await others()).toEqual([200, 200, 404]);
    const byId = await search({ ids: ['item 7'] });
    expect([byId.status, ((await byId.json()) as { numberReturned: number }).numberReturned]).toEqual([200, 1]);
    expect(ended).toBe(0);
    const answers = await Promise.all(slow);
    for (const [status, { code, description }] of answers) {
      expect([status, code], description).toEqual([503, expect.stringMatching(/^(took_too_long|unavailable)$/)]);
      expect(description).toMatch(
        /longer than 4 s\. Narrow it: name collections|Too many searches are running\. .*narrow the search/,
      );
    }
    expect(answers.filter(([, { code }]) => code === 'took_too_long').length).toBeGreaterThan(1);
  }, 60_000);

  it('do not prevent later searches from being served', async () => {
    const answer = await search({ ids: ['item 7'] });
    expect([answer.status, ((await answer.json()) as { numberReturned: number }).numberReturned]).toEqual([200, 1]);
  });
});
