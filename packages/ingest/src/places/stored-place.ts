import { type Place, type PlaceBundle, placeSlug, type PlaceStore } from '@headwater/core';

type Directory = Pick<PlaceStore, 'findState' | 'findDistrict' | 'findTehsil' | 'mwsOf' | 'villagesOf'>;

/** The place of a bundle where the store holds it just so, geometries to the last digit; else undefined. */
export async function storedPlace(store: Directory, bundle: PlaceBundle): Promise<Place | undefined> {
  const state = await store.findState(placeSlug(bundle.state));
  const district = state && (await store.findDistrict(state.id, placeSlug(bundle.district)));
  const tehsil = district && (await store.findTehsil(district.id, placeSlug(bundle.tehsil)));
  if (state === undefined || district === undefined || tehsil === undefined) return undefined;
  if (!isSame(shape(tehsil.geometry), shape(bundle.geometry))) return undefined;
  if (!isSame(byUid(await store.mwsOf(tehsil.id)), byUid(bundle.mws))) return undefined;
  if (!isSame(named(await store.villagesOf(tehsil.id)), named(bundle.villages))) return undefined;
  return { state, district, tehsil };
}

/** Stores sort by their own collation. */
const byUid = (mws: PlaceBundle['mws']): unknown =>
  mws.map(({ uid, geometry }) => [uid, shape(geometry)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));

const named = (villages: PlaceBundle['villages']): unknown =>
  villages.map(({ id, name, geometry }) => [id, name, shape(geometry)]);

/** Members in one order, whatever order they were read in. */
const shape = (geometry: PlaceBundle['geometry']): unknown => geometry && [geometry.type, geometry.coordinates];

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
