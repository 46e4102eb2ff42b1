import { Socket } from 'node:net';
import type { IEventContext, IInitOptions } from 'pg-promise';

type Client = IEventContext['client'];

/** What a pool tells of its connections. */
export interface SilenceLimit extends Required<Pick<IInitOptions, 'query'>> {
  /** Called with each new connection. */
  readonly watch: (client: Client) => void;
}

/**
 * Ends connections whose database says nothing for so many ms while a statement waits for it, as after a network went silent: the statement
 * fails, and the pool opens another. A connection that nothing waits for may be silent for ever.
 *
 * node-postgres has `query_timeout` for it, but every answer of a client that has it lives until the next major garbage collection,
 * which pages of Items make a hundred times a second: each minor collection then copies megabytes instead of none. Measured with
 * pg 8.22 and Node 24 (`--trace-gc`).
 */
export function silenceLimit(milliseconds: number): SilenceLimit {
  const waiting = new WeakSet<Client>();
  return {
    query: ({ client }) => void waiting.add(client),
    watch: (client) => {
      client.on('drain', () => waiting.delete(client));
      const stream: unknown = client.connection.stream;
      if (!(stream instanceof Socket)) return;
      stream.setTimeout(milliseconds, () => {
        if (waiting.has(client)) stream.destroy(new Error('Query read timeout: the database said nothing'));
      });
    },
  };
}
