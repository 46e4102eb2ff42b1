import { setImmediate } from 'node:timers/promises';

/** Time for which a request works before other requests continue, ms. */
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

/** Creates the turns of a map server. One slice at most is worked in each round of the event loop, for all requests together. */
export function createTurns(): Turns {
  let last = Promise.resolve();
  return (signal) => {
    let ends = performance.now() + SLICE_MS;
    return {
      isOver: () => performance.now() >= ends,
      next: async () => {
        last = last.then(async () => await setImmediate());
        await last;
        signal.throwIfAborted();
        ends = performance.now() + SLICE_MS;
      },
    };
  };
}
