/** Wakes tasks that sleep in `Timers.sleep`, like a condition variable. */
export interface WakeSignal {
  /** Aborts at the next wake. Read this signal before you check for work, because otherwise a wake can be lost. */
  readonly signal: AbortSignal;
  readonly wake: () => void;
}

/** Builds a wake signal. */
export function createWakeSignal(): WakeSignal {
  let next = new AbortController();
  return {
    get signal() {
      return next.signal;
    },
    wake: () => {
      const now = next;
      // The next signal must exist before the abort, because a woken task may read `signal` immediately.
      next = new AbortController();
      now.abort();
    },
  };
}
