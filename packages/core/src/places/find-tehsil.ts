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

/**
 * Finds a tehsil by its names as `findPlace` does, and throws what that throws; its boundary, which can be megabytes, is read only for
 * names beyond plain ASCII.
 */
export async function findTehsil({ places, lookups }: PlaceSources, names: PlaceNames): Promise<TehsilNames> {
  const known = Object.values(names).every(isPlainAscii)
    ? await lookups.tehsilNamed({
        state: placeSlug(names.state),
        district: placeSlug(names.district),
        tehsil: placeSlug(names.tehsil),
      })
    : undefined;
  if (known !== undefined) return known;
  const { state, district, tehsil } = await findPlace(places, names);
  return { tehsilId: tehsil.id, state: state.name, district: district.name, tehsil: tehsil.name };
}

// Of such a name the slug keeps every letter: what has the slug is what is meant.
function isPlainAscii(text: string): boolean {
  return /^[\0-\x7F]{1,200}$/.test(text) && isPlainPlaceName(text);
}
