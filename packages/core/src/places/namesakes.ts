import { placeSlug } from '@headwater/stac';
import type { Place, TehsilNames } from '../ports/places.ts';

const shortName = (district: string, tehsil: string): string => `${placeSlug(district)}_${placeSlug(tehsil)}`;

/** True where another tehsil's layers would have the same names, made of district and block. */
export function isShared({ district, tehsil }: Place, namesakes: readonly TehsilNames[]): boolean {
  const own = shortName(district.name, tehsil.name);
  return namesakes.some((other) => shortName(other.district, other.tehsil) === own);
}

/**
 * Why a place cannot have names of its own, as the rest of a sentence that begins with its name: with another tehsil, state,
 * district and block join to one text. Undefined for all other places.
 */
export function ambiguity({ state, district, tehsil }: Place, namesakes: readonly TehsilNames[]): string | undefined {
  const own = `${placeSlug(state.name)}_${shortName(district.name, tehsil.name)}`;
  const twin = namesakes.find(
    (other) => `${placeSlug(other.state)}_${shortName(other.district, other.tehsil)}` === own,
  );
  if (twin === undefined) return undefined;
  return (
    `(${district.name}, ${state.name}) and ${twin.tehsil} (${twin.district}, ${twin.state}) would both be named "${own}"; ` +
    'rename one of the two in the place directory.'
  );
}
