import type { EoAccount, Place, PlaceBundle, Stores } from '@headwater/core';
import { DATASETS } from './datasets.ts';

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
  /** The account that computing requests name by its id. */
  readonly account: EoAccount;
}

/**
 * Seeds datasets, the tehsils of `bundles` with the units above them, and the embedded Earth-observation account.
 * Safe to run at every start: what is there is kept, a tehsil's geometries are replaced by the files' ones. An account that
 * an operator hid stays hidden.
 */
export async function seed(stores: Pick<Stores, 'places' | 'eoAccounts'>, { bundles }: SeedOptions): Promise<Seeded> {
  await stores.places.seedDatasets(DATASETS);
  const places: Place[] = [];
  for (const bundle of bundles) places.push(await stores.places.saveBundle(bundle));
  return { places, account: await embeddedAccount(stores) };
}

async function embeddedAccount({ eoAccounts }: Pick<Stores, 'eoAccounts'>): Promise<EoAccount> {
  const known = (await eoAccounts.list()).find(({ name }) => name === EMBEDDED_ACCOUNT);
  return known ?? eoAccounts.create({ name: EMBEDDED_ACCOUNT, accountEmail: null, isVisible: true });
}
