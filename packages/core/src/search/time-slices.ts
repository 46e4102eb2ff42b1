import { DomainError } from '../errors.ts';
import { ownTurn } from '../timing/timers.ts';

/**
 * Time after which a search pauses for other work of the process, ms. A sign-in needs about twenty iterations of the
 * event loop, and in each of them it may wait for a search for this time. With 15 ms, a sign-in took three times as
 * long.
 */
const SLICE_MS = 5;

/** Time limit of one search whose Items are tested in this process. */
export interface SearchClock {
  /** True if the time limit has passed. */
  isOver(): boolean;
  /**
   * Throws `took_too_long` after the time limit. If the search has worked for `SLICE_MS` since its last pause, also
   * pauses for other work.
   */
  tick(): Promise<void>;
}

/** Starts the time limit of a search. */
export function searchClock(timeoutMs: number): SearchClock {
  const end = performance.now() + timeoutMs;
  let sliceEnd = performance.now() + SLICE_MS;
  const isOver = (): boolean => performance.now() > end;
  return {
    isOver,
    tick: async () => {
      if (performance.now() < sliceEnd) return;
      if (isOver()) {
        const seconds = timeoutMs / 1000;
        throw new DomainError('took_too_long', `The search was stopped after ${seconds} s: narrow it`, {
          details: { seconds },
        });
      }
      await ownTurn();
      sliceEnd = performance.now() + SLICE_MS;
    },
  };
}
