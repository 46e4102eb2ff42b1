import { setTimeout } from 'node:timers/promises';
import { retry } from '@headwater/net/retry';
import type { IBaseProtocol } from 'pg-promise';
import { SEARCH_TIMEOUT_MS, type SearchSlots } from '@headwater/core/search';
import type { Connection } from './connection.ts';
import { describeConnection } from './connection.ts';
import { isRetryable, toDomainError, toSearchError } from './errors.ts';
import { type DatabaseHandle, openPool, type PoolState, type SlowOptions, slowReceiver, TUNING, UTC } from './pool.ts';

/**
 * Values of one statement. They are sent separately from the text of the statement (extended protocol), never inside
 * the text.
 */
export type Values = readonly (string | number | boolean | null | readonly (string | null)[])[];

/**
 * A frequently used statement. Each connection of a pool that was opened here parses and plans the statement once (a
 * prepared statement), and then sends only the name of the statement. The name must be unique among statements.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements: in the pool, or in one open transaction. */
export interface Sql {
  /** Returns all rows. `T` describes the columns that the statement selects. */
  rows<T>(text: string | Statement, values?: Values): Promise<readonly T[]>;
  /** Returns the first row, if any. */
  first<T>(text: string | Statement, values?: Values): Promise<T | undefined>;
  /** Runs a statement and returns the number of affected rows. */
  run(text: string, values?: Values): Promise<number>;
  /** Runs a script of several statements without values. */
  script(text: string): Promise<void>;
}

/** The part of `Sql` that searches need. */
export type SearchSql = Pick<Sql, 'rows' | 'first'>;

/** A connection outside the pool. Its locks and its LISTEN stay in effect until the connection is closed. */
export interface Session extends Pick<Sql, 'first' | 'run'> {
  /** Ends the connection; never rejects. */
  close(): Promise<void>;
}

/** Events of a session. */
export interface SessionEvents {
  readonly onNotification: (payload: string) => void;
  readonly onLost: () => void;
}

/** Name of the schema in the texts of statements and migrations. */
export const SCHEMA = 'headwater';

/**
 * Matches the places at which the schema's name occurs in a text: before a table, in the name of the notification
 * channel, and in the statement that creates the schema.
 */
const IN_TEXT = /\bheadwater(?=\.|_runs\b|\s*;)/g;

/**
 * Maximum length of a schema's name. The limit keeps the names of the channel and of constraints, which contain the name of the schema,
 * within PostgreSQL's limit of 63 characters.
 */
const LONGEST_SCHEMA = 40;

/**
 * Returns a function that replaces the default schema in the text of a statement by this schema. Texts never contain
 * values, so no value is changed. Throws if the name would need quotation marks.
 */
function schemaWriter(schema: string): (text: string) => string {
  if (schema === SCHEMA) return (text) => text;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema) || schema.startsWith('pg_') || schema.length > LONGEST_SCHEMA)
    throw new Error(
      `schema: ${JSON.stringify(schema)} cannot be used; write up to ${LONGEST_SCHEMA} lower-case letters, digits and _, not beginning with pg_`,
    );
  return (text) => text.replaceAll(IN_TEXT, schema);
}

/** Statements and transactions of one database; failures are converted to a `DomainError` if possible. */
export interface Database extends Sql {
  /** Schema of the tables. */
  readonly schema: string;
  readonly embedded: boolean;
  /** Description of the database for messages, without secrets. */
  readonly place: string;
  /**
   * Runs statements whose cost depends on a request. The database ends each statement after a time limit
   * (`took_too_long`). These statements use separate connections, so other statements never wait for them. In a host's
   * own pool, each of these statements is a transaction of this pool. The embedded database has one connection for all
   * statements and no time limit.
   */
  readonly searches: SearchSql;
  readonly searchLimits: SearchLimits;
  /** Runs `fn` in a transaction; `fn` must use only the passed handle (the embedded database has a single connection). */
  tx<T>(fn: (sql: Sql) => Promise<T>): Promise<T>;
  /** Opens a connection outside the pool. Absent if there is only one connection. */
  readonly connect?: (events: SessionEvents) => Promise<Session>;
  /** Numbers of connections of the pools that were opened here; empty for a host's own pool. */
  readonly pools: () => readonly PoolState[];
  /** Ends the pool if it was opened here; a host's own pool stays open. */
  close(): Promise<void>;
}

/** Limits of searches. */
export interface SearchLimits {
  /** Maximum duration of a statement, ms. If this process applies the filter instead of the database, the limit applies to the whole search. */
  readonly timeoutMs: number;
  readonly slots: SearchSlots;
}

/** Runs a statement with this text, and returns its result. */
export type StatementTrace = <T>(text: string, run: () => Promise<T>) => Promise<T>;

