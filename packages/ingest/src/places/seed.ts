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

/**
 * Returns the stored place if it equals the bundle (the parts of a tehsil that were read from files), otherwise undefined. Compares
 * geometries to the last digit. For a tehsil in `imported`, ignores empty lists of the bundle, because empty lists do not replace
 * the stored lists.
 */
async function storedPlace(
  store: Directory,
  bundle: PlaceBundle,
  imported: ReadonlySet<number>,
): Promise<Place | undefined> {
  const state = await store.findState(placeSlug(bundle.state));
  const district = state && (await store.findDistrict(state.id, placeSlug(bundle.district)));
  const tehsil = district && (await store.findTehsil(district.id, placeSlug(bundle.tehsil)));
  if (state === undefined || district === undefined || tehsil === undefined) return undefined;
  if (!isSame(shape(tehsil.geometry), shape(bundle.geometry))) return undefined;
  const replaces = (part: readonly unknown[]): boolean => !imported.has(tehsil.id) || part.length > 0;
  if (replaces(bundle.mws) && !isSame(byUid(await store.mwsOf(tehsil.id)), byUid(bundle.mws))) return undefined;
  if (replaces(bundle.villages) && !isSame(named(await store.villagesOf(tehsil.id)), named(bundle.villages)))
    return undefined;
  return { state, district, tehsil };
}

/** Sorts micro-watersheds by uid, because a store may return them in an order other than that of the file. */
const byUid = (mws: PlaceBundle['mws']): unknown =>
  mws.map(({ uid, geometry }) => [uid, shape(geometry)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));

const named = (villages: PlaceBundle['villages']): unknown =>
  villages.map(({ id, name, geometry }) => [id, name, shape(geometry)]);

/** Type and coordinates of a geometry, to compare geometries whose members have different orders. */
const shape = (geometry: PlaceBundle['geometry']): unknown => geometry && [geometry.type, geometry.coordinates];

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Name of the Earth-observation account for scenes on the disk of this server. */
export const EMBEDDED_ACCOUNT = 'embedded-data';

/** Contents to store. Each start of the server compares them with the database. */
export interface SeedOptions {
  /** Tehsils that `readPlaces` returned. */
  readonly bundles: readonly PlaceBundle[];
}

/** Result of seeding. */
export interface Seeded {
  readonly places: readonly Place[];
  /** The places that were written, because they were new or changed. */
  readonly saved: readonly Place[];
  /** The embedded account. Requests for computations contain its id. */
  readonly account: EoAccount;
}

/**
 * Stores the datasets, the tehsils of `bundles` with the units above them, and the embedded Earth-observation account.
 * Can run at every start, because existing rows remain. For a changed tehsil, the geometries of its files replace the
 * stored geometries. If the files of an imported tehsil have no micro-watersheds or no villages, the stored
 * micro-watersheds or villages remain. An account that an operator has hidden remains hidden.
 */
export async function seed(
  stores: Pick<DomainStores, 'places' | 'eoAccounts'>,
  { bundles }: SeedOptions,
): Promise<Seeded> {
  // The server already listens, and storing many places takes minutes. The account is stored first, so that a request
  // for a place that is already stored finds the account.
  const account = await embeddedAccount(stores);
  await stores.places.seedDatasets(DATASETS);
  return { ...(await savePlaces(stores.places, bundles)), account };
}

/** Stores the tehsils that are new or have changed. */
export async function savePlaces(
  store: PlaceStore,
  bundles: readonly PlaceBundle[],
): Promise<Pick<Seeded, 'places' | 'saved'>> {
  const [places, saved]: [Place[], Place[]] = [[], []];
  const imported = new Set(await store.importedTehsils());
  for (const bundle of bundles) {
    const known = await storedPlace(store, bundle, imported);
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
