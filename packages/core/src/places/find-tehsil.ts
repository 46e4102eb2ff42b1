import { placeSlug } from '@headwater/stac';
import type { PlaceLookups } from '../ports/lookups.ts';
import type { PlaceStore, TehsilNames } from '../ports/places.ts';
import { findPlace, type PlaceNames } from './find-place.ts';
import { isPlainPlaceName } from './name-check.ts';

/** Where places are looked up. */
export interface PlaceSources {
  readonly places: PlaceStore;
  readonly lookups: PlaceLookups;
}

/** Slugs of a tehsil's names, level by level. */
export type PlainSlugs = Parameters<PlaceLookups['tehsilNamed']>[0];

/** The slugs by which names are found at one look; undefined for names beyond plain ASCII, whose units are found level by level. */
export function plainSlugs({ state, district, tehsil }: PlaceNames): PlainSlugs | undefined {
  if (!isPlainAscii(state) || !isPlainAscii(district) || !isPlainAscii(tehsil)) return undefined;
  return { state: placeSlug(state), district: placeSlug(district), tehsil: placeSlug(tehsil) };
}

/**
 * Finds a tehsil by its names as `findPlace` does, and throws what that throws; its boundary, which can be megabytes, is read only for
 * names beyond plain ASCII. `slugs` are those of the names, where somebody has them.
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

// Of such a name the slug keeps every letter: what has the slug is what is meant.
function isPlainAscii(text: string): boolean {
  return /^[\0-\x7F]{1,200}$/.test(text) && isPlainPlaceName(text);
}
