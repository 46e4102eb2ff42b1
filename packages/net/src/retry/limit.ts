/** Runs work with a concurrency limit, in the order of the calls. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a limit of `most` simultaneous calls. */
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
