import type { EoAccountStore } from './eo-accounts.ts';
import type { EoExportStore } from './eo-exports.ts';
import type { InstallationStore, RunChanges } from './installation.ts';
import type { JobStore } from './jobs.ts';
import type { PlaceLookups } from './lookups.ts';
import type { OperatorLists } from './operator-lists.ts';
import type { PlaceStore } from './places.ts';
import type { SceneUseStore } from './scene-uses.ts';
import type { CatalogStore } from './catalog.ts';
import type { RunStore } from './runs.ts';
import type { DataStore } from './tables.ts';
import type { ItemSearch } from './item-search.ts';

/** Stores of the domain in one database. `Stores` of `@headwater/identity` adds the stores of accounts. */
export interface DomainStores {
  readonly eoAccounts: EoAccountStore;
  readonly eoExports: EoExportStore;
  readonly sceneUses: SceneUseStore;
  readonly places: PlaceStore;
  readonly lookups: PlaceLookups;
  readonly runs: RunStore;
  readonly jobs: JobStore;
  readonly catalog: CatalogStore;
  readonly search: ItemSearch;
  readonly data: DataStore;
  readonly operatorLists: OperatorLists;
  readonly installation: InstallationStore;
  readonly changes: RunChanges;
  /** Returns kind and version of the database; throws `unavailable` if the database does not respond. */
  ping(): Promise<{ readonly kind: 'memory' | 'embedded' | 'postgresql'; readonly version: string }>;
  close(): Promise<void>;
}
