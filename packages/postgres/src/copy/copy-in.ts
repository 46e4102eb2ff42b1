import { DomainError } from '@headwater/core';
import { type Database, SCHEMA, type Sql } from '../database.ts';
import { migrate, type Migration, readMigrations } from '../migrate.ts';
import { dropOwn, refuseDependents, tablesOf } from './own-objects.ts';
import type { CopiedDatabase, SequenceState, TableHead } from './copy-out.ts';

/** Returns the lines of a table as `copyOut` passed them. */
export type LineSource = (table: TableHead) => AsyncIterable<readonly string[]>;

/** Options of `copyIn`. */
export interface CopyInOptions {
  /** Number of rows by table, to compare with the stored rows. */
  readonly rows: Readonly<Record<string, number>>;
  /** True: existing data are removed first; false: a database with data is refused. */
  readonly replace: boolean;
  /** Throws if the database must not be changed. Called in the transaction, before its first change. */
  readonly check?: ((sql: Sql) => Promise<void>) | undefined;
}

const BATCH_BYTES = 1_000_000;

/**
 * Fills a database with copied rows, in one transaction. Older rows are migrated.
 * @throws DomainError `unavailable` for rows of a newer version; `conflict` for existing data without `replace`.
 */
export async function copyIn(
  database: Database,
  copied: CopiedDatabase & { readonly lines: LineSource },
  { rows, replace, check }: CopyInOptions,
): Promise<void> {
  const known = await readMigrations();
  refuseNewerCopy(copied.revision, known);
  await database.tx(async (sql) => {
    await check?.(sql);
    await refuseData(database, { sql, replace });
    // Tables are created again, because they may have a newer revision than the rows.
    await dropOwn(sql, database.schema);
    // The migrations use this transaction, so that a failure also undoes the migrations.
    const inside: Database = { ...database, ...sql, tx: async (work) => await work(sql) };
    await migrate(
      inside,
      known.filter(({ revision }) => revision <= copied.revision),
    );
    // Copies of earlier versions also contain tables that the service did not create. These are left out.
    const own = new Set((await tablesOf(sql, database.schema)).own);
    const tables = copied.tables.filter(({ name }) => own.has(name));
    await insertAll(sql, { ...copied, tables });
    await compareCounts(sql, tables, rows);
    await migrate(inside, known);
  });
  await database.script('analyze');
}

/** Throws if the tables must not be replaced: `conflict` for data, `unavailable` if other objects need the tables. */
export async function refuseData(
  database: Database,
  { sql = database, replace }: { readonly sql?: Sql; readonly replace: boolean },
): Promise<void> {
  if (!replace && (await hasData(sql))) throw new DomainError('conflict', `${database.place} already has data`);
  await refuseDependents(sql, database.schema);
}

/** Throws if the copied rows are of a newer version. */
export function refuseNewerCopy(revision: number, known: readonly Migration[]): void {
  const newest = known.at(-1)?.revision ?? 0;
  if (revision <= newest) return;
  throw new DomainError(
    'unavailable',
    `the copied database is at revision ${revision}, made by a newer version of Headwater; this version supports revisions up to ${newest}. Use the newer version.`,
  );
}

/** Tables of which at least one has a row in a used database. */
const USED = ['users', 'states', 'runs', 'items'];

/** True if a service has stored something. */
export async function hasData(sql: Pick<Sql, 'first'>): Promise<boolean> {
  for (const table of USED) {
    const known = await sql.first<{ exists: boolean }>(
      `select to_regclass('${SCHEMA}.${table}') is not null as "exists"`,
    );
    if (known?.exists !== true) continue;
    if ((await sql.first(`select 1 from ${SCHEMA}.${table} limit 1`)) !== undefined) return true;
  }
  return false;
}

async function insertAll(sql: Sql, { tables, sequences, lines }: Parameters<typeof copyIn>[1]): Promise<void> {
  // Removes rows that migrations stored, because the copied rows contain them too.
  await sql.script(`truncate ${tables.map(({ name }) => `${SCHEMA}."${name}"`).join(', ')}`);
  // Disables triggers. They would replace times of the copied rows, and notify other processes, which cannot use the
  // database during the copy.
  for (const { name } of tables) await sql.script(`alter table ${SCHEMA}."${name}" disable trigger user`);
  for (const table of tables) await insertRows(sql, table, lines(table));
  for (const { name, last, isUsed } of sequences) await setSequence(sql, { name, last, isUsed });
  // Runs pending checks, because PostgreSQL refuses to alter a table with pending checks.
  await sql.script('set constraints all immediate');
  for (const { name } of tables) await sql.script(`alter table ${SCHEMA}."${name}" enable trigger user`);
}

async function setSequence(sql: Sql, { name, last, isUsed }: SequenceState): Promise<void> {
  await sql.rows(`select setval('${SCHEMA}."${name}"', $1::bigint, $2::boolean)`, [last, isUsed]);
}

async function insertRows(sql: Sql, { name, columns }: TableHead, lines: AsyncIterable<readonly string[]>) {
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const values = columns.map(({ type }, i) => `(line ->> ${i})::${type}`).join(', ');
  const insert = `insert into ${SCHEMA}."${name}" (${names}) overriding system value
    select ${values} from jsonb_array_elements($1::jsonb) as line`;
  let batch: string[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await sql.run(insert, [`[${batch.join(',')}]`]);
    [batch, bytes] = [[], 0];
  };
  for await (const some of lines) {
    for (const line of some) {
      batch.push(line);
      bytes += line.length;
      if (bytes >= BATCH_BYTES) await flush();
    }
  }
  await flush();
}

async function compareCounts(
  sql: Sql,
  tables: readonly TableHead[],
  rows: Readonly<Record<string, number>>,
): Promise<void> {
  for (const { name } of tables) {
    const row = await sql.first<{ n: string }>(`select count(*)::text as n from ${SCHEMA}."${name}"`);
    if (Number(row?.n) !== rows[name])
      throw new Error(
        `table ${name}: ${row?.n ?? 0} rows were stored, but ${rows[name] ?? 0} rows were copied; repeat the copy, with all services and workers stopped`,
      );
  }
}
