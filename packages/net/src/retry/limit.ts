/** Runs work with a concurrency limit; waiting work starts in order. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a limit of `most` concurrent pieces of work. */
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
