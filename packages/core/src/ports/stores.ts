import type { EoAccountStore } from './eo-accounts.ts';
import type { InstallationStore, RunChanges } from './installation.ts';
import type { JobStore } from './jobs.ts';
import type { PlaceLookups } from './lookups.ts';
import type { PlaceStore } from './places.ts';
import type { CatalogStore } from './catalog.ts';
import type { RunStore } from './runs.ts';
import type { DataStore } from './tables.ts';
import type { ItemSearch } from './item-search.ts';

/** Stores of the domain in one database; `Stores` of `@headwater/identity` adds those of accounts. */
export interface DomainStores {
  readonly eoAccounts: EoAccountStore;
  readonly places: PlaceStore;
  readonly lookups: PlaceLookups;
  readonly runs: RunStore;
  readonly jobs: JobStore;
  readonly catalog: CatalogStore;
  readonly search: ItemSearch;
  readonly data: DataStore;
  readonly installation: InstallationStore;
  readonly changes: RunChanges;
  /** Round trip to the database; throws `unavailable` if it does not answer. Returns its kind and version. */
  ping(): Promise<{ readonly kind: 'memory' | 'embedded' | 'postgresql'; readonly version: string }>;
  close(): Promise<void>;
}
