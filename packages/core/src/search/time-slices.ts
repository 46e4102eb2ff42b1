import { DomainError } from '../errors.ts';
import { systemTimers } from '../timing/timers.ts';

/** Time after which a search pauses for other work of the process, ms. */
const SLICE_MS = 15;

/** Time limit of one search whose Items are tested in this process. */
export interface SearchClock {
  /** True once the time limit has passed. */
  isOver(): boolean;
  /** Throws `took_too_long` after the time limit; from time to time it also lets other work run. */
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
      await systemTimers.sleep(0);
      sliceEnd = performance.now() + SLICE_MS;
    },
  };
}
