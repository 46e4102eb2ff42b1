import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetStore, Logger } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { createHeadwater, type Headwater } from '@headwater/http-adapter-fastify';
import { createDirectoryAssets } from '@headwater/ingest';
import { pipelinesOf, sceneCacheOf, workerSettingsOf } from '../composition.ts';
import { localCompute } from '../local-compute.ts';
import type { Config } from '../config/read-config.ts';
import { openStoresBeside } from '../database.ts';
import { seedPlaces } from '../places.ts';
import { readVersion } from '../read-version.ts';
import { REMEDIES } from '../remedies.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { assetsFolder, joinAssets } from '../join-servers.ts';
import { filesInBucket, openBucket } from '../object-storage/open-bucket.ts';
import { ensureSuperuser } from '../superuser.ts';
import { withOwnQueue } from './own-queue.ts';

/** Destination of results. `mounted`: the service's database and data folder. `posted`: the service over HTTP. */
export type Publishing = 'mounted' | 'posted';

/** Process that runs one algorithm. */
export interface Runner extends Pick<Headwater, 'runs' | 'callbacks' | 'stores' | 'start'> {
  /** See `AssetStore.platform`. */
  readonly platform: string | undefined;
  /** Returns the running work to the queue and closes everything. */
  close(): Promise<void>;
}

/**
 * Opens the stores and services for one algorithm. Throws `ConfigError` if DATA_DIR and the database belong to
 * different services.
 */
export async function openRunner(config: Config, publishing: Publishing, logger: Logger): Promise<Runner> {
  const { dataDir } = config;
  const isMounted = publishing === 'mounted';
  const stores = withOwnQueue(isMounted ? await openStoresBeside(config) : createMemoryStores());
  try {
    // Throws if DATA_DIR is not the service's folder, because the service could not serve the files of this run.
    if (isMounted && config.database !== undefined) await joinAssets(stores.installation, dataDir);
    if (!isMounted) await seedPlaces({ dataDir, stores, logger });
    const scratchDir = isMounted
      ? await scratchFolder(join(dataDir, 'scratch'), { exclusive: false })
      : await mkdtemp(join(tmpdir(), 'headwater-algorithm-'));
    const objects = isMounted ? await openBucket(config) : undefined;
    const files = objects ? filesInBucket(objects, config) : createDirectoryAssets(assetsFolder(dataDir));
    const assets = isMounted ? files : withoutPruning(files);
    const headwater = await compose(config, { stores, scratchDir, logger, assets });
    if (!isMounted) await ensureSuperuser({ ...headwater, password: undefined, containerMarker: undefined });
    const close = async (): Promise<void> => {
      await headwater.close();
      await rm(scratchDir, { recursive: true, force: true });
    };
    return { ...headwater, platform: assets.platform, close };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

interface Composing {
  readonly stores: Stores;
  readonly scratchDir: string;
  readonly logger: Logger;
  readonly assets: AssetStore;
}

async function compose(config: Config, { stores, scratchDir, logger, assets }: Composing): Promise<Headwater> {
  const { dataDir, eoStacApi: scenes, demStacApi: elevations, allowedOrigins, threads } = config;
  const warn = (message: string): void => logger.info({}, message);
  const sources = { dataDir, scenes, elevations, allowedOrigins, ...sceneCacheOf(config) };
  const local = await localCompute({ ...sources, threads, scratchDir, warn });
  return createHeadwater({
    baseUrl: config.baseUrl,
    secret: randomBytes(32),
    stores,
    pipelines: pipelinesOf(config),
    compute: {
      ...local,
      assets,
      // This worker has its own id, so that it does not take over the runs of the service's worker.
      worker: { ...workerSettingsOf(config), workerId: randomUUID() },
    },
    publication: config.publication,
    remedies: REMEDIES,
    version: await readVersion(),
    logger,
  });
}

/**
 * Removes the method `prune`. It would remove the folders of all earlier runs, because the run store in memory does
 * not contain these runs.
 */
function withoutPruning(assets: AssetStore): AssetStore {
  const withPrune = { ...assets };
  delete withPrune.prune;
  return withPrune;
}
