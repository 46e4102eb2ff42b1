import type { PGlite } from '@electric-sql/pglite';
import { freeBytesOf } from '@headwater/net/files';

/** Name and size of a table. The size includes the long texts, which PostgreSQL stores in a second table. */
interface Table {
  readonly name: string;
  readonly bytes: number;
}

const MIB = 1024 * 1024;
/**
 * Minimum size of a table that is compacted, bytes. The minimum keeps the start of a small database short: such a start needs only one statement.
 */
const SMALLEST_BYTES = 2 * MIB;
/**
 * Free share (0-1) of a table's files from which the table is rewritten. With this share, the files are at most a fifth
 * larger than the data.
 */
const FREE_PART = 1 / 6;
/** Disk space that maintenance leaves free, bytes. */
const SPARE_BYTES = 64 * MIB;
/**
 * Statement that limits the memory of maintenance. Without it, a `vacuum` could use PostgreSQL's default of 64 MB, and
 * the engine never frees memory.
 */
const MEMORY = "set maintenance_work_mem = '16MB'";

const TABLES = `select format('%I.%I', nspname, relname) as name, pg_table_size(c.oid)::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind = 'r'`;
/**
 * Selects the free space of a table and of its long texts, as the last `vacuum` found it. Pages with at most 2,100 bytes of free space
 * are not counted, because a rewritten page may have as much free space: rows and parts of long texts have up to 2,032 bytes
 * (TOAST_TUPLE_TARGET).
 */
const FREE = `select coalesce(sum(avail), 0)::float8 as bytes from pg_class c,
  lateral (select avail from pg_freespace(c.oid) union all select avail from pg_freespace(nullif(c.reltoastrelid, 0))) as pages
  where c.oid = $1::regclass and avail > 2100`;

/**
 * Returns the space of deleted rows to the system. PGlite has no background processes, so without a `vacuum` the space of a deleted row is
 * never used again. `vacuum` is fast for tables that have not changed. Tables with much free space are rewritten; `onRewrite` is called
 * before each rewrite.
 */
export async function compact(
  database: PGlite,
  folder: string,
  onRewrite: (freeBytes: number) => void = () => {},
): Promise<void> {
  const { rows: tables } = await database.query<Table>(TABLES);
  const large = tables.filter(({ bytes }) => bytes >= SMALLEST_BYTES);
  if (large.length === 0) return;
  await database.exec(MEMORY);
  try {
    for (const { name, bytes } of large) if (await hasSpace(folder, bytes)) await database.exec(`vacuum ${name}`);
    // A checkpoint frees the space of the write-ahead log before each rewrite, because rewriting a table writes as much
    // log as the size of the table.
    await database.exec('checkpoint');
    for (const { name, bytes, free } of await withFreeSpace(database, large)) {
      if (free < Math.max(MIB, bytes * FREE_PART) || !(await hasSpace(folder, 2 * (bytes - free)))) continue;
      onRewrite(free);
      await database.exec(`vacuum full ${name}`);
      await database.exec('checkpoint');
    }
  } finally {
    await database.exec('reset maintenance_work_mem');
  }
}

async function hasSpace(folder: string, bytes: number): Promise<boolean> {
  return (await freeBytesOf(folder)) >= bytes + SPARE_BYTES;
}

/**
 * Reads sizes and free space of tables. The extension for free space is needed only here, so the transaction that creates the
 * extension is rolled back.
 */
async function withFreeSpace(
  database: PGlite,
  large: readonly Table[],
): Promise<readonly (Table & { readonly free: number })[]> {
  try {
    // This statement is inside the `try`, so that its failure is also followed by the rollback. Otherwise the session,
    // which all connections share, would stay in an aborted transaction.
    await database.exec('begin; create extension if not exists pg_freespacemap');
    const sizes = new Map((await database.query<Table>(TABLES)).rows.map(({ name, bytes }) => [name, bytes]));
    const found: (Table & { readonly free: number })[] = [];
    for (const { name } of large) {
      const { rows } = await database.query<{ readonly bytes: number }>(FREE, [name]);
      found.push({ name, bytes: sizes.get(name) ?? 0, free: rows[0]?.bytes ?? 0 });
    }
    return found;
  } finally {
    await database.exec('rollback');
  }
}
