/**
 * Minimum number of members of a cached object. The exports of PostGIS have more. Smaller objects are not cached, so
 * their lists are never out of date.
 */
const LONG = 1000;

/**
 * Makes `Object.keys` cache its last result for an object with at least 1000 members.
 * PGlite 0.5.8 lists the exports of PostGIS 1,600 times while it creates a database. Use this function only in a
 * process that does nothing else, because a cached list may be out of date.
 */
export function cacheLongKeys(target: Pick<ObjectConstructor, 'keys'>): void {
  let last: { readonly value: object; readonly found: string[] } | undefined;
  const { keys } = target;
  target.keys = (value: object): string[] => {
    if (last?.value === value) return last.found;
    const found = keys(value);
    if (found.length >= LONG) last = { value, found };
    return found;
  };
}
