import type { RunFilter } from '@headwater/core/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, type Statement, type Values } from '../database.ts';
import { migrate } from '../migrate.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { runStore } from './run-store.ts';

if (address === '')
  console.warn('skipped: the list of many runs: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

/** Statement that inserts 100,000 runs of ten users with parameters of 2 kB. One run in fifty has failed. */
const RUNS = `
  insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id, state, finished_at)
  select lpad(n::text, 36, '0'), 'lulc', '{"tehsilId":1,"text":"' || repeat(md5(n::text), 60) || '"}', 'f' || n, 'f' || n, n % 10,
    case when n % 50 = 0 then 'failed' else 'success' end, now()
  from generate_series(1, 100000) as n;
  analyze headwater.runs;`;

describe.skipIf(address === '')('the list of many runs', () => {
  let fresh: Fresh;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase('headwater_many_runs');
    database = openDatabase(fresh.connection);
    await migrate(database);
    await database.script(RUNS);
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await fresh.stop();
  });

  /** Reads a page of a list; returns the page and the statements that read it. */
  const listed = async (filter: Partial<RunFilter>) => {
    const statements: (readonly [text: string, values: Values])[] = [];
    const note = (text: string | Statement, values: Values = []): void =>
      void statements.push([typeof text === 'string' ? text : text.text, values]);
    const watched: Database = {
      ...database,
      rows: async (text, values) => {
        note(text, values);
        return await database.rows(text, values);
      },
      first: async (text, values) => {
        note(text, values);
        return await database.first(text, values);
      },
    };
    return { ...(await runStore(watched).list({ limit: 50, offset: 0, ...filter })), statements };
  };
  const planOf = async (text: string, values: Values): Promise<string> => {
    const lines = await database.rows<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  };

  it.each([
    ['of all users', {}, 100_000],
    ['of a user', { ownerId: 3 }, 10_000],
    ['in a state', { state: 'failed' }, 2000],
  ] as const)('reads a page of the runs %s from an index', async (_, filter, total) => {
    const { runs, statements, ...found } = await listed(filter);
    expect([runs.length, found.total, statements.length]).toEqual([50, total, 2]);
    const [text, values] = statements[0] ?? ['', []];
    expect(await planOf(text, values)).toMatch(/Index Scan/);
    expect(await planOf(text, values)).not.toContain('Seq Scan');
  });

  it('needs no count for the last page', async () => {
    const last = await listed({ ownerId: 3, offset: 9980 });
    expect([last.runs.length, last.total, last.statements.length]).toEqual([20, 10_000, 1]);
    const none = await listed({ ownerId: 77 });
    expect([none.total, none.statements.length]).toEqual([0, 1]);
    const beyond = await listed({ ownerId: 3, offset: 10_000 });
    expect([beyond.total, beyond.statements.length]).toEqual([10_000, 2]);
  });
});
