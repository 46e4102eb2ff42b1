/** Timers, injected so that tests control the passing of time. */
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

/** Waits for `work`, at most `ms`; rejects if `work` rejects in that time. */
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
 * Waits for a turn of the event loop in which no other long piece of work runs. All long work of the process shares these turns, so that
 * a request waits for one piece of it at a time, not for all.
 */
export function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => systemTimers.sleep(0));
  return lastTurn;
}
