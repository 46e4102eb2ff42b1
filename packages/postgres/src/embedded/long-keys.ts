/** Minimum number of members of an object for caching its keys. Smaller objects are cheap to list and may change. */
const LONG = 1000;

/**
 * Makes `Object.keys` cache its last result for an object with at least 1000 members.
 *
 * For each SQL function that is created, PGlite (0.5.8) looks up two names in PostGIS's library. For each name it lists all exports of the
 * library, to find a number that only threads need. So to create a database, one unchanging object is listed 1,600 times. This takes a
 * third of the time. Use this function only in a process that does nothing else.
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
