/**
 * Number of members from which the keys of an object are cached. Smaller objects are not cached, because they are cheap
 * to list and may change.
 */
const LONG = 1000;

/**
 * Makes `Object.keys` cache its last result for an object with at least 1000 members.
 *
 * For each SQL function that is created, PGlite (0.5.8) looks up two names in PostGIS's library. For each name PGlite lists all exports of
 * the library, to find a number that only threads need. So the creation of a database lists one unchanging object 1,600 times, which takes
 * a third of the time. Use this function only in a process that only creates a database, because a cached list would be wrong for an
 * object that changes.
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
