/** Number of simultaneous calls. Small, because other requests also need some of the ten database connections. */
const AT_ONCE = 4;

/**
 * Calls `work` for a few values at a time. Returns the results in the order of the values. Rejects with the first
 * error.
 */
export async function fewAtOnce<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < values.length; from += AT_ONCE)
    results.push(...(await Promise.all(values.slice(from, from + AT_ONCE).map(work))));
  return results;
}
