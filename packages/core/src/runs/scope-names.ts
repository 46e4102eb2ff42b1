import type { PlaceStore } from '../ports/places.ts';

/** Reads the names of tehsils with one query. Returns a function that formats a tehsil's name with its district. */
export async function tehsilNames(
  places: Pick<PlaceStore, 'namesOf'>,
  tehsilIds: readonly number[],
): Promise<(tehsilId: number, form?: 'comma' | 'brackets') => string> {
  const found = tehsilIds.length === 0 ? [] : await places.namesOf(tehsilIds);
  const names = new Map(found.map((each) => [each.tehsilId, each] as const));
  return (tehsilId, form = 'comma') => {
    const name = names.get(tehsilId);
    if (name === undefined) return `tehsil ${tehsilId}`;
    return form === 'comma' ? `${name.tehsil}, ${name.district}` : `${name.tehsil} (${name.district})`;
  };
}
