import { DomainError, isDomainError } from '@headwater/core';
import { packageFile } from '@headwater/net/files';
import { readFile, readdir } from 'node:fs/promises';
import type { Database, Sql } from './database.ts';
import { errorCode } from './errors.ts';

/** Key of the advisory lock of all migrations. */
const LOCK = '114881263395698';

/** Errors of simultaneous migrations, which are possible if a statement-pooling proxy makes the lock ineffective. */
const RACED = new Set(['23505', '42P06', '42P07', '40001', '40P01']);

/**
 * Migrates the database's schema to this version; several processes may call it at the same time. @returns the
 * revisions that this call applied. @throws DomainError `unavailable` if a newer version made the database, or PostGIS
 * is missing and cannot be added; `internal` if the database rejects a migration.
 */
export async function migrate(database: Database, migrations?: readonly Migration[]): Promise<readonly number[]> {
  const known = migrations ?? (await readMigrations());
  for (let tries = 1; ; tries++) {
    try {
      return await database.tx((sql) => applyMissing(sql, known, database.place));
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      const raced = RACED.has(errorCode(error)) || RACED.has(errorCode(cause));
      if (!raced || tries >= 3) throw operatorError(error, database.place);
    }
  }
}

/** Converts the error of a rejected migration. It may show the database's message, because only operators see it. */
function operatorError(error: unknown, place: string): unknown {
  if (!isDomainError(error) || error.code !== 'validation' || !(error.cause instanceof Error)) return error;
  const message = `${place} rejects a migration, of which nothing was stored: ${error.cause.message}. Correct the cause and start again; if that is impossible, report this message and the version`;
  return new DomainError('internal', message, { cause: error.cause });
}

async function applyMissing(sql: Sql, known: readonly Migration[], place: string): Promise<readonly number[]> {
  await sql.rows('select pg_advisory_xact_lock($1::bigint)', [LOCK]);
  const applied = new Set(await appliedRevisions(sql));
  refuseNewer(Math.max(0, ...applied), known.at(-1)?.revision ?? 0, place);
  const missing = known.filter(({ revision }) => !applied.has(revision));
  if (missing.length === 0) return [];
  await ensurePostgis(sql, place);
  for (const { revision, name, sql: script } of missing) {
    // The primary key stops a second process before it changes anything.
    await sql.run('insert into headwater.migrations (revision, name) values ($1, $2)', [revision, name]);
    await sql.script(script);
  }
  return missing.map(({ revision }) => revision);
}

async function appliedRevisions(sql: Sql): Promise<readonly number[]> {
  const known = await knownRevisions(sql);
  if (known !== undefined) return known;
  await sql.script(`create schema if not exists headwater;
      create table if not exists headwater.migrations (
        revision integer primary key, name text not null, applied_at timestamptz not null default now())`);
  return [];
}

async function knownRevisions(sql: Sql): Promise<readonly number[] | undefined> {
  const table = await sql.first<{ exists: boolean }>(
    `select to_regclass('headwater.migrations') is not null as "exists"`,
  );
  if (table?.exists !== true) return undefined;
  const rows = await sql.rows<{ revision: number }>('select revision from headwater.migrations order by revision');
  return rows.map(({ revision }) => revision);
}

function refuseNewer(applied: number, known: number, place: string): void {
  if (applied <= known) return;
  throw new DomainError(
    'unavailable',
    `${place} is at revision ${applied}, made by a newer version of Headwater; this version supports revisions up to ${known}. ` +
      'Start the newer version, or restore the backup made before the upgrade.',
    { details: { applied, known } },
  );
}

async function ensurePostgis(sql: Sql, place: string): Promise<void> {
  if (await hasPostgis(sql, place)) return;
  try {
    await sql.run('create extension if not exists postgis');
  } catch (error) {
    if (errorCode(error) !== '42501') throw error;
    throw noRightToPostgis(place, error);
  }
}

/** True if PostGIS is installed, false if it can still be added. Throws `unavailable` if the machine has no PostGIS. */
async function hasPostgis(sql: Sql, place: string): Promise<boolean> {
  const found = await sql.first<{ installed: boolean; available: boolean }>(
    `select exists (select from pg_extension where extname = 'postgis') as installed,
            exists (select from pg_available_extensions where name = 'postgis') as available`,
  );
  if (found?.installed === true) return true;
  if (found?.available === true) return false;
  throw new DomainError(
    'unavailable',
    `${place} has no PostGIS: install it on that machine (Debian: postgresql-15-postgis-3)`,
  );
}

function noRightToPostgis(place: string, cause?: unknown): DomainError {
  const remedy = 'ask its administrator to run "create extension postgis" there once';
  return new DomainError('unavailable', `${place}: this user has no right to add PostGIS; ${remedy}`, { cause });
}

/** State of a database before a start. */
export interface SchemaState {
  /** Versions of PostgreSQL and PostGIS. */
  readonly version: string;
  /** True if Headwater has not used the database yet. */
  readonly isNew: boolean;
  /** Names of the migrations that a start would apply, ascending. */
  readonly pending: readonly string[];
}

/**
 * Reads the state of the schema and changes nothing. @throws DomainError `unavailable` in the cases in which `migrate`
 * would throw it.
 */
export async function readSchemaState(database: Database): Promise<SchemaState> {
  const known = await readMigrations();
  const applied = await knownRevisions(database);
  refuseNewer(Math.max(0, ...(applied ?? [])), known.at(-1)?.revision ?? 0, database.place);
  const pending = known.filter(({ revision }) => applied?.includes(revision) !== true).map(({ name }) => name);
  if (pending.length > 0) await checkRights(database, { isNew: applied === undefined });
  const row = await database.first<{ server: string; postgis: string | null }>(
    `select current_setting('server_version') as server,
            (select extversion from pg_extension where extname = 'postgis') as postgis`,
  );
  const version = `PostgreSQL ${row?.server ?? 'unknown'}, PostGIS ${row?.postgis ?? 'not added yet'}`;
  return { version, isNew: applied === undefined, pending };
}

/** Throws `unavailable` if PostGIS or the schema is missing, and the user has no right to create it. */
async function checkRights(sql: Database, { isNew }: Pick<SchemaState, 'isNew'>): Promise<void> {
  const rights = await sql.first<{ schema: boolean; postgis: boolean }>(
    `select has_database_privilege(current_database(), 'create') as "schema",
            (select rolsuper from pg_roles where rolname = current_user) or
            (has_database_privilege(current_database(), 'create') and
             exists (select from pg_available_extension_versions where name = 'postgis' and trusted)) as postgis`,
  );
  if (!(await hasPostgis(sql, sql.place)) && rights?.postgis !== true) throw noRightToPostgis(sql.place);
  if (isNew && rights?.schema !== true)
    throw new DomainError(
      'unavailable',
      `${sql.place}: this user may not create the schema of this service; ask the administrator to grant the right CREATE on the database`,
    );
}

/** One numbered SQL file. */
export interface Migration {
  readonly revision: number;
  readonly name: string;
  readonly sql: string;
}

const FIRST = '../migrations/0001_accounts.sql';

/** Reads the migrations of this version in ascending order. Throws if a number is missing. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const folder = new URL('.', packageFile(FIRST, import.meta.url, '@headwater/postgres'));
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return await Promise.all(
    names.map(async (name, index) => {
      const revision = Number(name.slice(0, 4));
      if (revision !== index + 1)
        throw new Error(`${name}: expected migration number ${index + 1}; the numbers must have no gap`);
      return { revision, name, sql: await readFile(new URL(name, folder), 'utf8') };
    }),
  );
}
