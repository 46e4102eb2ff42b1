import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { address, freshDatabase, type Fresh, type Source, startEmbedded } from '../migrate.fixture.ts';
import { migrate, readMigrations } from '../migrate.ts';
import { copyIn, type CopyInOptions } from './copy-in.ts';
import { type CopiedDatabase, copyOut } from './copy-out.ts';
import { ownNames, tablesOf } from './own-objects.ts';

interface Copy extends CopiedDatabase {
  readonly text: ReadonlyMap<string, readonly string[]>;
}

async function copyOf(database: Database): Promise<Copy> {
  const text = new Map<string, readonly string[]>();
  const copied = await copyOut(database, async ({ name }, lines) => {
    const all: string[] = [];
    for await (const some of lines) all.push(...some);
    text.set(name, all);
  });
  return { ...copied, text };
}

function fill(database: Database, copy: Copy, options: Partial<CopyInOptions> = {}): Promise<void> {
  const rows = Object.fromEntries([...copy.text].map(([name, lines]) => [name, lines.length]));
  const lines = async function* ({ name }: { readonly name: string }) {
    yield copy.text.get(name) ?? [];
  };
  return copyIn(database, { ...copy, lines }, { rows, replace: false, ...options });
}

const facts = ({ text, sequences }: Copy) => ({
  text: new Map([...text].map(([name, lines]) => [name, lines.toSorted()])),
  sequences,
});

/** Rows with values that a copy easily changes: line breaks, quotation marks, U+0000 in JSON, infinity, geometries. */
const ROWS = `
  insert into headwater.users (username, username_key, email, first_name, last_name, is_active, is_superuser, password_hash, may_compute)
    values ('asha', 'asha', 'a@example.org', E'line\\nbreak "quoted" \\\\ back', 'हिन्दी', true, true, 'x', true), ('gone', 'gone', '', '', '', true, false, 'x', true);
  delete from headwater.users where username = 'gone';
  insert into headwater.states (name, slug) values ('S', 's');
  insert into headwater.districts (state_id, name, slug) values (1, 'D', 'd');
  insert into headwater.tehsils (district_id, name, slug, geometry)
    values (1, 'T', 't', ST_Multi(ST_MakeEnvelope(0.1, 0.2, 1.0 / 3, 0.7, 4326)));
  insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id, state, finished_at, after)
    values ('r', 'p', '{"a":"it\\u0000s"}', 'f', 'f', 1, 'success', '2024-02-03T04:05:06.123456Z', array['x,y', 'z"']);
  insert into headwater.items (collection_path, id, version, run_id, position, content, start_datetime, end_datetime, geometry)
    values ('a/b/c', 'i', 3, 'r', 0, '{"id":"i","properties":{"note":"it\\u0000s"}}', '2021-01-01Z', 'infinity', ST_MakeEnvelope(10, 1, 11, 2, 4326));
`;

