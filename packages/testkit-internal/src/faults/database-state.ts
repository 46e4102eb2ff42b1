import type { Database } from '@headwater/postgres';

/** Tables with counters or automatic removal. They may change even if the request writes nothing. */
const UPKEEP: ReadonlySet<string> = new Set(['api_key_days', 'known_sign_ins', 'login_failures', 'run_events']);

/** SQL for the text of a row, by table, without the columns that the service writes after the response. */
const ROW_TEXTS: Readonly<Record<string, string>> = { api_keys: "(to_jsonb(t) - 'last_used_at')::text" };

/** Row count and digest of each table. */
export type DatabaseState = ReadonlyMap<string, { readonly rows: number; readonly digest: string }>;

/** Sessions and locks of a database at a moment. */
export interface SessionsAndLocks {
  /** Connections of the service that are idle in a transaction. */
  readonly inTransaction: number;
  /** Connections of the service that execute a statement. */
  readonly active: number;
  readonly advisoryLocks: number;
  readonly connections: number;
}

const TABLES = `select relname::text as name, string_agg(quote_ident(attname), ', ' order by attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where relnamespace = 'headwater'::regnamespace and relkind = 'r' and relname <> 'migrations'
    and attnum > 0 and not attisdropped and attgenerated = '' group by relname order by relname`;
const SESSIONS_AND_LOCKS = `select
  count(*) filter (where state like 'idle in transaction%')::int as "inTransaction",
  count(*) filter (where state = 'active')::int as active,
  count(*)::int as connections,
  (select count(*)::int from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())) as "advisoryLocks"
  from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;

/** Observes a database on a direct connection (without injected faults), and restores its initial state. */
export class DatabaseWatch {
  readonly #direct: Database;
  readonly #tables: ReadonlyMap<string, string>;

  private constructor(direct: Database, tables: ReadonlyMap<string, string>) {
    this.#direct = direct;
    this.#tables = tables;
  }

  /** Copies every table into the schema `remembered`. */
  static async start(direct: Database): Promise<DatabaseWatch> {
    const rows = await direct.rows<{ name: string; columns: string }>(TABLES);
    const tables = new Map(rows.map(({ name, columns }) => [name, columns]));
    const copies = [...tables].map(
      ([name, columns]) => `create table remembered.${name} as select ${columns} from headwater.${name};`,
    );
    await direct.script(['create schema remembered;', ...copies].join(' '));
    return new DatabaseWatch(direct, tables);
  }

  /** Row counts and digests of tables. The statement is prepared, because planning takes longer than running. */
  async state(): Promise<DatabaseState> {
    const parts = [...this.#tables.keys()].map((name) => {
      const text = ROW_TEXTS[name] ?? 't::text';
      const digest = `coalesce(md5(string_agg(${text}, ',' order by ${text})), '')`;
      return `select '${name}' as name, count(*)::int as rows, ${digest} as digest from headwater.${name} t`;
    });
    const statement = { name: 'state', text: parts.join(' union all ') };
    const rows = await this.#direct.rows<{ name: string; rows: number; digest: string }>(statement);
    return new Map(rows.map(({ name, ...rest }) => [name, rest]));
  }

  /** Restores tables that differ from `remembered`. */
  async reset(remembered: DatabaseState, now: DatabaseState): Promise<void> {
    const changed = [...this.#tables].filter(([name]) => now.get(name)?.digest !== remembered.get(name)?.digest);
    if (changed.length === 0) return;
    const steps = changed.map(([name, columns]) => {
      return `delete from headwater.${name}; insert into headwater.${name} (${columns}) overriding system value table remembered.${name};`;
    });
    // Replica mode ignores foreign keys, so tables can be restored in any order.
    await this.#direct.script(['begin; set local session_replication_role = replica;', ...steps, 'commit'].join(' '));
  }

  async sessionsAndLocks(): Promise<SessionsAndLocks> {
    const counts = await this.#direct.first<SessionsAndLocks>(SESSIONS_AND_LOCKS);
    if (counts === undefined) throw new Error('fixture: the query of sessions and locks returned no row');
    return counts;
  }
}

/** Changed tables with row counts, without `UPKEEP`. */
export function changes(from: DatabaseState, to: DatabaseState): string {
  const changed = [...to].filter(([name, { digest }]) => !UPKEEP.has(name) && from.get(name)?.digest !== digest);
  return changed.map(([name, { rows }]) => `${name} ${rows}`).join(', ');
}
