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

/** Returns the slugs for `tehsilNamed`; undefined for names that are not plain ASCII. */
export function plainSlugs({ state, district, tehsil }: PlaceNames): PlainSlugs | undefined {
  if (!isPlainAscii(state) || !isPlainAscii(district) || !isPlainAscii(tehsil)) return undefined;
  return { state: placeSlug(state), district: placeSlug(district), tehsil: placeSlug(tehsil) };
}

/**
 * Finds a tehsil like `findPlace`, but reads no boundary for plain ASCII names. `slugs` are the slugs of `names`, if
 * the caller already has them.
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

// True for a plain ASCII name. Its slug contains all its letters, so it is enough to compare slugs.
function isPlainAscii(text: string): boolean {
  return /^[\0-\x7F]{1,200}$/.test(text) && isPlainPlaceName(text);
}
