import { type Database, SCHEMA, type Sql } from '../database.ts';
import { orderedTables, revisionOf, tablesOf } from './own-objects.ts';

/** A column of a copied table. */
export interface CopiedColumn {
  readonly name: string;
  /** Type as SQL, such as `geometry(MultiPolygon,4326)`. */
  readonly type: string;
}

/** A table without its rows. */
export interface TableHead {
  readonly name: string;
  /** Columns with stored values, without generated columns. */
  readonly columns: readonly CopiedColumn[];
}

/** A sequence of a table's ids. */
export interface SequenceState {
  readonly name: string;
  /** Last number, as text because it may exceed 2^53. */
  readonly last: string;
  /** False if `last` is unused. */
  readonly isUsed: boolean;
}

/** Facts of a copied database. */
export interface CopiedDatabase {
  /** Number of the last migration. */
  readonly revision: number;
  readonly tables: readonly TableHead[];
  readonly sequences: readonly SequenceState[];
}

/**
 * Receives the rows of a table; must read all. A line is a JSON array with a text or null for each column, in the order
 * of the columns. Lines come in batches.
 */
export type LineReceiver = (table: TableHead, lines: AsyncIterable<readonly string[]>) => Promise<void>;

/** Columns of tables. PostGIS types are written without their schema, because this schema is on the search path. */
const COLUMNS = `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where n.nspname = $1 and c.relname = any($2::text[]) and c.relname <> 'migrations' order by c.relname, a.attnum`;

const SEQUENCES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind = 'S' and exists (select from pg_depend d join pg_class t on t.oid = d.refobjid
    where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i') and d.refclassid = 'pg_class'::regclass
      and t.relnamespace = n.oid and t.relname = any($2::text[])) order by c.relname`;

const BATCH_BYTES = 2_000_000;
const FIRST_BATCH = 100;
const LARGEST_BATCH = 5000;

/**
 * Copies all rows from one snapshot; the service may continue to write. A repeated transaction calls `receive` again
 * from the first table.
 */
export async function copyOut(database: Database, receive: LineReceiver): Promise<CopiedDatabase> {
  return await database.tx(async (sql) => {
    await sql.run('set transaction isolation level repeatable read, read only');
    const revision = await revisionOf(sql);
    const { own } = await tablesOf(sql, database.schema);
    const tables = await tablesIn(sql, database.schema, own);
    for (const table of tables) await receive(table, linesOf(sql, table));
    return { revision, tables, sequences: await sequencesIn(sql, database.schema, own) };
  });
}

/** Tables with their columns. Each table comes after the tables to which it refers. */
async function tablesIn(sql: Sql, schema: string, own: readonly string[]): Promise<readonly TableHead[]> {
  const found = await sql.rows<CopiedColumn & { readonly table: string }>(COLUMNS, [schema, own]);
  const columns = Map.groupBy(found, ({ table }) => table);
  const names = await orderedTables(sql, schema, [...columns.keys()]);
  return names.map((name) => ({
    name,
    columns: (columns.get(name) ?? []).map((column) => ({ name: column.name, type: column.type })),
  }));
}

async function* linesOf(sql: Sql, { name, columns }: TableHead): AsyncGenerator<readonly string[]> {
  const texts = columns.map((column) => `"${column.name}"::text`).join(', ');
  await sql.run(
    `declare copied no scroll cursor for select json_build_array(${texts})::text as line from ${SCHEMA}."${name}"`,
  );
  for (let size = FIRST_BATCH; ;) {
    const rows = await sql.rows<{ line: string }>(`fetch ${size} from copied`);
    if (rows.length > 0) yield rows.map(({ line }) => line);
    if (rows.length < size) break;
    const bytes = rows.reduce((sum, { line }) => sum + line.length, 0);
    size = Math.max(1, Math.min(LARGEST_BATCH, Math.floor((size * BATCH_BYTES) / bytes)));
  }
  await sql.run('close copied');
}

async function sequencesIn(sql: Sql, schema: string, own: readonly string[]): Promise<readonly SequenceState[]> {
  const found: SequenceState[] = [];
  for (const { name } of await sql.rows<{ name: string }>(SEQUENCES, [schema, own])) {
    const state = await sql.first<{ last: string; isUsed: boolean }>(
      `select last_value::text as last, is_called as "isUsed" from ${SCHEMA}."${name}"`,
    );
    if (state !== undefined) found.push({ name, ...state });
  }
  return found;
}
