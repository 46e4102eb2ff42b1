import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Stores } from '@headwater/identity';
import { openDatabase } from './database.ts';
import { address, type Fresh, freshDatabase } from './migrate.fixture.ts';
import { createPostgresStores } from './stores.ts';

if (address === '')
  console.warn('skipped: schemas in PostgreSQL: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const USER = {
  email: '',
  firstName: '',
  lastName: '',
  contactNumber: null,
  passwordHash: 'x',
  isActive: true,
  isSuperuser: false,
  mayCompute: true,
  mustChangePassword: false,
};

describe.skipIf(address === '')('a schema in PostgreSQL (needs HEADWATER_TEST_PG)', () => {
  let fresh: Fresh;
  let stores: Stores[] = [];
  const traced: string[] = [];
  beforeAll(async () => {
    fresh = await freshDatabase('headwater_schema');
    stores = [
      await createPostgresStores({
        connection: fresh.connection,
        schema: 'river_maps',
        traceStatement: (text, run) => {
          traced.push(text);
          return run();
        },
      }),
      await createPostgresStores({ connection: fresh.connection }),
    ];
  }, 120_000);
  afterAll(async () => {
    for (const each of stores) await each.close();
    await fresh.stop();
  });

  it('has its own tables, next to the tables of another installation', async () => {
    const [own, other] = stores;
    const user = await own?.users.create({ ...USER, username: 'asha' });
    expect(user?.id).toBe(1);
    expect(traced.filter((text) => text.includes('river_maps')).length).toBeGreaterThan(0);
    expect(traced.join('\n')).not.toContain('asha');
    expect(await other?.users.byUsername('asha')).toBeUndefined();
    expect(await own?.users.byUsername('asha')).toMatchObject({ username: 'asha' });
    expect(await own?.catalog.layersOf(1)).toEqual(await other?.catalog.layersOf(1));
    const database = openDatabase(fresh.connection, { poolSize: 1 });
    const rows = await database.rows<{ schema: string; n: number }>(
      `select schemaname as schema, count(*)::int as n from pg_tables
        where schemaname in ('headwater', 'river_maps') group by 1 order by 1`,
    );
    await database.close();
    expect(rows.map(({ schema }) => schema)).toEqual(['headwater', 'river_maps']);
    expect(rows[0]?.n).toBe(rows[1]?.n);
  });

  it('has its own secrets and notifications', async () => {
    const [own, other] = stores;
    expect(await own?.installation.agree('secret of tokens', 'one')).toBe(true);
    expect(await other?.installation.agree('secret of tokens', 'two')).toBe(true);
    const run = { pipeline: 'p', params: {}, fingerprint: 'f', ownerId: null };
    const heard: string[] = [];
    const ends = [own, other].map((each, index) =>
      each?.changes.listen((change) => void heard.push(`${index} ${'runId' in change ? change.runId : change.kind}`)),
    );
    await own?.runs.enqueue({ ...run, id: 'in-river-maps' });
    await expect.poll(() => heard, { interval: 20 }).toContain('0 in-river-maps');
    expect(heard).not.toContain('1 in-river-maps');
    for (const end of ends) end?.();
  });
});

it.each(['Maps', 'my-maps', 'pg_maps', '1maps', '', 'a"; drop schema headwater', 'a'.repeat(41)])(
  'the name %j of a schema is refused',
  async (schema) => {
    const connection = { host: 'localhost', port: 1, database: 'x', user: 'x' };
    await expect(createPostgresStores({ connection, schema })).rejects.toThrow(/^schema: /);
  },
);
