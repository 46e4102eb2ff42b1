import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, type Database, migrate, openDatabase, storesOver } from '@headwater/postgres';
import { openCopy } from './embedded-copy.fixture.ts';
import type { StoresHarness } from '@headwater/testkit/stores';

const OURS = `select
  (select array_agg(format('headwater.%I', tablename)) from pg_tables
    where schemaname = 'headwater' and tablename <> 'migrations') as tables,
  (select array_agg(format('headwater.%I', sequencename)) from pg_sequences where schemaname = 'headwater') as sequences`;

/** Time zone of the database. Stored times must not depend on it. */
const FOREIGN_ZONE = 'Asia/Kolkata';

/** Stores over a database, and functions for the database itself. */
export interface DatabaseHarness extends StoresHarness {
  /** Runs SQL, for rows that the stores cannot write, or write only slowly. */
  readonly run: (sql: string) => Promise<void>;
  /** Statements that the stores sent during the work. */
  readonly statementsOf: (work: () => Promise<unknown>) => Promise<readonly string[]>;
}

/**
 * Creates stores in a new PostgreSQL database. Each test file needs a database of its own, because tests empty the
 * stores.
 */
export async function postgresHarness(connection: Connection): Promise<DatabaseHarness> {
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

/** Creates stores over a database. `fresh` deletes all rows except those of `migrations`. */
async function databaseHarness(connection: Connection): Promise<DatabaseHarness> {
  let statements: string[] = [];
  const database = openDatabase(connection, { onSlow: ({ text }) => statements.push(text), slowMs: 0 });
  await migrate(database);
  const empty = await emptyingSql(database);
  return {
    kind: connection.embedded === true ? 'embedded' : 'postgresql',
    fresh: async () => {
      await database.script(empty);
      return storesOver(database);
    },
    stop: async () => await database.close(),
    run: (sql) => database.script(sql),
    statementsOf: async (work) => {
      statements = [];
      await work();
      return statements;
    },
  };
}

/** Creates stores over an embedded database in a temporary folder. */
export async function embeddedHarness(): Promise<DatabaseHarness> {
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

/** SQL that deletes all rows in 5 ms; `truncate` takes 0.2 s. Replica mode ignores foreign keys. */
async function emptyingSql(database: Database): Promise<string> {
  const { tables = [], sequences = [] } =
    (await database.first<{ tables: readonly string[]; sequences: readonly string[] }>(OURS)) ?? {};
  const deletions = tables.map((table) => `delete from ${table};`);
  const restarts = sequences.map((sequence) => `select setval('${sequence}', 1, false);`);
  return ['begin; set local session_replication_role = replica;', ...deletions, ...restarts, 'commit'].join(' ');
}
