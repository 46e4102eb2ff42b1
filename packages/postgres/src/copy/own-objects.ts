import { DomainError } from '@headwater/core';
import { SCHEMA, type Sql } from '../database.ts';
import { type Migration, readMigrations } from '../migrate.ts';

const REFERENCES = `select distinct f.relname as "from", t.relname as "to" from pg_constraint k
    join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid join pg_namespace n on n.oid = f.relnamespace
  where k.contype = 'f' and n.nspname = $1 and k.conrelid <> k.confrelid`;

/** Sorts tables by name, but places each table after the tables to which it refers. Throws for circular references. */
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
 * Condition on a row of `pg_class` or `pg_proc`: the object is not part of an extension. PostGIS may be in the
 * service's schema, if the role of the database has the same name as the schema.
 */
export const notOfExtension = (alias: string): string =>
  `not exists (select from pg_depend e where e.objid = ${alias}.oid and e.deptype = 'e')`;

/** Names of the service's own objects in a schema. */
export interface OwnNames {
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

const CREATED = /^\s*create (?:or replace )?(table|function) (?:if not exists )?headwater\.(\w+)/gim;

/** Names that migrations create, and the table of migrations. */
export function ownNames(migrations: readonly Migration[]): OwnNames {
  const found = migrations.flatMap(({ sql }) => [...sql.matchAll(CREATED)]);
  const names = (kind: string): readonly string[] => [
    ...new Set(found.flatMap(([, each, name]) => (each?.toLowerCase() === kind && name !== undefined ? [name] : []))),
  ];
  return { tables: ['migrations', ...names('table')], functions: names('function') };
}

const TABLES = `select c.relname as name, c.relkind in ('r', 'p') as "isTable"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relkind in ('r', 'p', 'v', 'm') and ${notOfExtension('c')} order by c.relname`;

const FUNCTIONS = `select p.oid::regprocedure::text as signature, p.proname as name
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  where n.nspname = $1 and ${notOfExtension('p')}`;

/**
 * Rules of views, foreign keys and functions that depend on a table of $2. Foreign keys of the tables $2 themselves are
 * left out.
 */
const DEPENDENTS = `select distinct pg_describe_object(d.classid, d.objid, 0) as name
  from pg_depend d join pg_class c on d.refclassid = 'pg_class'::regclass and c.oid = d.refobjid
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
    left join pg_constraint k on d.classid = 'pg_constraint'::regclass and k.oid = d.objid
    left join pg_class o on o.oid = coalesce(w.ev_class, k.conrelid)
  where n.nspname = $1 and c.relname = any($2::text[]) and d.deptype = 'n'
    and (o.oid is not null or d.classid = 'pg_proc'::regclass)
    and (o.relnamespace is distinct from n.oid or o.relname <> all($2::text[])) order by name`;

/** Revision of a database; 0 if unused. */
export async function revisionOf(sql: Pick<Sql, 'first'>): Promise<number> {
  const table = await sql.first<{ exists: boolean }>(
    `select to_regclass('${SCHEMA}.migrations') is not null as "exists"`,
  );
  if (table?.exists !== true) return 0;
  const row = await sql.first<{ revision: number }>(
    `select coalesce(max(revision), 0) as revision from ${SCHEMA}.migrations`,
  );
  return row?.revision ?? 0;
}

/** Tables and views of a schema. */
export interface FoundTables {
  /** Tables created by the migrations. */
  readonly own: readonly string[];
  /** Other tables and views, which are neither copied nor removed. */
  readonly foreign: readonly string[];
  /** True if a newer version made the database; all tables then count as own. */
  readonly isNewer: boolean;
}

/** Finds own and foreign tables and views of a schema. */
export async function tablesOf(sql: Pick<Sql, 'first' | 'rows'>, schema: string): Promise<FoundTables> {
  const [revision, known] = [await revisionOf(sql), await readMigrations()];
  const isNewer = revision > known.length;
  const created = new Set(revision === 0 ? [] : ownNames(known.filter((each) => each.revision <= revision)).tables);
  const found = await sql.rows<{ name: string; isTable: boolean }>(TABLES, [schema]);
  const isOwn = ({ name, isTable }: (typeof found)[number]): boolean => isTable && (isNewer || created.has(name));
  return {
    own: found.filter(isOwn).map(({ name }) => name),
    foreign: found.filter((each) => !isOwn(each)).map(({ name }) => name),
    isNewer,
  };
}

/** Throws if a foreign view, table or function needs an own table. */
export async function refuseDependents(sql: Pick<Sql, 'first' | 'rows'>, schema: string): Promise<void> {
  const { own } = await tablesOf(sql, schema);
  const found = await sql.rows<{ name: string }>(DEPENDENTS, [schema, own]);
  if (found.length === 0) return;
  throw new DomainError(
    'unavailable',
    `the tables of Headwater cannot be replaced, because other objects need them: ${found.map(({ name }) => name).join(', ')}. Remove these objects first, and create them again afterwards.`,
  );
}

/** Removes own tables and functions. */
export async function dropOwn(sql: Sql, schema: string): Promise<void> {
  const { own, isNewer } = await tablesOf(sql, schema);
  if (own.length === 0) return;
  const functions = new Set(ownNames(await readMigrations()).functions);
  await sql.script(`drop table ${own.map((name) => `${SCHEMA}.${quoted(name)}`).join(', ')}`);
  for (const { name, signature } of await sql.rows<{ name: string; signature: string }>(FUNCTIONS, [schema]))
    if (isNewer || functions.has(name)) await sql.script(`drop function ${signature}`);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
