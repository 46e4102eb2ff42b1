import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, type Database, migrate, openDatabase, storesOver } from '@headwater/postgres';
import { openCopy } from './embedded-copy.fixture.ts';
import type { StoresHarness } from './suite.ts';

const OURS = `select
  (select array_agg(format('headwater.%I', tablename)) from pg_tables
    where schemaname = 'headwater' and tablename <> 'migrations') as tables,
  (select array_agg(format('headwater.%I', sequencename)) from pg_sequences where schemaname = 'headwater') as sequences`;

/** A zone that is not UTC, nor a whole number of hours from it: nothing that is stored or read may depend on it. */
const FOREIGN_ZONE = 'Asia/Kolkata';

/** Stores over a PostgreSQL that runs already, in a database of their own: several test files empty theirs at the same time. */
export async function postgresHarness(connection: Connection): Promise<StoresHarness> {
  const admin = openDatabase(connection, { poolSize: 1 });
  const name = `headwater_stores_${randomUUID().replaceAll('-', '')}`;
  await admin.script(`create database ${name}`);
  await admin.script(`alter database ${name} set timezone = '${FOREIGN_ZONE}'`);
  const harness = await databaseHarness({ ...connection, database: name });
  return {
    ...harness,
    stop: async () => {
      await harness.stop();
      await admin.script(`drop database ${name} with (force)`);
      await admin.close();
    },
  };
}

/** Stores over one database. Everything in its schema `headwater` is deleted. */
async function databaseHarness(connection: Connection): Promise<StoresHarness> {
  const database = openDatabase(connection);
  await migrate(database);
  const empty = await emptying(database);
  return {
    kind: connection.embedded === true ? 'embedded' : 'postgresql',
    fresh: async () => {
      await database.script(empty);
      return storesOver(database);
    },
    stop: async () => await database.close(),
  };
}

/** Stores over an embedded database in a temporary folder. */
export async function embeddedHarness(): Promise<StoresHarness> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-stores-'));
  const embedded = await openCopy(dataDir);
  const harness = await databaseHarness(embedded.connection);
  return {
    ...harness,
    stop: async () => {
      await harness.stop();
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Deletes every row and starts the sequences anew. `truncate` would make new files of 34 tables and their indexes before each test, 0.2 s in the
 * embedded database, where this takes 5 ms. As a replica: rows refer to each other, and all of them go.
 */
async function emptying(database: Database): Promise<string> {
  const { tables = [], sequences = [] } =
    (await database.first<{ tables: readonly string[]; sequences: readonly string[] }>(OURS)) ?? {};
  const deletions = tables.map((table) => `delete from ${table};`);
  const restarts = sequences.map((sequence) => `select setval('${sequence}', 1, false);`);
  return ['begin; set local session_replication_role = replica;', ...deletions, ...restarts, 'commit'].join(' ');
}
