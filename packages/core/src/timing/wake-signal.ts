/** Wakes tasks that sleep in `Timers.sleep`; works like a condition variable. */
export interface WakeSignal {
  /**
   * Aborts at the next wake. Read this property before you check if there is work. Then a wake during the check also ends the
   * sleep.
   */
  readonly signal: AbortSignal;
  /** Aborts the current signal, which wakes all tasks that sleep on it. Later tasks get a new signal. */
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
      // The new signal must exist before the old signal aborts, because a woken task may read `signal` immediately.
      next = new AbortController();
      now.abort();
    },
  };
}
