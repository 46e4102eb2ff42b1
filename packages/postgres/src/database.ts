import { setTimeout } from 'node:timers/promises';
import { retry } from '@headwater/net/retry';
import type { IBaseProtocol, IDatabase, IInitOptions } from 'pg-promise';
import pgPromise from 'pg-promise';
import type { Connection } from './connection.ts';
import { describeConnection } from './connection.ts';
import { isRetryable, toDomainError, toSearchError } from './errors.ts';
import { silenceLimit } from './silence.ts';

/** Values of one statement; they travel beside the text (extended protocol), never inside it. */
export type Values = readonly (string | number | boolean | null | readonly (string | null)[])[];

/**
 * A statement that requests ask for all the time: a connection parses and plans it once and knows it by its name from then on, where the
 * pool is our own. No other statement may have this name.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A way to run statements: the pool, or the one handle of an open transaction. */
export interface Sql {
  /** All rows. `T` states the columns that the statement selects. */
  rows<T>(text: string | Statement, values?: Values): Promise<readonly T[]>;
  /** First row, if any. */
  first<T>(text: string | Statement, values?: Values): Promise<T | undefined>;
  /** Runs a statement and returns how many rows it touched. */
  run(text: string, values?: Values): Promise<number>;
  /** Runs a script of several statements without values. */
  script(text: string): Promise<void>;
}

/** The part of it that searches need. */
export type SearchSql = Pick<Sql, 'rows' | 'first'>;

/** A pg-promise database of the host, or the part of one that stores need. */
export type DatabaseHandle = Pick<IDatabase<object>, 'any' | 'result' | 'multi' | 'tx' | 'connect'>;

/** A connection of its own, outside the pool, that keeps what a session holds: locks and LISTEN. */
export interface Session extends Pick<Sql, 'first' | 'run'> {
  /** Ends the connection; never rejects. */
  close(): Promise<void>;
}

/** What a session tells while it lasts. */
export interface SessionEvents {
  readonly onNotification: (payload: string) => void;
  readonly onLost: () => void;
}

/** Statements and transactions against one database; every failure is a `DomainError` where it can be one. */
export interface Database extends Sql {
  readonly embedded: boolean;
  /** Place in words, without secrets. */
  readonly place: string;
  /**
   * Statements whose cost a stranger decides. The database ends each in time (`took_too_long`), and they have connections of their own,
   * so that however many there are, nothing else waits for one; in a host's own pool each is a transaction. The embedded database has one
   * connection and no such limit.
   */
  readonly searches: SearchSql;
  /** Runs `fn` in a transaction; `fn` must use only the handle it gets (the embedded database has a single connection). */
  tx<T>(fn: (sql: Sql) => Promise<T>): Promise<T>;
  /** Opens a connection outside the pool. Absent where there is only one connection. */
  readonly connect?: (events: SessionEvents) => Promise<Session>;
  /** Ends the pool when it was opened here; a host's own pool stays. */
  close(): Promise<void>;
}

/** How to open a pool. */
export interface PoolOptions {
  /** Connections at most; 10 by default, always 1 for the embedded database. */
  readonly poolSize?: number;
  /** Longest wait for a free or new connection, ms (30,000). */
  readonly connectTimeoutMs?: number;
  /** Longest silence of the database in the middle of a statement, ms (120,000): a network that went silent must not hang a worker. */
  readonly queryTimeoutMs?: number;
  /** Connections at most that searches have beside those (4). */
  readonly searchPoolSize?: number;
  /** Longest run of one statement of a search, ms (5,000), one at least. */
  readonly searchTimeoutMs?: number;
}

/** Longest run of one statement of a search where nothing is said, ms: a hundred times what one takes among a million Items. */
export const SEARCH_TIMEOUT_MS = 5000;
/** What a silent network is given beyond the time in which the database itself ends a search, ms. */
const SILENCE_MS = 10_000;

const MAX_TRIES = 5;
/** Longest pause before a transaction's first repetition, ms; doubles each time. Random, so that rivals part. */
const PAUSE_MS = 20;

