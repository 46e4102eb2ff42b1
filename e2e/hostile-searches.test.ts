import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE_FILTERS, hostileItems, TOO_LARGE } from '../packages/postgres/src/search/hostile-filters.fixture.ts';
import { copyDatabase } from '../scripts/database-template.mjs';
import { signIn } from './client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';
import { HEALTH_BAR_MS, watching } from './watch-health.fixture.ts';

const PASSWORD = 'tall-river-42';
const ITEMS = 1500;
/** Copies of each filter: together 85 searches, of which the server runs or queues at most 51. */
const TIMES = 5;
/** Allowed additional memory, bytes. Measured: 122 to 222 MB; without the limits of searches, 630 MB. */
const MORE_BYTES = 300 * 1024 * 1024;

type Problem = Readonly<Record<'code' | 'description', string>>;
interface Answered {
  readonly name: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: Problem & { readonly numberReturned?: number };
}

describe('hostile searches of the listening server on the embedded database', { timeout: 300_000 }, () => {
  let dir: string;
  let server: ServerProcess;
  let superuser = '';

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'headwater-searches-'));
    const dataDir = join(dir, 'db');
    await copyDatabase(dataDir);
    const embedded = await openEmbedded({ dataDir });
    const database = openDatabase(embedded.connection);
    await database.script(hostileItems(ITEMS));
    await database.close();
    await embedded.close();
    server = await startServerProcess({
      dataDir: dir,
      args: ['--no-sample'],
      env: { SUPERUSER_PASSWORD: PASSWORD },
    });
    [, superuser = ''] = await server.printed(/(test_user_\d{4})/, 60_000);
    // The first requests fill caches, so their times are not measured.
    await signIn(server.baseUrl, superuser, PASSWORD);
    await search('by id', { ids: ['item 7'] });
  }, 180_000);
  afterAll(async () => {
    await server.stop('SIGKILL');
    await rm(dir, { recursive: true, force: true });
  });

  async function search(name: string, body: object): Promise<Answered> {
    const answer = await fetch(`${server.baseUrl}/api/v1/stac-api/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const retryAfter = answer.headers.get('retry-after');
    return { name, status: answer.status, retryAfter, body: (await answer.json()) as Answered['body'] };
  }

  const filtered = async (name: string, filter: string): Promise<Answered> =>
    await search(name, { filter, 'filter-lang': 'cql2-text' });

  async function during(searches: () => readonly Promise<Answered>[]): Promise<{
    readonly answers: readonly Answered[];
    readonly signInMs: number;
    readonly byIdMs: number;
    readonly rounds: number;
  }> {
    let [signInMs, byIdMs, rounds] = [0, 0, 0];
    const over = new AbortController();
    const all = Promise.all(searches()).finally(() => over.abort());
    while (!over.signal.aborted) {
      const from = performance.now();
      await signIn(server.baseUrl, superuser, PASSWORD);
      const signedIn = performance.now();
      expect(await search('by id', { ids: ['item 7'] })).toMatchObject({ status: 200, body: { numberReturned: 1 } });
      signInMs = Math.max(signInMs, signedIn - from);
      byIdMs = Math.max(byIdMs, performance.now() - signedIn);
      rounds += 1;
    }
    return { answers: await all, signInMs, byIdMs, rounds };
  }

  it('are refused if their filters contain 4,900 names; the message contains the field, the number of nodes, the limit and the remedy', async () => {
    const vitals = await watching(server, async () => {
      const { answers, signInMs } = await during(() =>
        Array.from({ length: 30 }, async () => await filtered('too large', TOO_LARGE)),
      );
      for (const { status, body } of answers) {
        expect(status).toBe(400);
        expect(JSON.stringify(body)).toMatch(
          /filter.*found 4903 nodes, expected 500 at most.*list of texts or numbers with the operator/,
        );
      }
      expect(signInMs).toBeLessThan(2 * HEALTH_BAR_MS);
    });
    expect(vitals).toMatchObject({ failures: [] });
    expect(vitals.slowestMs).toBeLessThan(HEALTH_BAR_MS);
  });

  it('do not delay health checks, sign-ins and searches by id while the costliest filters run', async () => {
    const quiet = await during(() => [search('by id', { ids: ['item 7'] })]);
    const { peakBytes: before } = await watching(server, async () => void (await search('by id', { ids: ['item 7'] })));
    let answers: readonly Answered[] = [];
    const vitals = await watching(server, async () => {
      const each = Object.entries(HOSTILE_FILTERS);
      const times = await during(() =>
        Array.from({ length: TIMES }, () => each.map(async ([name, filter]) => await filtered(name, filter))).flat(),
      );
      answers = times.answers;
      console.log(
        `${answers.length} searches: sign-in ${Math.round(quiet.signInMs)} ms before; ${Math.round(times.signInMs)} ms, search by id ${Math.round(times.byIdMs)} ms at most (${times.rounds} rounds)`,
      );
      expect(times.signInMs).toBeLessThan(2 * HEALTH_BAR_MS);
      expect(times.byIdMs).toBeLessThan(HEALTH_BAR_MS);
      expect(times.rounds).toBeGreaterThan(3);
    });
    console.log(
      `health ${Math.round(vitals.slowestMs)} ms, memory ${Math.round(before / 1e6)} to ${Math.round(vitals.peakBytes / 1e6)} MB`,
    );
    for (const { name, status, retryAfter, body } of answers) {
      const { code, description } = body;
      if (status === 200) expect([name, body.numberReturned]).toEqual([name, 0]);
      else expect([name, status, code]).toEqual([name, 503, expect.stringMatching(/^(took_too_long|unavailable)$/)]);
      if (code === 'took_too_long') expect(description).toMatch(/longer than 5 s\. Narrow it/);
      if (code === 'unavailable') {
        expect(description).toMatch(/Too many searches are running\. .*narrow the search: searches by ids/);
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
    }
    expect(vitals).toMatchObject({ failures: [] });
    expect(vitals.slowestMs).toBeLessThan(HEALTH_BAR_MS);
    expect(vitals.peakBytes).toBeLessThan(before + MORE_BYTES);
  });

  it('do not delay later searches', async () => {
    expect(await filtered('small', "title LIKE '%tehsil 7'")).toMatchObject({
      status: 200,
      body: { numberReturned: 1 },
    });
  });
});
