/** Runs work with a concurrency limit. Work above the limit waits, and starts in the order of the calls. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a function that runs at most `most` pieces of work at the same time. */
export function createLimit(most: number): Limit {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
