import type { ItemForm, ItemSearch, SearchConditions } from '@headwater/core/ports';
import type { Cql2Expression } from '@headwater/cql2';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectionReads } from './catalog.ts';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { openDatabase } from './database.ts';
import { address, freshDatabase, migrateInProcess, type Source, startEmbedded } from './migrate.fixture.ts';
import { migrate, type Migration, readMigrations, readSchemaState } from './migrate.ts';
import { itemSearch } from './search/item-search.ts';

const MISSING = 'HEADWATER_TEST_PG is not set; `npm run test:postgres` starts a PostgreSQL + PostGIS and sets it';
const known = await readMigrations();
const everything = known.map(({ revision }) => revision);

/** Numbers of the migrations that add searches, cut instants to milliseconds, and make outlines valid. */
const SEARCH = 23;
const CUT = 26;
const VALID_SHAPES = 27;

/** Adds three Items as they were stored before searches existed. */
async function publishedBefore(database: Database, more: object = {}): Promise<{ readonly search: ItemSearch }> {
  await database.run(
    `insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id, state, finished_at)
     values ('r', 'p', '{}', 'f', 'f', 1, 'success', '2024-02-03T04:05:06Z')`,
  );
  // The name of the Collection is also stored, because a publication stores this name together with the Items.
  await database.run(`insert into headwater.collection_names (id, path) values ('a_b_c', 'a/b/c')`);
  const items: readonly (readonly [id: string, start: string | null, properties: object])[] = [
    ['late', '2021-01-01T00:00:00Z', { gsd: 10 }],
    ['early', '2019-01-01T00:00:00Z', { gsd: 10 }],
    ['odd', null, { note: 'it\0s' }],
  ];
  for (const [id, start, properties] of items) {
    const content = JSON.stringify({ id, properties: { ...properties, ...more } });
    await database.run(
      `insert into headwater.items (collection_path, id, version, run_id, position, content, start_datetime, end_datetime, geometry)
       values ('a/b/c', $1, 3, 'r', 0, $2, $3::timestamptz, $3::timestamptz, ST_MakeEnvelope(10, 1, 11, 2, 4326))`,
      [id, content, start],
    );
  }
  return { search: itemSearch(database) };
}

