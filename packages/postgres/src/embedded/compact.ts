import type { PGlite } from '@electric-sql/pglite';
import { freeBytesOf } from '@headwater/net/files';

/** A table; `bytes` includes its TOAST table, where PostgreSQL stores long texts. */
interface Table {
  readonly name: string;
  readonly bytes: number;
}

const MIB = 1024 * 1024;
/** Minimum size of a compacted table. So the start of a small database only runs the statement that reads the sizes. */
const SMALLEST_BYTES = 2 * MIB;
/** Free share (0-1) above which a table is rewritten, so that files are at most a fifth larger than the data. */
const FREE_PART = 1 / 6;
const SPARE_BYTES = 64 * MIB;
/** By default `vacuum` may use 64 MB, and the engine never gives memory back to the system. */
const MEMORY = "set maintenance_work_mem = '16MB'";

const TABLES = `select format('%I.%I', nspname, relname) as name, pg_table_size(c.oid)::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind = 'r'`;
/**
 * Free space of a table and its long texts at the last `vacuum`. Only pages with more than 2,100 free bytes count,
 * because even a rewritten page may have about 2,032 free bytes (TOAST_TUPLE_TARGET).
 */
const FREE = `select coalesce(sum(avail), 0)::float8 as bytes from pg_class c,
  lateral (select avail from pg_freespace(c.oid) union all select avail from pg_freespace(nullif(c.reltoastrelid, 0))) as pages
  where c.oid = $1::regclass and avail > 2100`;

/**
 * Gives the space of deleted rows back to the system, because PGlite never runs `vacuum` itself. Calls `onRewrite`
 * before each rewrite of a table with much free space.
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
    // Frees the space of the write-ahead log. A rewrite needs this space, because it logs as many bytes as the table
    // has.
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
 * Returns the tables with their present size and free bytes. The transaction is rolled back, because the extension that
 * it creates is needed only here.
 */
async function withFreeSpace(
  database: PGlite,
  large: readonly Table[],
): Promise<readonly (Table & { readonly free: number })[]> {
  try {
    // This statement is in the `try`: if it fails, `rollback` must end the aborted transaction of the shared
    // session.
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
