import type { EoAccount, Place, PlaceBundle, PlaceStore, DomainStores } from '@headwater/core';
import { DATASETS } from './datasets.ts';
import { storedPlace } from './stored-place.ts';

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
