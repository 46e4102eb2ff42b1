import type { Stores } from '@headwater/identity';
import { SEARCH_TIMEOUT_MS } from '@headwater/core/search';
import { apiKeyStore } from './accounts/api-keys.ts';
import { directoryStore } from './accounts/directory.ts';
import { auditStore } from './accounts/audit.ts';
import { eoAccountStore } from './accounts/eo-accounts.ts';
import { moveStore } from './accounts/moves.ts';
import { pageSessionStore } from './accounts/page-sessions.ts';
import { peopleStore } from './accounts/people.ts';
import { refreshTokenStore } from './accounts/refresh-tokens.ts';
import { teamStore } from './accounts/teams.ts';
import { throttleStore } from './accounts/throttle.ts';
import { sceneUseStore } from './scene-uses.ts';
import { userStore } from './accounts/users.ts';
import { catalogStore } from './catalog.ts';
import type { Connection } from './connection.ts';
import { dataStore } from './data.ts';
import { type Database, openDatabase, type PoolOptions, SCHEMA, slotsOf, wrapDatabase } from './database.ts';
import type { DatabaseHandle } from './pool.ts';
import { eoExportStore } from './eo-exports.ts';
import { createInstallation } from './installation.ts';
import { jobStore } from './jobs.ts';
import { migrate } from './migrate.ts';
import { operatorLists } from './operator-lists.ts';
import { placeLookups } from './places/lookups.ts';
import { placeStore } from './places/place-store.ts';
import { runStore } from './runs/run-store.ts';
import { itemSearch } from './search/item-search.ts';

/** Stores in PostgreSQL, and the numbers of their connections. */
export interface PostgresStores extends Stores {
  readonly pools: Database['pools'];
}

/** Settings of the runs in the stores. */
export interface RunLeaseOption {
  /**
   * Lease of the workers of this installation, ms; default: 60,000. After the clock was set back, leases are
   * shortened, but not below this length.
   */
  readonly runLeaseMs?: number;
}

const RUN_LEASE_MS = 60_000;

/** A connection, or the host's own pg-promise database. With a connection, the stores open their own pool. */
export type PostgresStoresOptions = RunLeaseOption &
  (
    | ({ readonly connection: Connection } & PoolOptions)
    | ({ readonly handle: DatabaseHandle; readonly embedded?: boolean } & Pick<
        PoolOptions,
        'searchTimeoutMs' | 'schema' | 'traceStatement'
      >)
  );

/**
 * Opens stores in PostgreSQL + PostGIS and migrates their schema (default: `headwater`). @throws DomainError
 * `unavailable` if the database does not respond, lacks PostGIS that cannot be added, or was made by a newer version.
 */
export async function createPostgresStores(options: PostgresStoresOptions): Promise<PostgresStores> {
  const database = open(options);
  try {
    await migrateIn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return storesOver(database, options);
}

/** Stall timeout of migrations, ms. It is long, because no data arrive while a migration rewrites a large table. */
const MIGRATION_MS = 6 * 3_600_000;

async function migrateIn(database: Database, options: PostgresStoresOptions): Promise<void> {
  if (!('connection' in options) || database.embedded) {
    await migrate(database);
    return;
  }
  const migrating = openDatabase(options.connection, { ...options, poolSize: 1, queryTimeoutMs: MIGRATION_MS });
  try {
    await migrate(migrating);
  } finally {
    await migrating.close();
  }
}

/** Creates stores on an open, migrated database. */
export function storesOver(database: Database, { runLeaseMs = RUN_LEASE_MS }: RunLeaseOption = {}): PostgresStores {
  const { installation, changes, close } = createInstallation(database);
  return {
    users: userStore(database),
    people: peopleStore(database),
    teams: teamStore(database),
    eoAccounts: eoAccountStore(database),
    eoExports: eoExportStore(database),
    sceneUses: sceneUseStore(database),
    refreshTokens: refreshTokenStore(database),
    pageSessions: pageSessionStore(database),
    throttle: throttleStore(database),
    apiKeys: apiKeyStore(database),
    directory: directoryStore(database),
    audit: auditStore(database),
    moves: moveStore(database),
    places: placeStore(database),
    lookups: placeLookups(database),
    runs: runStore(database, runLeaseMs),
    jobs: jobStore(database),
    catalog: catalogStore(database),
    search: itemSearch(database),
    data: dataStore(database),
    operatorLists: operatorLists(database),
    installation,
    changes,
    ping: async () => await ping(database),
    pools: database.pools,
    close: async () => {
      await close();
      await database.close();
    },
  };
}

const HOST_SEARCHES = 4;

function open(options: PostgresStoresOptions): Database {
  if ('connection' in options) return openDatabase(options.connection, options);
  const end = async (): Promise<void> => {};
  const {
    handle,
    embedded = false,
    searchTimeoutMs: timeoutMs = SEARCH_TIMEOUT_MS,
    schema = SCHEMA,
    traceStatement,
  } = options;
  const searchLimits = { timeoutMs, slots: slotsOf(embedded ? undefined : HOST_SEARCHES) };
  return wrapDatabase(handle, {
    embedded,
    // A pooler behind the host's pool may give each transaction another connection, so no statement is prepared.
    prepares: false,
    place: 'the database',
    schema,
    traceStatement,
    end,
    searchLimits,
  });
}

async function ping(database: Database): ReturnType<Stores['ping']> {
  const row = await database.first<{ server: string; postgis: string }>(
    `select current_setting('server_version') as server, ST_AsText(ST_MakePoint(0, 0)) || ' ' || PostGIS_Lib_Version() as postgis`,
  );
  const postgis = row?.postgis.split(' ').at(-1) ?? 'unknown';
  const version = `PostgreSQL ${row?.server ?? 'unknown'}, PostGIS ${postgis}`;
  return { kind: database.embedded ? 'embedded' : 'postgresql', version };
}
