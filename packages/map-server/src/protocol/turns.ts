import { setImmediate as nextRound } from 'node:timers/promises';

/** Length of a time slice, which all requests share, ms. */
const SLICE_MS = 20;

/**
 * Divides long work of a request into time slices, so that other requests continue: `if (turn.isOver()) await
 * turn.next();`. Such work does not run in another thread, because the thread would need a copy of the large tables.
 */
export interface Turn {
  /** True if the slice has ended. */
  isOver(): boolean;
  /** Resolves when the next slice begins. Throws if the client has closed its connection. */
  next(): Promise<void>;
}

/** Creates the time slices of a request. `signal` aborts if the client closes its connection. */
export type Turns = (signal: AbortSignal) => Turn;

/**
 * Creates the time slices of a map server. In each round of the event loop, all requests share one slice. After the
 * slice, requests wait in a queue, from which one request continues in each round.
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