/** Opens a pool, and one for searches; nothing is sent before the first statement. */
export function openDatabase(connection: Connection, options: PoolOptions = {}): Database {
  const { embedded = false } = connection;
  const { poolSize = 10, searchPoolSize = 4, searchTimeoutMs = SEARCH_TIMEOUT_MS } = options;
  const { connectTimeoutMs = 30_000, queryTimeoutMs = 120_000 } = options;
  // The embedded database is one session, whatever number of connections lead to it: names of prepared statements would meet.
  const facts = { embedded, prepares: !embedded, place: describeConnection(connection), searchTimeoutMs };
  if (embedded) {
    const only = openPool(connection, { size: 1, connectTimeoutMs, queryTimeoutMs, settings: UTC });
    return wrapDatabase(only.handle, { ...facts, end: only.end });
  }
  const most = openPool(connection, { size: poolSize, connectTimeoutMs, queryTimeoutMs, settings: TUNING });
  const searches = openPool(connection, {
    size: searchPoolSize,
    // Who waits for a connection longer than two searches take waits behind many.
    connectTimeoutMs: Math.min(connectTimeoutMs, 2 * searchTimeoutMs),
    queryTimeoutMs: Math.max(queryTimeoutMs, searchTimeoutMs + SILENCE_MS),
    settings: `${TUNING}; set ${timeLimit(searchTimeoutMs)}`,
  });
  const end = async (): Promise<void> => void (await Promise.all([most.end(), searches.end()]));
  return wrapDatabase(most.handle, { ...facts, end, searches: searches.handle });
}

interface PoolFacts {
  readonly size: number;
  readonly connectTimeoutMs: number;
  readonly queryTimeoutMs: number;
  /** Statements that each new connection runs first. The same settings in the start packet would be refused by a connection pooler (PgBouncer). */
  readonly settings: string;
}

interface Pool {
  readonly handle: DatabaseHandle;
  readonly end: () => Promise<void>;
}