function describeMigrations(name: string, { start, missing = false }: Source): void {
  describe.skipIf(missing)(`migrating ${name}`, () => {
    let connection: Connection;
    let stop: () => Promise<void>;
    let database: Database;
    beforeAll(async () => {
      ({ connection, stop } = await start());
      database = openDatabase(connection);
    });
    beforeEach(async () => await database.script('drop schema if exists headwater cascade'));
    afterAll(async () => {
      await database.close();
      await stop();
    });
    const schemas = async (): Promise<number> =>
      (await database.rows(`select 1 from pg_namespace where nspname = 'headwater'`)).length;

    it('applies every revision once', async () => {
      expect(await migrate(database)).toEqual(everything);
      expect(await migrate(database)).toEqual([]);
    });

    it('is done once if several clients try at the same time', async () => {
      const clients = Array.from({ length: 4 }, () => openDatabase(connection));
      const outcomes = await Promise.all(clients.map((client) => migrate(client)));
      expect(outcomes.flat()).toEqual(everything);
      await Promise.all(clients.map((client) => client.close()));
    });

    it('continues from an older revision and keeps its rows', async () => {
      await migrate(database, known.slice(0, 1));
      await database.run(`insert into headwater.eo_accounts (name, is_visible) values ('kept', true)`);
      expect(await migrate(database)).toEqual(everything.slice(1));
      expect(await database.first('select name from headwater.eo_accounts')).toEqual({ name: 'kept' });
    });

    it('permits existing accounts to compute, and requires a permission for new accounts', async () => {
      await migrate(database, known.slice(0, 15));
      const columns = 'username, username_key, email, first_name, last_name, is_active, is_superuser, password_hash';
      const insert = (name: string): Promise<number> =>
        database.run(`insert into headwater.users (${columns}) values ($1, $1, '', '', '', true, false, 'x')`, [name]);
      await insert('old');
      await migrate(database);
      expect(await database.rows('select username, may_compute from headwater.users')).toEqual([
        { username: 'old', may_compute: true },
      ]);
      await expect(insert('new')).rejects.toMatchObject({ code: 'validation' });
    });

    it('keeps active places active, and inactive places inactive', async () => {
      await migrate(database, known.slice(0, 18));
      for (const [name, isActive] of [
        ['kept', true],
        ['hidden', false],
      ] as const)
        await database.run('insert into headwater.states (name, slug, is_active) values ($1, $1, $2)', [
          name,
          isActive,
        ]);
      await migrate(database);
      expect(await database.rows('select name, is_active, stays_inactive from headwater.states order by id')).toEqual([
        { name: 'kept', is_active: true, stays_inactive: false },
        { name: 'hidden', is_active: false, stays_inactive: true },
      ]);
    });

    it('derives the ids of older Collections from their paths, and keeps their Items', async () => {
      await migrate(database, known.slice(0, 5));
      for (const path of ['bihar/gaya/gaya', 'bihar/gaya/tekari'])
        await database.run(
          `insert into headwater.items (collection_path, id, version, run_id, content) values ($1, 'x', 3, 'r', '{}')`,
          [path],
        );
      expect(await migrate(database)).toEqual(everything.slice(5));
      expect(await database.rows('select id, path from headwater.collection_names order by id')).toEqual([
        { id: 'bihar', path: 'bihar' },
        { id: 'bihar_gaya', path: 'bihar/gaya' },
        { id: 'bihar_gaya_gaya', path: 'bihar/gaya/gaya' },
        { id: 'bihar_gaya_tekari', path: 'bihar/gaya/tekari' },
      ]);
      expect(await database.first('select count(*)::int as n from headwater.items where version = 3')).toEqual({
        n: 2,
      });
    });

    it('creates Collections for older Items', async () => {
      await migrate(database, known.slice(0, 5));
      const square = (west: number): string =>
        JSON.stringify({
          type: 'Polygon',
          coordinates: [
            [
              [west, 1],
              [west + 1, 1],
              [west + 1, 2],
              [west, 1],
            ],
          ],
        });
      for (const [path, west, year] of [
        ['a/b/c', 10, 2019],
        ['a/b/d', 20, 2021],
      ] as const) {
        await database.run(
          `insert into headwater.items (collection_path, id, version, run_id, content, geometry, start_datetime, end_datetime)
           values ($1, 'one', 1, 'r1', '{}', ST_SetSRID(ST_GeomFromGeoJSON($2), 4326), $3::timestamptz, $4::timestamptz)`,
          [path, square(west), `${year}-07-01T00:00:00Z`, `${year + 1}-06-30T23:59:59Z`],
        );
      }
      await migrate(database);
      const { collection, collections } = collectionReads(database);
      expect(await collections()).toEqual(['a/b/c', 'a/b/d']);
      expect((await collection(''))?.children).toEqual(['a']);
      expect(await collection('a')).toEqual({
        path: 'a',
        extent: {
          spatial: { bbox: [[10, 1, 21, 2]] },
          temporal: { interval: [['2019-07-01T00:00:00Z', '2022-06-30T23:59:59Z']] },
        },
        members: { values: {}, assets: {} },
        children: ['a/b'],
      });
    });

    it('lets searches find older Items', async () => {
      await migrate(database, known.slice(0, SEARCH - 1));
      const { search } = await publishedBefore(database);
      await migrate(database);
      const form: ItemForm = { name: 'ids', text: ({ id, version }) => `${id} ${version}` };
      const found = async (conditions: SearchConditions): Promise<readonly string[]> =>
        (await search.search({ ...conditions, limit: 10 }, form)).items.map(({ text }) => text);
      expect(await found({})).toEqual(['late 3', 'early 3', 'odd 3']);
      expect(await found({ collections: ['a_b_c'], bbox: [10, 1, 10.5, 1.5] })).toEqual(['late 3', 'early 3', 'odd 3']);
      expect(await found({ interval: { start: null, end: '2019-12-31T00:00:00Z' } })).toEqual(['early 3']);
      const filter: Cql2Expression = { op: '=', args: [{ property: 'note' }, 'it\ufffds'] };
      expect(await found({ filter })).toEqual(['odd 3']);
      expect(await search.item({ collectionId: 'a_b_c', id: 'late' }, form)).toMatchObject({
        updated: '2024-02-03T04:05:06.000Z',
      });
      expect(await search.write(form, 10)).toBe(3);
    });

    it('cuts the times of older Items to milliseconds, as for new Items', async () => {
      await migrate(database, known.slice(0, CUT - 1));
      const { search } = await publishedBefore(database, { datetime: '2024-12-31T23:59:59.9999999Z' });
      await migrate(database);
      const filter: Cql2Expression = { op: '<', args: [{ property: 'datetime' }, { date: '2025-01-01' }] };
      const { items } = await search.search({ filter, limit: 10 }, { name: 'ids', text: ({ id }) => id });
      expect(items.map(({ text }) => text)).toEqual(['late', 'early', 'odd']);
    });

    it('makes the outlines of older Items valid, as for new Items', async () => {
      await migrate(database, known.slice(0, VALID_SHAPES - 1));
      await publishedBefore(database);
      const parts = 'MULTIPOLYGON(((0 0,2 0,2 2,0 2,0 0)),((1 1,3 1,3 3,1 3,1 1)))';
      await database.run(`update headwater.items set geometry = ST_GeomFromText('${parts}', 4326) where id <> 'early'`);
      await migrate(database);
      const areas =
        'select id, ST_IsValid(geometry) as valid, ST_Area(geometry) as area from headwater.items order by id';
      expect(await database.rows(areas)).toEqual([
        { id: 'early', valid: true, area: 1 },
        { id: 'late', valid: true, area: 7 },
        { id: 'odd', valid: true, area: 7 },
      ]);
    });

    it('has a preview that changes nothing and lists the pending revisions, or names the newer version that made the database', async () => {
      const names = known.map(({ name }) => name);
      const version = expect.stringMatching(/^PostgreSQL \d+.*, PostGIS /);
      expect(await readSchemaState(database)).toEqual({ version, isNew: true, pending: names });
      await migrate(database, known.slice(0, -1));
      expect(await readSchemaState(database)).toEqual({ version, isNew: false, pending: names.slice(-1) });
      await migrate(database);
      expect(await readSchemaState(database)).toEqual({ version, isNew: false, pending: [] });
      await database.run("insert into headwater.migrations (revision, name) values (9999, 'later')");
      await expect(readSchemaState(database)).rejects.toThrow(/revision 9999, made by a newer version/);
    });

    it('rejects a database of a newer version and names both revisions', async () => {
      await migrate(database);
      const newer = (known.at(-1)?.revision ?? 0) + 3;
      await database.run('insert into headwater.migrations (revision, name) values ($1, $2)', [
        newer,
        'from the future',
      ]);
      await expect(migrate(database)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(new RegExp(`revision ${newer}, made by a newer version.* up to ${newer - 3}`)),
      });
    });

    it('stores nothing if a migration fails', async () => {
      const broken: Migration = {
        revision: known.length + 1,
        name: 'broken',
        sql: 'create table headwater.half (n int); select 1 / 0',
      };
      await expect(migrate(database, [...known, broken])).rejects.toMatchObject({
        message: expect.stringContaining('division by zero'),
      });
      expect(await schemas()).toBe(0);
    });
  });
}