/** Settings of a pool. */
export interface PoolOptions extends SlowOptions {
  /**
   * Called for each statement; must run it, for example in a span of a trace. The text has `$1`, `$2`, ... instead of values.
   * Default: only runs the statement.
   */
  readonly traceStatement?: StatementTrace;
  /** Schema of the tables; default: `headwater`. Two installations in one database have two schemas. */
  readonly schema?: string;
  /** Maximum number of connections; 10 by default, always 1 for the embedded database. */
  readonly poolSize?: number;
  /** Maximum wait for a free or new connection, ms; default: 30,000. */
  readonly connectTimeoutMs?: number;
  /**
   * Stall timeout, ms: maximum time without data during a statement; default: 120,000. The limit prevents a broken
   * network from blocking a worker for ever.
   */
  readonly queryTimeoutMs?: number;
  /**
   * Maximum number of additional connections for searches, at least 2; default: 4. Searches that read every Item use at most half of these
   * connections. Costly filters use at most a quarter of them, but at least one.
   */
  readonly searchPoolSize?: number;
  /** Maximum duration of one statement of a search, ms, at least 1; default: 5,000. */
  readonly searchTimeoutMs?: number;
}

/** Time, ms, by which the stall timeout of searches exceeds the database's own time limit for them. */
const STALL_MARGIN_MS = 10_000;

const MAX_TRIES = 5;
/**
 * Half of the maximum pause before the first retry of a transaction, ms. The maximum doubles with each retry. Pauses are random, so
 * that conflicting transactions rarely run at the same time again.
 */
const PAUSE_MS = 20;

/** Opens a pool, and a second pool for searches. A pool does not connect before its first statement. */
export function openDatabase(connection: Connection, options: PoolOptions = {}): Database {
  const { embedded = false } = connection;
  const { poolSize = 10, searchPoolSize = 4, searchTimeoutMs = SEARCH_TIMEOUT_MS } = options;
  const { connectTimeoutMs = 30_000, queryTimeoutMs = 120_000, schema = SCHEMA, traceStatement } = options;
  const receive = slowReceiver(options);
  const slots = slotsOf(embedded ? undefined : searchPoolSize);
  const searchLimits: SearchLimits = { timeoutMs: searchTimeoutMs, slots };
  // The embedded database uses no prepared statements: all its connections share one session, in which the names of
  // prepared statements would collide.
  const facts = {
    embedded,
    prepares: !embedded,
    place: describeConnection(connection),
    searchLimits,
    schema,
    traceStatement,
  };
  if (embedded) {
    const only = openPool(connection, { size: 1, connectTimeoutMs, queryTimeoutMs, settings: UTC, receive });
    const pools = (): readonly PoolState[] => [{ name: 'main', ...only.state() }];
    return wrapDatabase(only.handle, { ...facts, pools, end: only.end });
  }
  const main = openPool(connection, { size: poolSize, connectTimeoutMs, queryTimeoutMs, settings: TUNING, receive });
  const searches = openPool(connection, {
    size: searchPoolSize,
    // Waits at most twice the time limit of a search, because too many searches are queued if no connection is free
    // after this time.
    connectTimeoutMs: Math.min(connectTimeoutMs, 2 * searchTimeoutMs),
    queryTimeoutMs: Math.max(queryTimeoutMs, searchTimeoutMs + STALL_MARGIN_MS),
    settings: `${TUNING}; set ${timeLimit(searchTimeoutMs)}`,
    receive,
  });
  const end = async (): Promise<void> => void (await Promise.all([main.end(), searches.end()]));
  const pools = (): readonly PoolState[] => [
    { name: 'main', ...main.state() },
    { name: 'searches', ...searches.state() },
  ];
  return wrapDatabase(main.handle, { ...facts, pools, end, searches: searches.handle });
}

/**
 * Number of searches that may run at the same time on `connections` connections. `connections` is undefined for the
 * embedded database. In this case one costly search and one other search run at the same time; their statements
 * alternate with all other statements.
 */
export function slotsOf(connections: number | undefined): SearchSlots {
  if (connections === undefined) return { plain: 1, costly: 1 };
  // With fewer than three connections, scanning searches (which read every Item) and costly searches together could use
  // all connections. So in this case scanning searches have no slots of their own.
  if (connections < 3) return { plain: connections, costly: 1 };
  const part = (share: number): number => Math.max(1, Math.floor(connections / share));
  return { plain: connections, scanning: part(2), costly: part(4) };
}

function timeLimit(milliseconds: number): string {
  return `statement_timeout = ${Math.max(1, Math.round(milliseconds))}`;
}

/** Properties of a handle for `wrapDatabase`. */
export interface HandleFacts {
  readonly embedded: boolean;
  /** True if connections keep prepared statements. */
  readonly prepares: boolean;
  readonly place: string;
  readonly schema: string;
  readonly traceStatement?: StatementTrace | undefined;
  readonly end: () => Promise<void>;
  /** Returns the numbers of connections of the pools; default: no pools. */
  readonly pools?: Database['pools'];
  /** Connections for searches, with a time limit for each statement. If absent, searches are transactions of `handle`. */
  readonly searches?: DatabaseHandle;
  readonly searchLimits: SearchLimits;
}

