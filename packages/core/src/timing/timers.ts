/** Timers, passed as a parameter so that tests can control the time. */
export interface Timers {
  /** Resolves after `ms`, or as soon as `signal` aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Timers of the JavaScript runtime. */
export const systemTimers: Timers = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

/** Waits until `work` ends, at most `ms` milliseconds. Rejects if `work` rejects during this time. */
export async function within(timers: Timers, ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const done = new AbortController();
  try {
    await Promise.race([work, timers.sleep(ms, done.signal)]);
  } finally {
    done.abort();
  }
}

let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for an iteration of the event loop in which no other call of this function resolves. Long work calls it between
 * its pieces, so that requests are not delayed.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => systemTimers.sleep(0));
  return lastTurn;
}
