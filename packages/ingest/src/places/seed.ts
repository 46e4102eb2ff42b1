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

/** The place of a bundle where the store holds it just so, geometries to the last digit; else undefined. */
async function storedPlace(store: Directory, bundle: PlaceBundle): Promise<Place | undefined> {
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

/** Name of the Earth-observation account that stands for scenes on this server's own disk. */
export const EMBEDDED_ACCOUNT = 'embedded-data';

/** What the first start puts into an empty database, and every later one finds there. */
export interface SeedOptions {
  /** Tehsils as `readPlaces` found them. */
  readonly bundles: readonly PlaceBundle[];
}

/** What the database holds after seeding. */
export interface Seeded {
  readonly places: readonly Place[];
  /** Those among them that were new or had changed; the others were there just so and were not written. */
  readonly saved: readonly Place[];
  /** The account that computing requests name by its id. */
  readonly account: EoAccount;
}

/**
 * Seeds datasets, the tehsils of `bundles` with the units above them, and the embedded Earth-observation account.
 * Safe to run at every start: what is there is kept, the geometries of a tehsil that changed are replaced by the files' ones. An
 * account that an operator hid stays hidden.
 */
export async function seed(
  stores: Pick<DomainStores, 'places' | 'eoAccounts'>,
  { bundles }: SeedOptions,
): Promise<Seeded> {
  await stores.places.seedDatasets(DATASETS);
  return { ...(await savePlaces(stores.places, bundles)), account: await embeddedAccount(stores) };
}

/** DomainStores the tehsils that are new or have changed. */
export async function savePlaces(
  store: PlaceStore,
  bundles: readonly PlaceBundle[],
): Promise<Pick<Seeded, 'places' | 'saved'>> {
  const [places, saved]: [Place[], Place[]] = [[], []];
  for (const bundle of bundles) {
    const known = await storedPlace(store, bundle);
    const place = known ?? (await store.saveBundle(bundle));
    places.push(place);
    if (known === undefined) saved.push(place);
  }
  return { places, saved };
}

async function embeddedAccount({ eoAccounts }: Pick<DomainStores, 'eoAccounts'>): Promise<EoAccount> {
  const known = (await eoAccounts.list()).find(({ name }) => name === EMBEDDED_ACCOUNT);
  return known ?? eoAccounts.create({ name: EMBEDDED_ACCOUNT, accountEmail: null, isVisible: true });
}
