/** Objects with fewer members are listed anew: it costs nothing, and they may change. */
const LONG = 1000;

/**
 * Makes `Object.keys` give the list that it gave before where the same object with at least 1000 members is asked for again. One list is
 * kept, the last.
 *
 * For each function that a database is told of, PGlite (0.5.8) looks up two names in PostGIS's library, and each time lists all its
 * exports to find a number that only threads would need: 1,600 lists of one object that never changes, a third of the time
 * in which a database is made. Only for a process that does nothing else.
 */
export function keepLongKeys(target: Pick<ObjectConstructor, 'keys'>): void {
  let last: { readonly value: object; readonly found: string[] } | undefined;
  const { keys } = target;
  target.keys = (value: object): string[] => {
    if (last?.value === value) return last.found;
    const found = keys(value);
    if (found.length >= LONG) last = { value, found };
    return found;
  };
}
