import { DomainError } from '../errors.ts';
import { ownTurn } from '../timing/timers.ts';

/**
 * Longest time for which a search computes without a pause, ms. It is short, because a sign-in needs about twenty turns
 * of the event loop, and may wait for one such slice in each turn.
 */
const SLICE_MS = 5;

/** Time limit of one search whose Items are tested in this process. */
export interface SearchClock {
  isOver(): boolean;
  /** Throws `took_too_long` after the time limit. Pauses for other work after each `SLICE_MS`. */
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