function openPool(connection: Connection, { size, settings, connectTimeoutMs, queryTimeoutMs }: PoolFacts): Pool {
  const { host, port, database, user, password } = connection;
  const silence = silenceLimit(queryTimeoutMs);
  const connect: IInitOptions['connect'] = ({ client, useCount }) => {
    if (useCount > 0) return;
    silence.watch(client);
    // A connection that cannot answer this tells so with the next statement.
    void client.query(settings).catch(() => {});
  };
  const handle = pgPromise({ noWarnings: true, connect, query: silence.query })({
    host,
    port,
    database,
    user,
    // node-postgres would otherwise look for PGPASSWORD and ~/.pgpass: nothing but the given values counts.
    password: password ?? '',
    ...tlsOf(connection),
    max: size,
    application_name: 'headwater',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // pg-promise stops listening once the pool ends; a connection that breaks after that would then end the process.
  handle.$pool.on('error', () => {});
  const end = async (): Promise<void> => {
    if (!handle.$pool.ended) await handle.$pool.end();
  };
  return { handle, end };
}

function timeLimit(milliseconds: number): string {
  return `statement_timeout = ${Math.max(1, Math.round(milliseconds))}`;
}

/** A server may be set to any zone; no statement of ours depends on it, and this keeps it so for what an operator or a migration adds. */
const UTC = "set timezone = 'UTC'";

/** Statements of ours take milliseconds: compiling them or waking other processes for them takes longer. */
const TUNING = `set jit = off; set max_parallel_workers_per_gather = 0; ${UTC}`;

/**
 * TLS as node-postgres takes it. The host is told once more: for an address that driver leaves it out, and Node would then check
 * the certificate against `localhost`.
 */
function tlsOf({ ssl, host }: Connection): { ssl?: Exclude<Connection['ssl'], boolean | undefined> } {
  if (ssl === undefined || ssl === false) return {};
  const withHost = { ...(ssl === true ? {} : ssl), host };
  return { ssl: withHost };
}

/** What `wrapDatabase` is told about a handle. */
export interface HandleFacts {
  readonly embedded: boolean;
  /** Connections keep what was prepared in them. */
  readonly prepares: boolean;
  readonly place: string;
  readonly end: () => Promise<void>;
  /** Connections of searches, each of which ends its statements in time; without them searches are transactions of the handle. */
  readonly searches?: DatabaseHandle;
  readonly searchTimeoutMs: number;
}

/** Makes a `Database` of a pg-promise handle. */
export function wrapDatabase(handle: DatabaseHandle, facts: HandleFacts): Database {
  const { embedded, prepares, place, end } = facts;
  const attempt = async <T>(fn: (sql: Sql) => Promise<T>): Promise<T> => {
    try {
      return await repeated(() => handle.tx((task) => fn(statements(task))));
    } catch (error) {
      throw toDomainError(error, place);
    }
  };
  const connect = embedded ? {} : { connect: (events: SessionEvents) => openSession(handle, place, events) };
  const all = translated(statements(handle, prepares), place);
  return { ...all, embedded, place, searches: searchSql(handle, facts), tx: attempt, ...connect, close: end };
}

/** Repeats what met other transactions: nothing of it has taken effect. Throws the driver's error. */
function repeated<T>(work: () => Promise<T>): Promise<T> {
  const pauseAfter = (error: unknown, tries: number): number | undefined =>
    tries < MAX_TRIES && isRetryable(error) ? Math.random() * PAUSE_MS * 2 ** tries : undefined;
  return retry(work, { pauseAfter, sleep: (ms) => setTimeout(ms) });
}

function searchSql(
  handle: DatabaseHandle,
  { embedded, prepares, searches, place, searchTimeoutMs }: HandleFacts,
): SearchSql {
  if (embedded) return translated(statements(handle), place);
  const own = searches === undefined ? undefined : statements(searches, prepares);
  const rows = async <T>(text: string | Statement, values?: Values): Promise<readonly T[]> => {
    try {
      if (own !== undefined) return await repeated(() => own.rows<T>(text, values));
      return await repeated(() =>
        handle.tx(async (task) => {
          const sql = statements(task);
          await sql.run(`set local ${timeLimit(searchTimeoutMs)}`);
          return await sql.rows<T>(text, values);
        }),
      );
    } catch (error) {
      throw toSearchError(error, place, searchTimeoutMs);
    }
  };
  return { rows, first: async <T>(text: string | Statement, values?: Values) => (await rows<T>(text, values))[0] };
}

async function openSession(handle: DatabaseHandle, place: string, events: SessionEvents): Promise<Session> {
  const { onLost, onNotification } = events;
  try {
    const connected = await handle.connect({ direct: true, onLost });
    // pg-promise stops listening when a connection is given back; one that breaks after that would end the process.
    connected.client.on('error', () => {});
    connected.client.on('end', onLost);
    connected.client.on('notification', ({ payload = '' }) => onNotification(payload));
    const close = async (): Promise<void> => {
      // A connection that is gone cannot be ended in good order.
      await Promise.resolve(connected.done()).catch(() => {});
    };
    return { ...translated(statements(connected), place), close };
  } catch (error) {
    throw toDomainError(error, place);
  }
}

/** Bare statements: inside a transaction errors stay raw, so that `tx` can see their codes. */
function statements(on: Pick<IBaseProtocol<object>, 'any' | 'result' | 'multi'>, prepares = false): Sql {
  const rows = <T>(asked: string | Statement, given: Values = []): Promise<T[]> => {
    const values = [...given];
    if (typeof asked === 'string') return on.any<T>({ text: asked, values });
    const { name, text } = asked;
    return on.any<T>(prepares ? { name, text, values } : { text, values });
  };
  return {
    rows,
    first: async <T>(text: string | Statement, values?: Values) => (await rows<T>(text, values))[0],
    run: async (text, values = []) => (await on.result({ text, values: [...values] })).rowCount,
    script: async (text) => {
      await on.multi(text);
    },
  };
}

/** Statements outside of transactions, each of which is one of its own. */
function translated(sql: Sql, place: string): Sql {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw toDomainError(error, place);
    }
  };
  return {
    rows: (text, values) => guard(() => repeated(() => sql.rows(text, values))),
    first: (text, values) => guard(() => repeated(() => sql.first(text, values))),
    run: (text, values) => guard(() => repeated(() => sql.run(text, values))),
    // A script may have transactions of its own, the first of which may be through.
    script: (text) => guard(() => sql.script(text)),
  };
}
