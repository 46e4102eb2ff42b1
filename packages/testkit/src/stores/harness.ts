import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, type Database, migrate, openDatabase, storesOver } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import type { StoresHarness } from './suite.ts';

const TABLES = `select string_agg(format('headwater.%I', tablename), ', ') as tables
  from pg_tables where schemaname = 'headwater' and tablename <> 'migrations'`;

/** Stores over a PostgreSQL that runs already. Everything in its schema `headwater` is deleted. */
export async function postgresHarness(connection: Connection): Promise<StoresHarness> {
  const database = openDatabase(connection);
  await migrate(database);
  const empty = await truncation(database);
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
  const embedded = await openEmbedded({ dataDir });
  const harness = await postgresHarness(embedded.connection);
  return {
    ...harness,
    stop: async () => {
      await harness.stop();
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function truncation(database: Database): Promise<string> {
  const row = await database.first<{ tables: string }>(TABLES);
  return `truncate ${row?.tables ?? ''} restart identity cascade`;
}
