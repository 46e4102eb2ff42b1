/** The keys that were added last. */
export interface RecentKeys {
  has(key: string): boolean;
  add(key: string): void;
}

/** Keeps at most `limit` keys; the one that was added longest ago goes first. */
export function createRecentKeys(limit: number): RecentKeys {
  const keys = new Set<string>();
  return {
    has: (key) => keys.has(key),
    add: (key) => {
      keys.delete(key);
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > limit && oldest !== undefined) keys.delete(oldest);
    },
  };
}
