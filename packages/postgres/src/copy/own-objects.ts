import { SCHEMA, type Sql } from '../database.ts';

const REFERENCES = `select distinct f.relname as "from", t.relname as "to" from pg_constraint k
    join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid join pg_namespace n on n.oid = f.relnamespace
  where k.contype = 'f' and n.nspname = $1 and k.conrelid <> k.confrelid`;

/**
 * Sorts the tables of a schema so that each table comes after all tables that its foreign keys refer to; otherwise by name. Throws if tables
 * refer to each other in a circle.
 */
export async function orderedTables(sql: Sql, schema: string, names: readonly string[]): Promise<readonly string[]> {
  const references = await sql.rows<{ from: string; to: string }>(REFERENCES, [schema]);
  const needed = Map.groupBy(references, ({ from }) => from);
  const ordered = new Set<string>();
  for (let left = names.toSorted(); left.length > 0; left = left.filter((name) => !ordered.has(name))) {
    const isReady = (name: string): boolean => (needed.get(name) ?? []).every(({ to }) => ordered.has(to));
    const ready = left.filter(isReady);
    if (ready.length === 0) throw new Error(`these tables refer to each other in a circle: ${left.join(', ')}`);
    for (const name of ready) ordered.add(name);
  }
  return [...ordered];
}

/**
 * Condition for a row of `pg_class` or `pg_proc` that belongs to no extension. PostGIS is in the schema of the service if the role that
 * installed it has the same name as the schema.
 */
export const notOfExtension = (alias: string): string =>
  `not exists (select from pg_depend e where e.objid = ${alias}.oid and e.deptype = 'e')`;

const TABLES = `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind = 'r' and ${notOfExtension('c')}`;

const FUNCTIONS = `select p.oid::regprocedure::text as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = $1 and ${notOfExtension('p')}`;

/** Removes the tables and functions of a schema. Its extensions stay, because tables of other schemas may use them. */
export async function dropOwn(sql: Sql, schema: string): Promise<void> {
  const tables = await sql.rows<{ name: string }>(TABLES, [schema]);
  if (tables.length > 0)
    await sql.script(`drop table ${tables.map(({ name }) => `${SCHEMA}."${name}"`).join(', ')} cascade`);
  for (const { name } of await sql.rows<{ name: string }>(FUNCTIONS, [schema]))
    await sql.script(`drop function ${name} cascade`);
}
