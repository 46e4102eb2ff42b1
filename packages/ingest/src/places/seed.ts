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
 * Stored place if it equals the bundle. Geometries are compared to the last digit. Empty lists of the bundle are not
 * compared for an imported tehsil, because they replace nothing.
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

const byUid = (mws: PlaceBundle['mws']): unknown =>
  mws.map(({ uid, geometry }) => [uid, shape(geometry)] as const).toSorted(([a], [b]) => (a < b ? -1 : 1));

const named = (villages: PlaceBundle['villages']): unknown =>
  villages.map(({ id, name, geometry }) => [id, name, shape(geometry)]);

const shape = (geometry: PlaceBundle['geometry']): unknown => geometry && [geometry.type, geometry.coordinates];

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Name of the account for scenes on the disk of this server. */
export const EMBEDDED_ACCOUNT = 'embedded-data';

/** Contents to store, compared with the database at each start. */
export interface SeedOptions {
  /** Tehsils that `readPlaces` returned. */
  readonly bundles: readonly PlaceBundle[];
}

/** Result of seeding. */
export interface Seeded {
  readonly places: readonly Place[];
  /** New or changed places. */
  readonly saved: readonly Place[];
  /** Embedded account, whose id is in requests for computations. */
  readonly account: EoAccount;
}

/**
 * Stores the datasets, the tehsils with the units above, and the embedded account; can run at every start. Files
 * replace the stored geometries, but an imported tehsil keeps parts that its files lack.
 */
export async function seed(
  stores: Pick<DomainStores, 'places' | 'eoAccounts'>,
  { bundles }: SeedOptions,
): Promise<Seeded> {
  // The account is stored first, because storing many places takes minutes, and requests for stored places need the
  // account.
  const account = await embeddedAccount(stores);
  await stores.places.seedDatasets(DATASETS);
  return { ...(await savePlaces(stores.places, bundles)), account };
}

/** Stores new and changed tehsils. */
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
