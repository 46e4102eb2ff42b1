import type { Database } from '@headwater/postgres';

/**
 * Tables that contain counters, or from which the service removes old rows. These tables may change even if the request
 * wrote nothing.
 */
const UPKEEP: ReadonlySet<string> = new Set(['api_key_days', 'known_sign_ins', 'login_failures', 'run_events']);

/**
 * SQL expressions for the text of a row from which the digest is computed, by table. The text omits columns that the
 * service writes after the response. Only tables with such columns are listed here.
 */
const ROW_TEXTS: Readonly<Record<string, string>> = { api_keys: "(to_jsonb(t) - 'last_used_at')::text" };

/** Row count of each table, and digest of its rows. */
export type DatabaseState = ReadonlyMap<string, { readonly rows: number; readonly digest: string }>;

/** Number of sessions and locks of a database at one moment. */
export interface SessionsAndLocks {
  /** Connections of the service that are idle inside a transaction. */
  readonly inTransaction: number;
  /** Connections of the service that execute a statement. */
  readonly active: number;
  readonly advisoryLocks: number;
  readonly connections: number;
}

/** Query for all tables with their columns, without the columns that the database computes. */
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

/** Observes a database over a direct connection and restores its initial state. */
export class DatabaseWatch {
  readonly #direct: Database;
  readonly #tables: ReadonlyMap<string, string>;

  private constructor(direct: Database, tables: ReadonlyMap<string, string>) {
    this.#direct = direct;
    this.#tables = tables;
  }

  /** Starts to observe the database, and copies every table into the schema `remembered`. */
  static async start(direct: Database): Promise<DatabaseWatch> {
    const rows = await direct.rows<{ name: string; columns: string }>(TABLES);
    const tables = new Map(rows.map(({ name, columns }) => [name, columns]));
    const copies = [...tables].map(
      ([name, columns]) => `create table remembered.${name} as select ${columns} from headwater.${name};`,
    );
    await direct.script(['create schema remembered;', ...copies].join(' '));
    return new DatabaseWatch(direct, tables);
  }

  /**
   * Returns the row count and digest of each table. Planning this statement takes longer than running it. So the
   * statement has a name, and PostgreSQL plans it only once.
   */
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

  /** Restores the tables whose present state `now` differs from the initial state `remembered`. */
  async reset(remembered: DatabaseState, now: DatabaseState): Promise<void> {
    const changed = [...this.#tables].filter(([name]) => now.get(name)?.digest !== remembered.get(name)?.digest);
    if (changed.length === 0) return;
    const steps = changed.map(([name, columns]) => {
      return `delete from headwater.${name}; insert into headwater.${name} (${columns}) overriding system value table remembered.${name};`;
    });
    // Rows refer to rows of other tables. In replica mode, foreign keys are not checked, so tables can be restored in
    // any order.
    await this.#direct.script(['begin; set local session_replication_role = replica;', ...steps, 'commit'].join(' '));
  }

  /** Returns the current sessions and locks. */
  async sessionsAndLocks(): Promise<SessionsAndLocks> {
    const counts = await this.#direct.first<SessionsAndLocks>(SESSIONS_AND_LOCKS);
    if (counts === undefined) throw new Error('fixture: the query of sessions and locks returned no row');
    return counts;
  }
}

/** Lists the changed tables, each with its row count. Tables of `UPKEEP` are left out. */
export function changes(from: DatabaseState, to: DatabaseState): string {
  const changed = [...to].filter(([name, { digest }]) => !UPKEEP.has(name) && from.get(name)?.digest !== digest);
  return changed.map(([name, { rows }]) => `${name} ${rows}`).join(', ');
}
