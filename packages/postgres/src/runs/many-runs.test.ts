import type { RunFilter, RunSearch } from '@headwater/core/ports';
import type { UserWish } from '@headwater/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userStore } from '../accounts/users.ts';
import { type Database, openDatabase, type Statement, type Values } from '../database.ts';
import { migrate } from '../migrate.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { operatorLists } from '../operator-lists.ts';
import { runStore } from './run-store.ts';

if (address === '')
  console.warn('skipped: the list of many runs: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const RUNS = `
  insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id, state, backend, started_at, finished_at)
  select lpad(n::text, 36, '0'), case when n % 7 = 0 then 'terrain' else 'lulc' end,
    '{"tehsilId":1,"text":"' || repeat(md5(n::text), 60) || '"}', 'f' || n, 'f' || n, n % 10,
    case when n % 50 = 0 then 'failed' else 'success' end, case when n % 100 = 1 then 'orchestrator' else 'local' end,
    now() - n % 977 * interval '1 second', now()
  from generate_series(1, 100000) as n`;
const USERS = `
  insert into headwater.users (username, username_key, email, first_name, last_name, password_hash, is_active, is_superuser,
    must_change_password, may_compute)
  select 'user' || n, 'user' || n, n || '@example.org', 'First ' || n, 'Last', 'x', n % 19 <> 0, n % 5000 = 0, false, n % 10 = 0
  from generate_series(1, 100000) as n`;

const MOST_READ = 20_000;
const RUN_FILTERS: readonly Partial<RunSearch>[] = [
  {},
  ...(['queued', 'running', 'success', 'failed'] as const).map((state) => ({ state })),
  ...['lulc', 'terrain', 'none'].map((pipeline) => ({ pipeline })),
  ...(['local', 'orchestrator'] as const).map((backend) => ({ backend })),
  { state: 'failed', pipeline: 'terrain' },
  { state: 'success', pipeline: 'lulc', backend: 'local' },
  { state: 'failed', pipeline: 'lulc', backend: 'orchestrator' },
];
const USER_FILTERS: readonly Partial<UserWish>[] = [
  {},
  ...[true, false].flatMap((is) => [{ isActive: is }, { isSuperuser: is }, { mayCompute: is }]),
  { isActive: false, isSuperuser: false, mayCompute: false },
  { isActive: false, isSuperuser: true },
  { isActive: false, mayCompute: true },
];
const DIRECTIONS = [true, false];

type Sent = readonly [text: string, values: Values];

function watch(database: Database): { readonly watched: Database; readonly statements: Sent[] } {
  const statements: Sent[] = [];
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
  return { watched, statements };
}

describe.skipIf(address === '')('a list of many runs or users', () => {
  let fresh: Fresh;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase('headwater_many_runs');
    database = openDatabase(fresh.connection);
    await migrate(database);
    for (const statement of [RUNS, USERS, 'vacuum analyze headwater.runs', 'vacuum analyze headwater.users'])
      await database.script(statement);
  }, 120_000);
  afterAll(async () => {
    await database.close();
    await fresh.stop();
  });

  const listed = async (filter: Partial<RunFilter>) => {
    const { watched, statements } = watch(database);
    return { ...(await runStore(watched, 60_000).list({ limit: 50, offset: 0, ...filter })), statements };
  };
  const planOf = async ([text, values]: Sent, how = 'costs off'): Promise<string> => {
    const lines = await database.rows<{ 'QUERY PLAN': string }>(`explain (${how}) ${text}`, values);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  };
  /** Fails if a statement scans a whole table, or if the first statement (the page) reads more than `MOST_READ` rows. */
  const expectIndexes = async (name: unknown, read: (watched: Database) => Promise<unknown>): Promise<void> => {
    const { watched, statements } = watch(database);
    await read(watched);
    for (const [at, statement] of statements.entries()) {
      const plan = await planOf(statement, 'analyze, costs off, timing off');
      expect([name, plan, plan.includes('Seq Scan on')]).toEqual([name, plan, false]);
      const rows = [...plan.matchAll(/actual rows=(\d+)|Removed by Filter: (\d+)/g)].map(([, a, b]) => Number(a ?? b));
      if (at === 0)
        expect([name, plan, Math.max(...rows)]).toEqual([name, plan, expect.toSatisfy((n) => n <= MOST_READ)]);
    }
  };

  it.each([
    ['of all users', {}, 100_000],
    ['of a user', { ownerId: 3 }, 10_000],
    ['in a state', { state: 'failed' }, 2000],
  ] as const)('reads a page of the runs %s from an index', async (_, filter, total) => {
    const { runs, statements, ...found } = await listed(filter);
    expect([runs.length, found.total, statements.length]).toEqual([50, total, 2]);
    const plan = await planOf(statements[0] ?? ['', []]);
    expect(plan).toMatch(/Index Scan/);
    expect(plan).not.toContain('Seq Scan');
  });

  it('needs no count for the last page', async () => {
    const last = await listed({ ownerId: 3, offset: 9980 });
    expect([last.runs.length, last.total, last.statements.length]).toEqual([20, 10_000, 1]);
    const none = await listed({ ownerId: 77 });
    expect([none.total, none.statements.length]).toEqual([0, 1]);
    const beyond = await listed({ ownerId: 3, offset: 10_000 });
    expect([beyond.total, beyond.statements.length]).toEqual([10_000, 2]);
  });

  it.each(RUN_FILTERS)(
    'reads the runs of all users with the filter %j in every order from an index',
    async (filter) => {
      for (const order of ['created', 'duration', 'state'] as const)
        for (const isDescending of DIRECTIONS)
          await expectIndexes({ order, isDescending }, (watched) =>
            operatorLists(watched).runs({ limit: 50, offset: 0, order, isDescending, ...filter }),
          );
    },
  );

  it.each(USER_FILTERS)('reads the users with the filter %j in every order from an index', async (filter) => {
    for (const sort of ['username', 'email', 'createdAt'] as const)
      for (const isDescending of DIRECTIONS)
        await expectIndexes({ sort, isDescending }, (watched) =>
          userStore(watched).list({ limit: 50, offset: 0, sort, isDescending, ...filter }),
        );
  });
});
