/** A concurrency limit. Work above the limit waits in a queue. */
export interface Limiter {
  /** Runs work when a slot is free; resolves or rejects with its result. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves as soon as further work would start without waiting. */
  ready(): Promise<void>;
  /**
   * Frees the slot of running work during `wait`. After `wait`, the work needs a slot again. New work has priority, but every fourth free
   * slot goes to work that returns from a wait. Work whose signal has aborted counts as new, because it ends soon.
   */
  withoutSlot(wait: () => Promise<void>, signal?: AbortSignal): Promise<void>;
}

/** Every fourth slot that becomes free goes to work that returns from a wait, if there is such work. */
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
    // The next work gets the freed slot, so the number of busy slots does not change.
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
