/** Runs work, at most so many pieces at once; others wait in their order. */
export type Limit = <T>(work: () => Promise<T>) => Promise<T>;

/** A limit of `most` pieces of work at once. */
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