if (address === '') console.warn(`skipped: migrating PostgreSQL: ${MISSING}`);

describeMigrations('the embedded database', { start: startEmbedded });
describeMigrations('PostgreSQL', {
  start: async () => await freshDatabase('headwater_migrations'),
  missing: address === '',
});

describe.skipIf(address === '')('migrating PostgreSQL in other processes, or as a user without rights', () => {
  it('is done once if several processes try at the same time', async () => {
    const { connection, stop } = await freshDatabase('headwater_processes');
    const outcomes = await Promise.all(Array.from({ length: 3 }, async () => await migrateInProcess(connection)));
    expect(outcomes.flat()).toEqual(everything);
    await stop();
  });

  it('fails with the remedy if the user may not add PostGIS', async () => {
    const { connection, stop } = await freshDatabase('headwater_plain');
    const owner = openDatabase(connection);
    await owner.script(`drop role if exists headwater_plain; create role headwater_plain login;
      grant create on database headwater_plain to headwater_plain`);
    const plain = openDatabase({ ...connection, user: 'headwater_plain' });
    await expect(migrate(plain)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('create extension postgis'),
    });
    await owner.script('create extension postgis');
    expect(await migrate(plain)).toEqual(everything);
    await plain.close();
    await owner.script('drop owned by headwater_plain cascade; drop role headwater_plain');
    await owner.close();
    await stop();
  });
});
