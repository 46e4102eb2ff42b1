import type { Stores } from '@headwater/identity';
import type { EoAccount, EoAccountStore } from '@headwater/core';
import { SEARCH_TIMEOUT_MS } from '@headwater/core/search';
import { apiKeyStore } from './accounts/api-keys.ts';
import { directoryStore } from './accounts/directory.ts';
import { auditStore } from './accounts/audit.ts';
import { moveStore } from './accounts/moves.ts';
import { pageSessionStore } from './accounts/page-sessions.ts';
import { peopleStore } from './accounts/people.ts';
import { refreshTokenStore } from './accounts/refresh-tokens.ts';
import { teamStore } from './accounts/teams.ts';
import { throttleStore } from './accounts/throttle.ts';
import { userStore } from './accounts/users.ts';
import { catalogStore } from './catalog.ts';
import type { Connection } from './connection.ts';
import { dataStore } from './data.ts';
import { type Database, openDatabase, type PoolOptions, SCHEMA, slotsOf, type Sql, wrapDatabase } from './database.ts';
import type { DatabaseHandle } from './pool.ts';
import { isInt4, storable } from './guards.ts';
import { createInstallation } from './installation.ts';
import { jobStore } from './jobs.ts';
import { migrate } from './migrate.ts';
import { operatorLists } from './operator-lists.ts';
import { placeLookups } from './places/lookups.ts';
import { placeStore } from './places/place-store.ts';
import { runStore } from './runs/run-store.ts';
import { itemSearch } from './search/item-search.ts';

const COLUMNS = `id, name, account_email as "accountEmail", service_account_email as "serviceAccountEmail", platform,
  is_visible as "isVisible", is_active as "isActive"`;

const INSERT = `insert into headwater.eo_accounts (name, account_email, is_visible, service_account_email, platform, is_active)
  values ($1, $2, $3, $4, coalesce($5, 'local'), coalesce($6::boolean, true)) returning ${COLUMNS}`;

/**
 * Changes an account. If $3 or $6 is true, the address in the next parameter is stored; if that parameter is null, the address is removed.
 */
const CHANGE = `update headwater.eo_accounts set name = coalesce($2, name),
  account_email = case when $3::boolean then $4 else account_email end, is_visible = coalesce($5::boolean, is_visible),
  service_account_email = case when $6::boolean then $7 else service_account_email end, platform = coalesce($8, platform),
  is_active = coalesce($9::boolean, is_active)
  where id = $1 returning ${COLUMNS}`;

/** A text for a column that may be null. */
const stored = (field: string, text: string | null | undefined): string | null =>
  typeof text === 'string' ? storable(field, text) : null;

/** Earth-observation accounts in PostgreSQL. */
function eoAccountStore(sql: Sql): EoAccountStore {
  return {
    create: async ({ name, accountEmail, isVisible, serviceAccountEmail = null, platform, isActive }) => {
      const created = await sql.first<EoAccount>(INSERT, [
        storable('name', name),
        stored('accountEmail', accountEmail),
        isVisible,
        stored('serviceAccountEmail', serviceAccountEmail),
        platform ?? null,
        isActive ?? null,
      ]);
      if (created === undefined) throw new Error('insert returned no row');
      return created;
    },
    change: async (id, { name, accountEmail, isVisible, serviceAccountEmail, platform, isActive }) => {
      if (!isInt4(id)) return undefined;
      return await sql.first<EoAccount>(CHANGE, [
        id,
        stored('name', name),
        accountEmail !== undefined,
        stored('accountEmail', accountEmail),
        isVisible ?? null,
        serviceAccountEmail !== undefined,
        stored('serviceAccountEmail', serviceAccountEmail),
        platform ?? null,
        isActive ?? null,
      ]);
    },
    byId: async (id) =>
      isInt4(id)
        ? await sql.first<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts where id = $1`, [id])
        : undefined,
    list: async () => await sql.rows<EoAccount>(`select ${COLUMNS} from headwater.eo_accounts order by id`),
  };
}

/** Stores in PostgreSQL, and the figures of their connections. */
export interface PostgresStores extends Stores {
  readonly pools: Database['pools'];
}

/** Database of the stores: a connection, for which a pool is opened and closed here, or the host's own pg-promise database. */
export type PostgresStoresOptions =
  | ({ readonly connection: Connection } & PoolOptions)
  | ({ readonly handle: DatabaseHandle; readonly embedded?: boolean } & Pick<
      PoolOptions,
      'searchTimeoutMs' | 'schema' | 'traceStatement'
    >);

/**
 * Opens stores in PostgreSQL + PostGIS, in the schema `headwater` unless `schema` names another one, after migrating it.
 * @throws DomainError `unavailable` if the database does not respond, lacks PostGIS, or was made by a newer version.
 */
export async function createPostgresStores(options: PostgresStoresOptions): Promise<PostgresStores> {
  const database = open(options);
  try {
    await migrateIn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return storesOver(database);
}

/**
 * Stall timeout of migrations, ms. No data may arrive for minutes while a migration rewrites a large table, or waits for the migration of
 * another server.
 */
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
export function storesOver(database: Database): PostgresStores {
  const { installation, changes, close } = createInstallation(database);
  return {
    users: userStore(database),
    people: peopleStore(database),
    teams: teamStore(database),
    eoAccounts: eoAccountStore(database),
    refreshTokens: refreshTokenStore(database),
    pageSessions: pageSessionStore(database),
    throttle: throttleStore(database),
    apiKeys: apiKeyStore(database),
    directory: directoryStore(database),
    audit: auditStore(database),
    moves: moveStore(database),
    places: placeStore(database),
    lookups: placeLookups(database),
    runs: runStore(database),
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

/** Maximum number of searches at a time in a host's own pool. */
const HOST_SEARCHES = 4;

function open(options: PostgresStoresOptions): Database {
  if ('connection' in options) return openDatabase(options.connection, options);
  const end = async (): Promise<void> => {
    // The host opened its pool and closes it.
  };
  // A pooler behind the host's pool may give each transaction another connection, so no statement is prepared there.
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
