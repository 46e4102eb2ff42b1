import { setTimeout } from 'node:timers/promises';
import { retry } from '@headwater/net/retry';
import type { IBaseProtocol } from 'pg-promise';
import { SEARCH_TIMEOUT_MS, type SearchSlots } from '@headwater/core/search';
import type { Connection } from './connection.ts';
import { describeConnection } from './connection.ts';
import { isRetryable, toDomainError, toSearchError } from './errors.ts';
import { type DatabaseHandle, openPool, type PoolState, type SlowOptions, slowReceiver, TUNING, UTC } from './pool.ts';

/** Values of a statement, sent separately from its text (extended protocol). */
export type Values = readonly (string | number | boolean | null | readonly (string | null)[])[];

/** A statement with a unique name, which each connection of our own pools prepares once. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** Runs statements in the pool or in one transaction. */
export interface Sql {
  /** Returns all rows of type `T`. */
  rows<T>(text: string | Statement, values?: Values): Promise<readonly T[]>;
  /** Returns the first row, if any. */
  first<T>(text: string | Statement, values?: Values): Promise<T | undefined>;
  /** Returns the number of affected rows. */
  run(text: string, values?: Values): Promise<number>;
  /** Runs a script of statements without values. */
  script(text: string): Promise<void>;
}

/** The part of `Sql` that searches need. */
export type SearchSql = Pick<Sql, 'rows' | 'first'>;

/** A connection outside the pool. Its locks and its LISTEN stay until the connection is closed. */
export interface Session extends Pick<Sql, 'first' | 'run'> {
  /** Ends the connection; never rejects. */
  close(): Promise<void>;
}

/** Events of a session. */
export interface SessionEvents {
  readonly onNotification: (payload: string) => void;
  readonly onLost: () => void;
}

/** Schema's name in the texts of statements and migrations. */
export const SCHEMA = 'headwater';

/** Places of the schema's name: before a table, in the notification channel, and where the schema is created. */
const IN_TEXT = /\bheadwater(?=\.|_runs\b|\s*;)/g;

/** Maximum length of a schema's name. Names of the channel and of constraints must stay below 63 characters. */
const LONGEST_SCHEMA = 40;

/** Replaces the default schema in a text; texts never contain values. Throws if the name would need quotation marks. */
function schemaWriter(schema: string): (text: string) => string {
  if (schema === SCHEMA) return (text) => text;
  if (!/^[a-z_][a-z0-9_]*$/.test(schema) || schema.startsWith('pg_') || schema.length > LONGEST_SCHEMA)
    throw new Error(
      `schema: ${JSON.stringify(schema)} cannot be used; write up to ${LONGEST_SCHEMA} lower-case letters, digits and _, not beginning with pg_`,
    );
  return (text) => text.replaceAll(IN_TEXT, schema);
}

/** Statements and transactions of one database; failures become `DomainError` if possible. */
export interface Database extends Sql {
  /** Schema of the tables. */
  readonly schema: string;
  readonly embedded: boolean;
  /** Description of the database without secrets. */
  readonly place: string;
  /**
   * Statements whose cost depends on a request, with a time limit (`took_too_long`). Our own pools have separate
   * connections for these statements. The embedded database has one connection and no time limit.
   */
  readonly searches: SearchSql;
  readonly searchLimits: SearchLimits;
  /** Runs `fn` in a transaction, and again after a conflict; `fn` must use only the passed handle. */
  tx<T>(fn: (sql: Sql) => Promise<T>): Promise<T>;
  /** Opens a connection outside the pool; absent for the embedded database, which has only one connection. */
  readonly connect?: (events: SessionEvents) => Promise<Session>;
  /** Numbers of connections of our own pools. */
  readonly pools: () => readonly PoolState[];
  /** Ends our own pools; a host's pool stays open. */
  close(): Promise<void>;
}

/** Limits of searches. */
export interface SearchLimits {
  /** Maximum duration of a statement, or of a whole search if this process applies the filter, ms. */
  readonly timeoutMs: number;
  readonly slots: SearchSlots;
}

