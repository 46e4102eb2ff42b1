/** Wakes whoever sleeps: a condition variable for `Timers.sleep`. */
export interface WakeSignal {
  /** Aborts at the next wake. Take it before the look that decides on sleeping: a wake during that look then counts. */
  readonly signal: AbortSignal;
  /** Wakes everybody who sleeps on the signal of now; later sleepers get a fresh one. */
  readonly wake: () => void;
}

/** A nudge that nobody has given yet. */
export function createWakeSignal(): WakeSignal {
  let next = new AbortController();
  return {
    get signal() {
      return next.signal;
    },
    wake: () => {
      const now = next;
      // Replaced first: who is woken may take the next signal at once.
      next = new AbortController();
      now.abort();
    },
  };
}
