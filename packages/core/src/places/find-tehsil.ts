import { placeSlug } from '@headwater/stac';
import type { PlaceLookups } from '../ports/lookups.ts';
import type { PlaceStore, TehsilNames } from '../ports/places.ts';
import { findPlace, type PlaceNames } from './find-place.ts';
import { isPlainPlaceName } from './name-check.ts';

/** Stores in which places are searched. */
export interface PlaceSources {
  readonly places: PlaceStore;
  readonly lookups: PlaceLookups;
}

/** Slugs of a tehsil's names, level by level. */
export type PlainSlugs = Parameters<PlaceLookups['tehsilNamed']>[0];

/**
 * Slugs by which one query finds a tehsil; undefined for names that are not plain ASCII. `findTehsil` searches such names level by level.
 */
export function plainSlugs({ state, district, tehsil }: PlaceNames): PlainSlugs | undefined {
  if (!isPlainAscii(state) || !isPlainAscii(district) || !isPlainAscii(tehsil)) return undefined;
  return { state: placeSlug(state), district: placeSlug(district), tehsil: placeSlug(tehsil) };
}

/**
 * Finds a tehsil by its names like `findPlace`, with the same errors. The tehsil's boundary, which can have megabytes, is read only if the
 * names are not plain ASCII. `slugs` are the slugs of `names`, if the caller already has them.
 */
export async function findTehsil(
  { places, lookups }: PlaceSources,
  names: PlaceNames,
  slugs: PlainSlugs | undefined = plainSlugs(names),
): Promise<TehsilNames> {
  const known = slugs && (await lookups.tehsilNamed(slugs));
  if (known !== undefined) return known;
  const { state, district, tehsil } = await findPlace(places, names);
  return { tehsilId: tehsil.id, state: state.name, district: district.name, tehsil: tehsil.name };
}

// The slug of a plain ASCII name contains every letter of the name. So if a unit has this slug, its name has the same letters, and the
// letters need not be compared.
function isPlainAscii(text: string): boolean {
  return /^[\0-\x7F]{1,200}$/.test(text) && isPlainPlaceName(text);
}
