import { Socket } from 'node:net';
import type { IEventContext, IInitOptions } from 'pg-promise';

type Client = IEventContext['client'];

/** Callbacks of a pool for its connections. */
export interface StallTimeout extends Required<Pick<IInitOptions, 'query'>> {
  /** Called for each new connection. */
  readonly watch: (client: Client) => void;
}

/**
 * Ends connections that send no data for this time, ms, while a statement waits. This happens after a network failure. The statement
 * fails, and the pool opens another connection. An idle connection may stay idle without a limit.
 *
 * node-postgres has `query_timeout` for this, but with it every result of a client stays in memory until the next major garbage collection;
 * pages of Items create a hundred a second, so each minor collection then copies megabytes instead of none. Measured with
 * pg 8.22 and Node 24 (`--trace-gc`).
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
