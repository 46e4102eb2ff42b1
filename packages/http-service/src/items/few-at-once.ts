/** Maximum store calls of one page at a time: the pool has ten connections, which other requests need too. */
const AT_ONCE = 4;

/** Results of `work` for each value, in their order; a few values at a time. Rejects with the first error. */
export async function fewAtOnce<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < values.length; from += AT_ONCE)
    results.push(...(await Promise.all(values.slice(from, from + AT_ONCE).map(work))));
  return results;
}
