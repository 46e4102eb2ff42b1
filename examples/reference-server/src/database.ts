import { join } from 'node:path';
import type { Stores } from '@headwater/core';
import { createPostgresStores } from '@headwater/postgres';
import { openEmbedded, runningEmbedded } from '@headwater/postgres/embedded';
import type { Config, DatabaseConfig } from './config.ts';
import { connectionTo, explainTls } from './database-tls.ts';

/** Folder of the embedded database. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'db');

/**
 * Stores for a command that may run beside the service: the embedded database has one process, so a running one is reached
 * through its socket (which only this user can open).
 */
export async function openStoresBeside(config: Config): Promise<Stores> {
  if (config.database !== undefined) return openRemote(config.database);
  const dataDir = databaseFolder(config.dataDir);
  const running = runningEmbedded({ dataDir });
  return running === undefined ? openOwn(dataDir) : createPostgresStores({ connection: running });
}

async function openRemote(database: DatabaseConfig): Promise<Stores> {
  return createPostgresStores({ connection: await connectionTo(database) }).catch(explainTls);
}

async function openOwn(dataDir: string, onDeath: (reason: Error) => void = () => {}): Promise<Stores> {
  const embedded = await openEmbedded({ dataDir });
  embedded.stopped.then((reason) => (reason === undefined ? undefined : onDeath(reason))).catch(() => {});
  try {
    const stores = await createPostgresStores({ connection: embedded.connection });
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

/** PostgreSQL when `DB_HOST` is set, else the embedded database under DATA_DIR; closing the stores closes either. */
export async function openStores(config: Config, onDeath: (reason: Error) => void): Promise<Stores> {
  if (config.database !== undefined) return openRemote(config.database);
  return openOwn(databaseFolder(config.dataDir), onDeath);
}
