import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetStore, Logger } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { createHeadwater, type Headwater } from '@headwater/http-adapter-fastify';
import { createDirectoryAssets } from '@headwater/ingest';
import { pipelinesOf, workerSettingsOf } from '../composition.ts';
import { localCompute } from '../local-compute.ts';
import type { Config } from '../config/read-config.ts';
import { openStoresBeside } from '../database.ts';
import { seedPlaces } from '../places.ts';
import { readVersion } from '../read-version.ts';
import { REMEDIES } from '../remedies.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { assetsFolder, joinAssets } from '../several-servers.ts';
import { ensureSuperuser } from '../superuser.ts';
import { withOwnQueue } from './own-queue.ts';

/** Where an algorithm publishes: beside a service in its database and folder, or nowhere but in its answer. */
export type Publishing = 'mounted' | 'posted';

/** A process that runs one algorithm. */
export interface Runner extends Pick<Headwater, 'runs' | 'callbacks' | 'stores' | 'start'> {
  /** As `AssetStore.platform`. */
  readonly platform: string | undefined;
  /** Puts down what is at work and closes all. */
  close(): Promise<void>;
}

/** Opens what one algorithm needs. Throws `ConfigError` where a folder or database is not the service's. */
export async function openRunner(config: Config, publishing: Publishing, logger: Logger): Promise<Runner> {
  const { dataDir } = config;
  const isMounted = publishing === 'mounted';
  const stores = withOwnQueue(isMounted ? await openStoresBeside(config) : createMemoryStores());
  try {
    // Files in another folder than the service's would never be served.
    if (isMounted && config.database !== undefined) await joinAssets(stores.installation, dataDir);
    if (!isMounted) await seedPlaces({ dataDir, stores, logger });
    const scratchDir = isMounted
      ? await scratchFolder(join(dataDir, 'scratch'), { exclusive: false })
      : await mkdtemp(join(tmpdir(), 'headwater-algorithm-'));
    const files = createDirectoryAssets(assetsFolder(dataDir));
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
  const local = await localCompute({ dataDir, scenes, elevations, allowedOrigins, threads, scratchDir, warn });
  return createHeadwater({
    baseUrl: config.baseUrl,
    // Nobody signs in here.
    secret: randomBytes(32),
    stores,
    pipelines: pipelinesOf(config),
    compute: { ...local, assets },
    // Runs of the service's own worker are not this one's, whatever its name is.
    worker: { ...workerSettingsOf(config), workerId: randomUUID() },
    publication: config.publication,
    remedies: REMEDIES,
    version: await readVersion(),
    logger,
  });
}

/** Stores in memory know of no earlier run: every folder that is there already would count as nobody's. */
function withoutPruning(assets: AssetStore): AssetStore {
  const kept = { ...assets };
  delete kept.prune;
  return kept;
}
