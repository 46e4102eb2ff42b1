/** Caches the result of an async function after its first call, but not a rejection. */
export function memoizeAsync<T>(compute: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  return () => {
    if (cached !== undefined) return cached;
    const pending = compute();
    cached = pending;
    pending.catch(() => {
      cached = undefined;
    });
    return pending;
  };
}
