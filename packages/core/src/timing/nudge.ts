/** Wakes whoever sleeps: a condition variable for `Timers.sleep`. */
export interface Nudge {
  /** Aborts at the next poke. Take it before the look that decides on sleeping: a poke during that look then counts. */
  readonly signal: AbortSignal;
  /** Wakes everybody who sleeps on the signal of now; later sleepers get a fresh one. */
  readonly poke: () => void;
}

/** A nudge that nobody has given yet. */
export function createNudge(): Nudge {
  let next = new AbortController();
  return {
    get signal() {
      return next.signal;
    },
    poke: () => {
      const now = next;
      // Replaced first: who is woken may take the next signal at once.
      next = new AbortController();
      now.abort();
    },
  };
}
