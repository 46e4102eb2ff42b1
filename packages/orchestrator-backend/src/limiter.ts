/** A concurrency limit with a queue. */
export interface Limiter {
  /** Runs work when a slot is free. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when a slot is free. */
  ready(): Promise<void>;
  /**
   * Frees the slot during `wait`, then waits for a slot again. New work has priority, but every fourth slot goes to
   * returning work. Aborted work counts as new, because it ends soon.
   */
  withoutSlot(wait: () => Promise<void>, signal?: AbortSignal): Promise<void>;
}

const RETURNING_EVERY = 4;

/** Creates a limiter with `most` slots. */
export function createLimiter(most: number): Limiter {
  let busy = 0;
  let freed = 0;
  const waiting: (() => void)[] = [];
  const returning: (() => void)[] = [];
  const take = async (): Promise<void> => {
    if (busy >= most) await new Promise<void>((settle) => waiting.push(settle));
    else busy += 1;
  };
  const retake = async (signal: AbortSignal | undefined): Promise<void> => {
    const countAsNew = (): void => {
      const at = returning.indexOf(granted);
      if (at >= 0) waiting.push(...returning.splice(at, 1));
    };
    const { promise, resolve: granted } = Promise.withResolvers<void>();
    if (busy < most) return await take();
    (signal?.aborted === true ? waiting : returning).push(granted);
    signal?.addEventListener('abort', countAsNew, { once: true });
    await promise;
    signal?.removeEventListener('abort', countAsNew);
  };
  const release = (): void => {
    freed = (freed + 1) % RETURNING_EVERY;
    const [first, second] = freed === 0 ? [returning, waiting] : [waiting, returning];
    const next = first.shift() ?? second.shift();
    // The next work gets the freed slot.
    if (next === undefined) busy -= 1;
    else next();
  };
  return {
    run: async (work) => {
      await take();
      try {
        return await work();
      } finally {
        release();
      }
    },
    ready: async () => {
      await take();
      release();
    },
    withoutSlot: async (wait, signal) => {
      release();
      try {
        await wait();
      } finally {
        await retake(signal);
      }
    },
  };
}
