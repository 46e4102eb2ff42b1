import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Stores } from '@headwater/identity';
import { createPostgresStores, type PoolOptions } from '@headwater/postgres';
import { openEmbedded, runningEmbedded } from '@headwater/postgres/embedded';
import { type Config, ConfigError } from './config/read-config.ts';
import type { DatabaseConfig } from './config/storage.ts';
import { connectionTo, explainTls } from './database-tls.ts';
import { type Debug, loggedRuns } from './debug-log.ts';

/** Folder of the embedded database. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'db');

/**
 * Opens stores for a command that may run next to the service. Only one process can open the embedded database: a running service is reached through
 * its socket, which only this user can open. Throws `ConfigError` if there is no database yet.
 */
export async function openStoresBeside(config: Config): Promise<Stores> {
  if (config.database !== undefined) return openRemote(config.database);
  const dataDir = databaseFolder(config.dataDir);
  const running = runningEmbedded({ dataDir });
  // A mistyped folder must not get an empty database.
  if (running === undefined && !hasFiles(dataDir))
    throw new ConfigError(
      `DATA_DIR: there is no database in ${config.dataDir}. Set DATA_DIR to the folder of the service, or start the service once.`,
    );
  return running === undefined ? openOwn(dataDir) : createPostgresStores({ connection: running });
}

async function openRemote(database: DatabaseConfig, debug?: Debug): Promise<Stores> {
  const { searchTimeoutMs, ...address } = database;
  return createPostgresStores({ connection: await connectionTo(address), searchTimeoutMs, ...slowLog(debug) }).catch(
    explainTls,
  );
}

const hasFiles = (dataDir: string): boolean => existsSync(join(dataDir, 'pgdata'));

/** Describes how the database will be opened, for progress output. */
export function openingDatabase(config: Config): string {
  if (config.database !== undefined) return 'connecting to PostgreSQL';
  return hasFiles(databaseFolder(config.dataDir))
    ? 'opening the embedded database'
    : 'creating the embedded database, which takes about ten seconds';
}

/** Callbacks while stores are opened and used. */
export interface DatabaseNews {
  /** Called if the embedded database fails. */
  readonly onDeath: (reason: Error) => void;
  /** Receives slow statements and decisions of the queue; undefined: neither is logged. */
  readonly debug?: Debug | undefined;
  /** Called when a new embedded database is created: DATA_DIR belongs to this process, and other work can be done in these seconds. */
  readonly onMakingDatabase?: (() => void) | undefined;
  /** Called before the embedded database rewrites a table with much free space. */
  readonly onCompactingDatabase?: ((freeBytes: number) => void) | undefined;
}

async function openOwn(
  dataDir: string,
  { onDeath, onMakingDatabase, onCompactingDatabase, debug }: DatabaseNews = { onDeath: () => {} },
): Promise<Stores> {
  const embedded = await openEmbedded({
    dataDir,
    onMaking: onMakingDatabase,
    onCompacting: onCompactingDatabase,
  });
  embedded.stopped.then((reason) => (reason === undefined ? undefined : onDeath(reason))).catch(() => {});
  try {
    const stores = await createPostgresStores({ connection: embedded.connection, ...slowLog(debug) });
    return {
      ...stores,
      async close() {
        await stores.close();
        await embedded.close();
      },
    };
  } catch (error) {
    await embedded.close();
    throw error;
  }
}

/** PostgreSQL if `DB_HOST` is set, otherwise the embedded database under DATA_DIR; closing the stores closes either. */
export async function openStores(config: Config, news: DatabaseNews): Promise<Stores> {
  const { debug } = news;
  const stores = await (config.database === undefined
    ? openOwn(databaseFolder(config.dataDir), news)
    : openRemote(config.database, debug));
  return debug === undefined ? stores : { ...stores, runs: loggedRuns(stores.runs, debug) };
}

/** Options that log slow statements. */
function slowLog(debug: Debug | undefined): Pick<PoolOptions, 'onSlow'> {
  return debug === undefined ? {} : { onSlow: ({ text, ms }) => debug({ ms, statement: text }, 'slow statement') };
}
