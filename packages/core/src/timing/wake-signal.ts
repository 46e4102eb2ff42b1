/** Wakes tasks that sleep in `Timers.sleep`; works like a condition variable. */
export interface WakeSignal {
  /** Aborts at the next wake. Take it before the check that decides on sleeping: a wake during that check then counts. */
  readonly signal: AbortSignal;
  /** Wakes all sleepers on the current signal; later sleepers get a fresh one. */
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
      // Replaced first: a woken task may take the next signal at once.
      next = new AbortController();
      now.abort();
    },
  };
}
