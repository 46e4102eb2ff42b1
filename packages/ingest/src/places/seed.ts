import {
  type DomainStores,
  type EoAccount,
  type Place,
  type PlaceBundle,
  placeSlug,
  type PlaceStore,
} from '@headwater/core';
import { DATASETS } from './datasets.ts';

type Directory = Pick<PlaceStore, 'findState' | 'findDistrict' | 'findTehsil' | 'mwsOf' | 'villagesOf'>;

/** The stored place of the names of a bundle. */
async function placeOf(store: Directory, bundle: PlaceBundle): Promise<Place | undefined> {
  const state = await store.findState(placeSlug(bundle.state));
  const district = state && (await store.findDistrict(state.id, placeSlug(bundle.district)));
  const tehsil = district && (await store.findTehsil(district.id, placeSlug(bundle.tehsil)));
  return state && district && tehsil && { state, district, tehsil };
}

/** True if a stored place is equal to a bundle, geometries to the last digit. */
async function isStored(store: Directory, { tehsil }: Place, bundle: PlaceBundle): Promise<boolean> {
  if (!isSame(shape(tehsil.geometry), shape(bundle.geometry))) return false;
  if (!isSame(byUid(await store.mwsOf(tehsil.id)), byUid(bundle.mws))) return false;
  return isSame(named(await store.villagesOf(tehsil.id)), named(bundle.villages));
}

/** The bundle with the stored micro-watersheds (villages) of a tehsil, if the files have none. */
async function withStored(store: Directory, tehsilId: number, bundle: PlaceBundle): Promise<PlaceBundle> {
  return {
    ...bundle,
    mws: bundle.mws.length > 0 ? bundle.mws : await store.mwsOf(tehsilId),
    villages: bundle.villages.length > 0 ? bundle.villages : await store.villagesOf(tehsilId),
  };
}

/** Sorted here, because stores sort by their own collation. */
const byUid = (mws: PlaceBundle['mws']): unknown =>
  mws.map(({ uid, geometry }) => [uid, shape(geometry)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));

const named = (villages: PlaceBundle['villages']): unknown =>
  villages.map(({ id, name, geometry }) => [id, name, shape(geometry)]);

/** Type and coordinates of a geometry, independent of the order of its members. */
const shape = (geometry: PlaceBundle['geometry']): unknown => geometry && [geometry.type, geometry.coordinates];

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Name of the Earth-observation account for scenes on this server's own disk. */
export const EMBEDDED_ACCOUNT = 'embedded-data';

/** Contents for an empty database; later starts compare with it. */
export interface SeedOptions {
  /** Tehsils from `readPlaces`. */
  readonly bundles: readonly PlaceBundle[];
}

/** Contents of the database after seeding. */
export interface Seeded {
  readonly places: readonly Place[];
  /** Places among them that were new or changed; the others were not written. */
  readonly saved: readonly Place[];
  /** The account whose id computing requests name. */
  readonly account: EoAccount;
}

/**
 * Seeds datasets, the tehsils of `bundles` with the units above them, and the embedded Earth-observation account.
 * Safe to run at every start: existing rows remain, and the geometries of a changed tehsil are replaced by those of the files. An
 * account that an operator has hidden remains hidden.
 */
export async function seed(
  stores: Pick<DomainStores, 'places' | 'eoAccounts'>,
  { bundles }: SeedOptions,
): Promise<Seeded> {
  await stores.places.seedDatasets(DATASETS);
  return { ...(await savePlaces(stores.places, bundles)), account: await embeddedAccount(stores) };
}

/**
 * Stores the tehsils that are new or have changed. Micro-watersheds and villages of a tehsil that an import changed stay if the files have
 * none.
 */
export async function savePlaces(
  store: PlaceStore,
  bundles: readonly PlaceBundle[],
): Promise<Pick<Seeded, 'places' | 'saved'>> {
  const [places, saved]: [Place[], Place[]] = [[], []];
  const imported = new Set(await store.importedTehsils());
  for (const read of bundles) {
    const known = await placeOf(store, read);
    const keeps = known !== undefined && imported.has(known.tehsil.id);
    const bundle = keeps ? await withStored(store, known.tehsil.id, read) : read;
    const isSaved = known === undefined || !(await isStored(store, known, bundle));
    const place = isSaved ? await store.saveBundle(bundle) : known;
    places.push(place);
    if (isSaved) saved.push(place);
  }
  return { places, saved };
}

async function embeddedAccount({ eoAccounts }: Pick<DomainStores, 'eoAccounts'>): Promise<EoAccount> {
  const known = (await eoAccounts.list()).find(({ name }) => name === EMBEDDED_ACCOUNT);
  return known ?? eoAccounts.create({ name: EMBEDDED_ACCOUNT, accountEmail: null, isVisible: true });
}
