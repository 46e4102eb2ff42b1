import { Socket } from 'node:net';
import type { IDatabase, IEventContext, IInitOptions } from 'pg-promise';
import pgPromise from 'pg-promise';
import type { Connection } from './connection.ts';

/** pg-promise database of the host application, reduced to the methods that stores need. */
export type DatabaseHandle = Pick<IDatabase<object>, 'any' | 'result' | 'multi' | 'tx' | 'connect'>;

/** A slow statement. */
export interface SlowStatement {
  /** Text of the statement with `$1`, `$2`, ... instead of values. */
  readonly text: string;
  readonly ms: number;
}

/** Options of the report of slow statements. */
export interface SlowOptions {
  /** Receives each completed statement that took at least `slowMs`, except scripts of several statements. */
  readonly onSlow?: (statement: SlowStatement) => void;
  /** Milliseconds; default: 100. */
  readonly slowMs?: number;
}

/** Properties of a pool. */
export interface PoolFacts {
  readonly size: number;
  readonly connectTimeoutMs: number;
  readonly queryTimeoutMs: number;
  /**
   * Statements that each new connection runs first. They are not sent in the start packet, because PgBouncer would
   * reject them.
   */
  readonly settings: string;
  readonly receive: IInitOptions['receive'];
}

/** Numbers of connections of a pool. */
export interface PoolState {
  readonly name: 'main' | 'searches';
  readonly limit: number;
  readonly idle: number;
  readonly busy: number;
  /** Number of statements that wait for a connection. */
  readonly waiting: number;
}

/** An open pool. */
export interface Pool {
  readonly state: () => Omit<PoolState, 'name'>;
  readonly handle: DatabaseHandle;
  readonly end: () => Promise<void>;
}

/** Opens a pool; sends nothing before the first statement. */
export function openPool(connection: Connection, facts: PoolFacts): Pool {
  const { size, settings, connectTimeoutMs, queryTimeoutMs, receive } = facts;
  const { host, port, database, user, password } = connection;
  const stallLimit = stallTimeout(queryTimeoutMs);
  const connect: IInitOptions['connect'] = ({ client, useCount }) => {
    if (useCount > 0) return;
    // Without a listener, the loss of this connection would end the process.
    client.on('error', () => {});
    stallLimit.watch(client);
    // An error is ignored here, because the next statement on the broken connection reports it.
    void client.query(settings).catch(() => {});
  };
  const events = { connect, query: stallLimit.query, ...(receive === undefined ? {} : { receive }) };
  const handle = pgPromise({ noWarnings: true, ...events })({
    host,
    port,
    database,
    user,
    // Without a value, node-postgres would read PGPASSWORD and ~/.pgpass.
    password: password ?? '',
    ...tlsOf(connection),
    max: size,
    application_name: 'headwater',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
  });
  // Without a listener, the pool would throw the error of a connection that breaks after the end of the pool.
  handle.$pool.on('error', () => {});
  const end = async (): Promise<void> => {
    if (!handle.$pool.ended) await handle.$pool.end();
  };
  const state = (): Omit<PoolState, 'name'> => {
    const { totalCount, idleCount: idle, waitingCount: waiting } = handle.$pool;
    return { limit: size, idle, busy: totalCount - idle, waiting };
  };
  return { handle, end, state };
}

type Client = IEventContext['client'];

interface StallTimeout extends Required<Pick<IInitOptions, 'query'>> {
  readonly watch: (client: Client) => void;
}

/**
 * Ends a connection that sends no data for this time, ms, while a statement waits for its result. The statement fails,
 * and the pool opens another connection.
 * `query_timeout` of node-postgres is not used, because it keeps each result in memory until the next major garbage
 * collection.
 */
export function stallTimeout(milliseconds: number): StallTimeout {
  const waiting = new WeakSet<Client>();
  return {
    query: ({ client }) => void waiting.add(client),
    watch: (client) => {
      client.on('drain', () => waiting.delete(client));
      const stream: unknown = client.connection.stream;
      if (!(stream instanceof Socket)) return;
      stream.setTimeout(milliseconds, () => {
        if (waiting.has(client)) stream.destroy(new Error('Query read timeout: no data from the database'));
      });
    },
  };
}

const SLOW_MS = 100;

/** Returns a handler of results that reports slow statements; undefined without `onSlow`. */
export function slowReceiver({ onSlow, slowMs = SLOW_MS }: SlowOptions): IInitOptions['receive'] {
  if (onSlow === undefined) return undefined;
  return ({ result, ctx }) => {
    const ms = result?.duration;
    if (ms === undefined || ms < slowMs) return;
    const query: unknown = ctx.query;
    const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : query;
    onSlow({ text: String(text).replaceAll(/\s+/g, ' ').trim(), ms });
  };
}

/** Statement that sets UTC, because statements of operators and migrations may depend on the time zone. */
export const UTC = "set timezone = 'UTC'";

/** Settings of a connection. JIT and parallel workers are off, because the statements take only milliseconds. */
export const TUNING = `set jit = off; set max_parallel_workers_per_gather = 0; ${UTC}`;

/** TLS settings with the host. Without a host, Node would verify the certificate for `localhost`. */
function tlsOf({ ssl, host }: Connection): { ssl?: Exclude<Connection['ssl'], boolean | undefined> } {
  if (ssl === undefined || ssl === false) return {};
  const withHost = { ...(ssl === true ? {} : ssl), host };
  return { ssl: withHost };
}
