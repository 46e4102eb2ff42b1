import { setImmediate as nextRound } from 'node:timers/promises';

/** Length of a slice, ms. All requests together work for this time before the event loop continues. */
const SLICE_MS = 20;

/**
 * Divides long work of a request into slices. Between two slices, other requests continue: `if (turn.isOver()) await
 * turn.next();`. The work stays in this thread, because its input is tables in the memory of this thread. A copy for
 * another thread would need the same memory again.
 */
export interface Turn {
  /** True if the slice has ended. */
  isOver(): boolean;
  /** Resolves when the next slice begins. Throws if the client has closed its connection. So the work stops. */
  next(): Promise<void>;
}

/** Begins the work of a request. */
export type Turns = (signal: AbortSignal) => Turn;

/**
 * Creates the turns of a map server. All requests together work one slice in each round of the event loop. If the slice
 * of the round has ended, a new request waits for its turn. A request that has waited gets a whole slice.
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
