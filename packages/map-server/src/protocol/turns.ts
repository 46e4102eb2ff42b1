import { setImmediate as nextRound } from 'node:timers/promises';

/** Time for which requests work before the event loop continues, ms. */
const SLICE_MS = 20;

/**
 * Divides long work of a request into slices, between which other requests continue:
 * `if (turn.isOver()) await turn.next();`. The work stays in this thread, because its inputs are tables in the memory
 * of this thread, and a copy for another thread would need as much memory again.
 */
export interface Turn {
  /** True if the slice has ended. */
  isOver(): boolean;
  /** Resolves when the next slice begins. Throws if the client has closed its connection, so that the work stops. */
  next(): Promise<void>;
}

/** Begins the work of a request. */
export type Turns = (signal: AbortSignal) => Turn;

/**
 * Creates the turns of a map server. All requests together work one slice in each round of the event loop: a request that begins in
 * a round whose slice has ended waits for its turn. A request that has waited gets a whole slice.
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
