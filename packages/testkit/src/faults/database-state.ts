import type { Database } from '@headwater/postgres';

/** Tables of counters and clean-up: they may change although the request wrote nothing. */
const UPKEEP: ReadonlySet<string> = new Set(['api_key_days', 'known_sign_ins', 'login_failures', 'run_events']);

/** SQL text of a row, without columns that are written after the response. */
const ROW_TEXTS: Readonly<Record<string, string>> = { api_keys: "(to_jsonb(t) - 'last_used_at')::text" };

/** Row count and digest of each table. */
export type DatabaseState = ReadonlyMap<string, { readonly rows: number; readonly digest: string }>;

/** Sessions and locks of a database at one moment. */
export interface SessionsAndLocks {
  /** Connections of the service inside a transaction. */
  readonly inTransaction: number;
  /** Connections of the service that execute a statement. */
  readonly active: number;
  readonly advisoryLocks: number;
  readonly connections: number;
}

const TABLES = `select array_agg(tablename::text order by tablename) as names from pg_tables
  where schemaname = 'headwater' and tablename <> 'migrations'`;
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
  readonly #tables: readonly string[];

  private constructor(direct: Database, tables: readonly string[]) {
    this.#direct = direct;
    this.#tables = tables;
  }

  /** Copies every table into the schema `remembered`. */
  static async start(direct: Database): Promise<DatabaseWatch> {
    const tables = (await direct.first<{ names: readonly string[] }>(TABLES))?.names ?? [];
    const copies = tables.map((name) => `create table remembered.${name} as table headwater.${name};`);
    await direct.script(['create schema remembered;', ...copies].join(' '));
    return new DatabaseWatch(direct, tables);
  }

  /** Returns row counts and digests. The statement has a name, so that PostgreSQL plans it once: planning takes longer than running. */
  async state(): Promise<DatabaseState> {
    const parts = this.#tables.map((name) => {
      const text = ROW_TEXTS[name] ?? 't::text';
      const digest = `coalesce(md5(string_agg(${text}, ',' order by ${text})), '')`;
      return `select '${name}' as name, count(*)::int as rows, ${digest} as digest from headwater.${name} t`;
    });
    const statement = { name: 'state', text: parts.join(' union all ') };
    const rows = await this.#direct.rows<{ name: string; rows: number; digest: string }>(statement);
    return new Map(rows.map(({ name, ...rest }) => [name, rest]));
  }

  /** Restores the tables that differ from the remembered state; `now` is the current state. */
  async reset(remembered: DatabaseState, now: DatabaseState): Promise<void> {
    const changed = this.#tables.filter((name) => now.get(name)?.digest !== remembered.get(name)?.digest);
    if (changed.length === 0) return;
    const steps = changed.map((name) => {
      return `delete from headwater.${name}; insert into headwater.${name} overriding system value table remembered.${name};`;
    });
    // Rows refer to each other, so this runs in replica mode, in which foreign keys are not checked.
    await this.#direct.script(['begin; set local session_replication_role = replica;', ...steps, 'commit'].join(' '));
  }

  /** Returns the current sessions and locks. */
  async sessionsAndLocks(): Promise<SessionsAndLocks> {
    const counts = await this.#direct.first<SessionsAndLocks>(SESSIONS_AND_LOCKS);
    if (counts === undefined) throw new Error('fixture: the query of sessions and locks returned no row');
    return counts;
  }
}

/** Changed tables, except those of counters and clean-up, each with its row count. */
export function changes(from: DatabaseState, to: DatabaseState): string {
  const changed = [...to].filter(([name, { digest }]) => !UPKEEP.has(name) && from.get(name)?.digest !== digest);
  return changed.map(([name, { rows }]) => `${name} ${rows}`).join(', ');
}