function describeCopies(name: string, { start, missing = false }: Source): void {
  describe.skipIf(missing)(`copying ${name}`, () => {
    const opened: Fresh[] = [];
    let source: Database;
    let target: Database;
    beforeAll(async () => {
      opened.push(await start());
      source = openDatabase(opened[0]?.connection ?? never());
      opened.push(await start());
      target = openDatabase(opened[1]?.connection ?? never());
      await migrate(source);
      await source.script(ROWS);
    });
    afterAll(async () => {
      await Promise.all([source, target].map((database) => database.close()));
      for (const { stop } of opened) await stop();
    });

    it('finds the names of all tables and functions in the texts of the migrations', async () => {
      // Only for the embedded database. In PostgreSQL, the schema also has tables and functions of PostGIS.
      if (!source.embedded) return;
      const names = async (catalog: string) => {
        const found = await source.rows<{ name: string }>(catalog);
        return found.map(({ name: each }) => each);
      };
      const own = ownNames(await readMigrations());
      expect(own.tables.toSorted()).toEqual(
        await names(
          `select tablename as name from pg_tables where schemaname = 'headwater' order by tablename collate "C"`,
        ),
      );
      expect(own.functions.toSorted()).toEqual(
        await names(
          `select proname as name from pg_proc where pronamespace = 'headwater'::regnamespace order by proname collate "C"`,
        ),
      );
    });

    it('refuses rows of a newer version', async () => {
      const newer = (await readMigrations()).length + 1;
      await expect(fill(target, { revision: newer, tables: [], sequences: [], text: new Map() })).rejects.toThrow(
        `the copied database is at revision ${newer}, made by a newer version`,
      );
    });

    it('stores the same rows; the ids of later rows continue after the copied sequences', async () => {
      const copy = await copyOf(source);
      expect(copy.text.get('items')).toHaveLength(1);
      await fill(target, copy);
      expect(facts(await copyOf(target))).toEqual(facts(copy));
      const added = await target.first<{ id: number }>(
        `insert into headwater.users (username, username_key, email, first_name, last_name, is_active, is_superuser, password_hash, may_compute)
           values ('new', 'new', '', '', '', true, false, 'x', true) returning id`,
      );
      // Tokens of the removed account contain its id, so this id must not be used again.
      expect(added).toEqual({ id: 3 });
    });

    it('refuses a database with data if `replace` is false', async () => {
      const copy = await copyOf(source);
      await expect(fill(target, copy)).rejects.toMatchObject({ code: 'conflict' });
      expect((await copyOf(target)).text.get('users')).toHaveLength(2);
      await fill(target, copy, { replace: true });
      expect(facts(await copyOf(target))).toEqual(facts(copy));
    });

    it('changes nothing if a row is missing', async () => {
      const copy = await copyOf(source);
      const before = facts(await copyOf(target));
      const text = new Map([...copy.text, ['items', []]]);
      const rows = Object.fromEntries([...copy.text].map(([table, lines]) => [table, lines.length]));
      await expect(fill(target, { ...copy, text }, { rows, replace: true })).rejects.toThrow(
        'table items: 0 rows were stored, but 1 rows were copied; repeat the copy, with all services and workers stopped',
      );
      expect(facts(await copyOf(target))).toEqual(before);
    });

    it('copies and removes only its own tables', async () => {
      await source.script(
        'create table headwater.notes (id serial primary key); create table headwater."My Table" (a text)',
      );
      const copy = await copyOf(source);
      expect([...copy.text.keys()]).not.toContain('notes');
      expect(copy.sequences.map(({ name: each }) => each)).not.toContain('notes_id_seq');
      await target.script(`create table headwater.notes (note text); insert into headwater.notes values ('kept');
        create table headwater."My Table" (a text); create view headwater."The View" as select username from headwater.users`);
      expect((await tablesOf(target, 'headwater')).foreign).toEqual(['My Table', 'The View', 'notes']);
      const before = facts(await copyOf(target));
      await expect(fill(target, copy, { replace: true })).rejects.toThrow(
        /because other objects need them: .*"The View"/,
      );
      expect(facts(await copyOf(target))).toEqual(before);
      await target.script('drop view headwater."The View"');
      await fill(target, copy, { replace: true });
      expect(await target.first('select note from headwater.notes')).toEqual({ note: 'kept' });
      await source.script('drop table headwater.notes; drop table headwater."My Table"');
    });

    it('reads one snapshot while another client writes', async () => {
      if (source.embedded) return;
      const users: (readonly string[])[] = [];
      await copyOut(source, async (table, lines) => {
        if (table.name === 'api_keys') await source.run(`update headwater.users set first_name = 'later'`);
        for await (const some of lines) if (table.name === 'users') users.push(some);
      });
      expect(users.flat().join()).not.toContain('later');
    });
  });
}

function never(): never {
  throw new Error('the database has not started');
}

describeCopies('the embedded database', { start: startEmbedded });
let made = 0;
describeCopies('PostgreSQL', { start: () => freshDatabase(`headwater_copy_${(made += 1)}`), missing: address === '' });

it.skipIf(address === '')('copies the embedded database into PostgreSQL, row by row', async () => {
  const [from, to] = [await startEmbedded(), await freshDatabase('headwater_moved')];
  const [embedded, postgres] = [openDatabase(from.connection), openDatabase(to.connection)];
  await migrate(embedded);
  await embedded.script(ROWS);
  const copy = await copyOf(embedded);
  await fill(postgres, copy);
  expect(facts(await copyOf(postgres))).toEqual(facts(copy));
  await Promise.all([embedded.close(), postgres.close()]);
  await Promise.all([from.stop(), to.stop()]);
});
