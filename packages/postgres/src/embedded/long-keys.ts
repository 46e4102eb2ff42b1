/** Objects with fewer members are listed anew: it costs nothing, and they may change. */
const LONG = 1000;

/**
 * Makes `Object.keys` give the list that it gave before for an object with at least 1000 members.
 *
 * For each function that a database is told of, PGlite (0.5.8) looks up two names in PostGIS's library, and each time lists all its
 * exports to find a number that only threads would need: 1,600 lists of one object that never changes, a third of the time
 * in which a database is made. Only for a process that does nothing else.
 */
export function keepLongKeys(target: Pick<ObjectConstructor, 'keys'>): void {
  const listed = new WeakMap<object, string[]>();
  const { keys } = target;
  target.keys = (value: object): string[] => {
    const known = listed.get(value);
    if (known !== undefined) return known;
    const found = keys(value);
    if (found.length >= LONG) listed.set(value, found);
    return found;
  };
}
