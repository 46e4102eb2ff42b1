import type { EoAccountStore, RefreshTokenStore, ThrottleStore, UserStore } from './accounts.ts';
import type { ApiKeyStore } from './api-keys.ts';
import type { InstallationStore, RunChanges } from './installation.ts';
import type { PeopleStore } from './people.ts';
import type { JobStore } from './jobs.ts';
import type { PlaceLookups } from './lookups.ts';
import type { PlaceStore } from './places.ts';
import type { CatalogStore } from './catalog.ts';
import type { RunStore } from './runs.ts';
import type { DataStore } from './tables.ts';
import type { ItemSearch } from './item-search.ts';
import type { TeamStore } from './teams.ts';

/** All stores of one database. The memory twin and the PostgreSQL one pass the same suite. */
export interface Stores {
  readonly users: UserStore;
  readonly people: PeopleStore;
  readonly teams: TeamStore;
  readonly eoAccounts: EoAccountStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly throttle: ThrottleStore;
  readonly apiKeys: ApiKeyStore;
  readonly places: PlaceStore;
  readonly lookups: PlaceLookups;
  readonly runs: RunStore;
  readonly jobs: JobStore;
  readonly catalog: CatalogStore;
  readonly search: ItemSearch;
  readonly data: DataStore;
  readonly installation: InstallationStore;
  readonly changes: RunChanges;
  /** Round trip that proves the database answers; throws `unavailable` otherwise. Names what it reached. */
  ping(): Promise<{ readonly kind: 'memory' | 'embedded' | 'postgresql'; readonly version: string }>;
  close(): Promise<void>;
}