/** Creates a `Database` from a pg-promise handle. */
export function wrapDatabase(handle: DatabaseHandle, facts: HandleFacts): Database {
  const { embedded, prepares, place, schema, end, searchLimits, traceStatement: trace = untraced } = facts;
  const { pools = () => [] } = facts;
  const inSchema = schemaWriter(schema);
  const attempt = async <T>(fn: (sql: Sql) => Promise<T>): Promise<T> => {
    try {
      return await repeated(() => handle.tx((task) => fn(statements(task, { inSchema, trace }))));
    } catch (error) {
      throw toDomainError(error, place);
    }
  };
  const connect = embedded
    ? {}
    : { connect: (events: SessionEvents) => openSession(handle, { place, inSchema, trace }, events) };
  const plain = translated(statements(handle, { inSchema, trace, prepares }), place);
  const searches = searchSql(handle, { ...facts, inSchema, trace });
  return { ...plain, schema, embedded, place, searches, searchLimits, tx: attempt, ...connect, pools, close: end };
}

/**
 * Retries work if a conflict with other transactions has rolled it back completely. Throws the error of the driver
 * without conversion.
 */
function repeated<T>(work: () => Promise<T>): Promise<T> {
  const pauseAfter = (error: unknown, tries: number): number | undefined =>
    tries < MAX_TRIES && isRetryable(error) ? Math.random() * PAUSE_MS * 2 ** tries : undefined;
  return retry(work, { pauseAfter, sleep: (ms) => setTimeout(ms) });
}

function searchSql(
  handle: DatabaseHandle,
  { embedded, prepares, searches, place, inSchema, trace, searchLimits: { timeoutMs } }: HandleFacts & Texts,
): SearchSql {
  if (embedded) return translated(statements(handle, { inSchema, trace }), place);
  const pooled = searches === undefined ? undefined : statements(searches, { inSchema, trace, prepares });
  const rows = async <T>(text: string | Statement, values?: Values): Promise<readonly T[]> => {
    try {
      if (pooled !== undefined) return await repeated(() => pooled.rows<T>(text, values));
      return await repeated(() =>
        handle.tx(async (task) => {
          const sql = statements(task, { inSchema, trace });
          await sql.run(`set local ${timeLimit(timeoutMs)}`);
          return await sql.rows<T>(text, values);
        }),
      );
    } catch (error) {
      throw toSearchError(error, place, timeoutMs);
    }
  };
  return { rows, first: async <T>(text: string | Statement, values?: Values) => (await rows<T>(text, values))[0] };
}

async function openSession(
  handle: DatabaseHandle,
  { place, inSchema, trace }: Pick<HandleFacts, 'place'> & Texts,
  events: SessionEvents,
): Promise<Session> {
  const { onLost, onNotification } = events;
  try {
    const connected = await handle.connect({ direct: true, onLost });
    // pg-promise removes its error listener when it releases a connection. An `error` event without a listener would
    // end the process, so this listener is added for a connection that breaks later.
    connected.client.on('error', () => {});
    connected.client.on('end', onLost);
    connected.client.on('notification', ({ payload = '' }) => onNotification(payload));
    const close = async (): Promise<void> => {
      // Closing a broken connection fails. This error is ignored, because the connection is gone.
      await Promise.resolve(connected.done()).catch(() => {});
    };
    return { ...translated(statements(connected, { inSchema, trace }), place), close };
  } catch (error) {
    throw toDomainError(error, place);
  }
}

const untraced: StatementTrace = (_text, run) => run();

/** Functions and options that determine in which form a statement is sent. */
interface Texts {
  readonly inSchema: (text: string) => string;
  readonly trace: StatementTrace;
  readonly prepares?: boolean;
}

/**
 * Statements without error conversion, for use inside a transaction: `tx` needs the original error codes to know if it
 * can retry.
 */
function statements(
  on: Pick<IBaseProtocol<object>, 'any' | 'result' | 'multi'>,
  { inSchema, trace, prepares = false }: Texts,
): Sql {
  const rows = <T>(statement: string | Statement, parameters: Values = []): Promise<T[]> => {
    const values = [...parameters];
    const text = inSchema(typeof statement === 'string' ? statement : statement.text);
    if (typeof statement === 'string') return trace(text, () => on.any<T>({ text, values }));
    const { name } = statement;
    return trace(text, () => on.any<T>(prepares ? { name, text, values } : { text, values }));
  };
  return {
    rows,
    first: async <T>(text: string | Statement, values?: Values) => (await rows<T>(text, values))[0],
    run: async (written, values = []) => {
      const text = inSchema(written);
      return (await trace(text, () => on.result({ text, values: [...values] }))).rowCount;
    },
    script: async (written) => {
      const text = inSchema(written);
      await trace(text, () => on.multi(text));
    },
  };
}

/** Statements outside of transactions, with retries and converted errors. */
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
    // A script is not retried, because it may contain several transactions, and the first of them may have been
    // committed.
    script: (text) => guard(() => sql.script(text)),
  };
}
