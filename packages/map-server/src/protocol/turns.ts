import { setImmediate as nextRound } from 'node:timers/promises';

/** Length of a slice, ms. All requests together work for this time before the event loop continues. */
const SLICE_MS = 20;

/**
 * Divides long work of a request into slices. Between two slices, other requests continue: `if (turn.isOver()) await
 * turn.next();`. The work is not moved to another thread, because its input is large tables in the memory of this
 * thread; a copy for another thread would need the same memory again.
 */
export interface Turn {
  /** True if the slice has ended. */
  isOver(): boolean;
  /** Resolves when the next slice begins. Throws if the client has closed its connection, so that the work stops. */
  next(): Promise<void>;
}

/** Creates the turn of a request. `signal` aborts if the client closes its connection. */
export type Turns = (signal: AbortSignal) => Turn;

/**
 * Creates the turns of a map server. In each round of the event loop, all requests together work for one slice. If this
 * slice has ended, a request waits for the next round, one request after the other. A request that has waited gets a
 * whole slice.
 */
export function createTurns(): Turns {
  let last = Promise.resolve();
  let ends: number | undefined;
  const begin = (): number => {
    const end = performance.now() + SLICE_MS;
    ends = end;
    setImmediate(() => {
      if (ends === end) ends = undefined;
    });
    return end;
  };
  return (signal) => ({
    isOver: () => performance.now() >= (ends ?? begin()),
    next: async () => {
      last = last.then(async () => await nextRound());
      await last;
      signal.throwIfAborted();
      begin();
    },
  });
}
