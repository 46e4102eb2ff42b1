/** Minimum number of members of a cached object; smaller ones are cheap to list and may change. */
const LONG = 1000;

/**
 * Makes `Object.keys` cache its last result for an object with at least 1000 members.
 *
 * For each SQL function that is created, PGlite (0.5.8) looks up two names in PostGIS's library, and each time lists all its exports to find
 * a number that only threads need. Creating a database lists one unchanging object 1,600 times, a third of its time. Use this only
 * in a process that does nothing else.
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