/** Runs a statement with this text. */
export type StatementTrace = <T>(text: string, run: () => Promise<T>) => Promise<T>;

/** Settings of a pool. */
export interface PoolOptions extends SlowOptions {
  /** Called for each statement with its text without values. Must run the statement. */
  readonly traceStatement?: StatementTrace;
  /** Schema of the tables. Default: `headwater`. */
  readonly schema?: string;
  /** Maximum number of connections. Default: 10; embedded: always 1. */
  readonly poolSize?: number;
  /** Maximum wait for a connection, ms. Default: 30,000. */
  readonly connectTimeoutMs?: number;
  /**
   * Maximum time without data during a statement, ms. Without it, a broken network would block a worker. Default:
   * 120,000.
   */
  readonly queryTimeoutMs?: number;
  /**
   * Additional connections for searches, at least 2. Scans use at most half of them, costly filters a quarter. Default:
   * 4.
   */
  readonly searchPoolSize?: number;
  /** Maximum duration of a search statement, ms, at least 1. Default: 5,000. */
  readonly searchTimeoutMs?: number;
}

/** Minimum time by which `queryTimeoutMs` of a search exceeds the database's time limit, ms. */
const STALL_MARGIN_MS = 10_000;

const MAX_TRIES = 5;
/**
 * Half of the first maximum pause, ms. The maximum doubles with each retry. Pauses are random, so that conflicting
 * transactions do not meet again.
 */
const PAUSE_MS = 20;

/** Opens a pool and, unless embedded, a second pool for searches. Pools connect at their first statement. */
export function openDatabase(connection: Connection, options: PoolOptions = {}): Database {
  const { embedded = false } = connection;
  const { poolSize = 10, searchPoolSize = 4, searchTimeoutMs = SEARCH_TIMEOUT_MS } = options;
  const { connectTimeoutMs = 30_000, queryTimeoutMs = 120_000, schema = SCHEMA, traceStatement } = options;
  const receive = slowReceiver(options);
  const slots = slotsOf(embedded ? undefined : searchPoolSize);
  const searchLimits: SearchLimits = { timeoutMs: searchTimeoutMs, slots };
  // The embedded database prepares no statements, because its connections share one session, where names of statements
  // would collide.
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
    // If no connection is free after this time, too many searches are queued.
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
 * Maximum numbers of simultaneous searches. `connections`: undefined for the embedded database, which runs at most
 * one costly and one other search at a time.
 */
export function slotsOf(connections: number | undefined): SearchSlots {
  if (connections === undefined) return { plain: 1, costly: 1 };
  // With fewer than three connections, scanning searches share the slots of plain searches. With slots of their own,
  // scanning and costly searches together could use all connections.
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
  /** Numbers of connections of the pools. */
  readonly pools?: Database['pools'];
  /** Connections for searches with a time limit. Default: transactions of `handle`. */
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

/** Retries work that a conflict has rolled back. Throws the last error of the driver unchanged. */
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
    // pg-promise removes its listener at release; an `error` event without a listener would end the process.
    connected.client.on('error', () => {});
    connected.client.on('end', onLost);
    connected.client.on('notification', ({ payload = '' }) => onNotification(payload));
    const close = async (): Promise<void> => {
      // Closing a broken connection fails, but the connection is gone.
      await Promise.resolve(connected.done()).catch(() => {});
    };
    return { ...translated(statements(connected, { inSchema, trace }), place), close };
  } catch (error) {
    throw toDomainError(error, place);
  }
}

const untraced: StatementTrace = (_text, run) => run();

interface Texts {
  readonly inSchema: (text: string) => string;
  readonly trace: StatementTrace;
  readonly prepares?: boolean;
}

/** Runs statements on a handle. Errors are not converted, because `tx` needs their codes to decide on a retry. */
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

/** Runs statements outside of transactions, with retries and converted errors. */
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
    // A script is not retried, because it may contain several transactions.
    script: (text) => guard(() => sql.script(text)),
  };
}
