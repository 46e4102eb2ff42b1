import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AnyPipeline, isDomainError, type Logger, systemTimers, type WorkerSettings } from '@headwater/core';
import type { HeadwaterOptions, MetricsOptions } from '@headwater/http-service';
import type { Stores } from '@headwater/identity';
import type { PostgresStores } from '@headwater/postgres';
import { swaggerUi } from './api-viewer.ts';
import { type ComputeParts, createHeadwater, type Headwater } from '@headwater/http-adapter-fastify';
import {
  type BucketAssets,
  createBucketUploads,
  createImporters,
  type LayerTools,
  probeFolder,
} from '@headwater/ingest';
import { Network } from '@headwater/net';
import { freeBytesOf } from '@headwater/net/files';
import type { MapServer, MapServerParts } from '@headwater/core/ports';
import { createEmbeddedMapServer, createGeoServer } from '@headwater/map-server';
import { mapView } from '@headwater/map-view';
import { createMapPixels } from '@headwater/raster';
import { SAMPLE_PLACE } from '@headwater/sample-world';
import type { BoundaryData } from './boundary-data.ts';
import type { Config } from './config/read-config.ts';
import { publicationOf } from './config/service.ts';
import { debugOf } from './debug-log.ts';
import { earthEngineExporter, earthEngineScenes, earthEngineUsage } from './earth-engine.ts';
import { eoCredentials } from './eo-credentials.ts';
import { exportFolder } from './export-folder.ts';
import { type DatabaseNews, openStores } from './database.ts';
import { guideFolder } from './guide-folder.ts';
import { localCompute } from './local-compute.ts';
import { type BucketKeeper, createBucketKeeper, isPublished, namedFiles } from './object-storage/bucket-keeper.ts';
import { checkBucket, claimFor, filesInBucket, openBucket } from './object-storage/open-bucket.ts';
import { createMailSender } from './mail.ts';
import { layerTools } from './import-command.ts';
import { createPipelines } from './pipelines.ts';
import { orchestratorParts } from './orchestrator.ts';
import { REMEDIES } from './remedies.ts';
import { countSceneCache } from './scene-cache-figures.ts';
import { scratchFolder } from './scratch-folder.ts';
import { systemFacts } from './system-facts.ts';
import { signingKey } from './secrets.ts';
import { joinServers } from './join-servers.ts';

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;

async function filesHealth(dataDir: string): Promise<string> {
  await Promise.all([dataDir, join(dataDir, 'assets')].map(probeFolder));
  return `${dataDir} is writable`;
}

/** Parts of a server that are not settings: log, pipelines, health checks. */
export interface Surroundings extends DatabaseNews {
  readonly logger: Logger;
  readonly boundariesHealth?: BoundaryData['health'] | undefined;
  readonly pipelines?: readonly AnyPipeline[] | undefined;
  /** Returns the reason why this process must be restarted, if any. */
  readonly fault?: () => string | undefined;
  /** True while this or another server generates scenes. Missing scenes are then no fault. */
  readonly isMakingScenes?: () => boolean;
}

const scenesHealth =
  (
    { earthObservation }: Pick<ComputeParts, 'earthObservation'>,
    isMaking: () => boolean,
  ): NonNullable<HeadwaterOptions['scenesHealth']> =>
  async () => {
    try {
      return (await earthObservation.probe?.()) ?? 'sources of scenes are not checked';
    } catch (error) {
      if (!isMaking() || !isDomainError(error) || error.code !== 'no_scenes') throw error;
      return { state: 'starting', detail: 'the scenes of the sample are being generated' };
    }
  };

/** Creates all parts of the server. The worker does not run before `headwater.start()`. */
export async function compose(config: Config, surroundings: Surroundings): Promise<Headwater> {
  await mkdir(config.dataDir, { recursive: true });
  const stores = await openStores(config, { ...surroundings, debug: debugOf(config, surroundings.logger) });
  try {
    return await composeOver(stores, config, surroundings);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Returns the signing key. Servers on one PostgreSQL must have the same key and data folder (see `joinServers`). */
async function keyAmongServers(
  { installation }: Stores,
  config: Config,
  onRival: Surroundings['onDeath'],
): Promise<Uint8Array> {
  const { dataDir, jwtSecret } = config;
  if (config.database === undefined) return signingKey({ configured: jwtSecret, dataDir });
  const secret = await signingKey({ configured: jwtSecret, dataDir, installation });
  await joinServers(installation, { dataDir, bucket: config.bucket?.name, secret, onRival });
  return secret;
}

interface Computing {
  readonly scratchDir: string;
  readonly layers: LayerTools;
  readonly compute: ComputeParts;
  /** Published files in a bucket, if the settings name one. */
  readonly files: BucketAssets | undefined;
}

/** Opens the parts that compute in this process: scratch folder, bucket, data sources and layer tools. */
export async function openComputing(config: Config, logger: Logger): Promise<Computing> {
  const { dataDir, eoStacApi: scenes, demStacApi: elevations, allowedOrigins, threads } = config;
  const scratchDir = await scratchFolder(join(dataDir, 'scratch'), { exclusive: config.database === undefined });
  const warn = (message: string): void => logger.info({}, message);
  const sharesRequests = debugOf(config, logger) !== undefined;
  const sources = { dataDir, scenes, elevations, allowedOrigins, sharesRequests, ...sceneCacheOf(config) };
  const objects = await openBucket(config);
  const files = objects && filesInBucket(objects, config);
  const compute = await localCompute({ ...sources, threads, scratchDir, warn, assets: files });
  return { scratchDir, layers: await layerTools(compute), compute, files };
}

/** Option for exports to Earth Engine. Empty if the settings disable them. */
const exportsOf = (
  { earthEngine }: Pick<Config, 'earthEngine'>,
  parts: Parameters<typeof earthEngineExporter>[1],
): Pick<HeadwaterOptions, 'eoExporter'> =>
  earthEngine === undefined ? {} : { eoExporter: earthEngineExporter(earthEngine, parts) };

/** Option for scenes that Earth Engine reads with the credentials of accounts. Empty if the settings disable it. */
export const scenesOfAccounts = (
  { earthEngineScenes: scenes }: Pick<Config, 'earthEngineScenes'>,
  parts: Parameters<typeof earthEngineScenes>[1],
): Pick<ComputeParts, 'sceneEngines'> =>
  scenes === undefined ? {} : { sceneEngines: earthEngineScenes(scenes, parts) };

/** Size of the cache of scenes, and the free space that it leaves: twice the limit below which health warns. */
export const sceneCacheOf = ({ sceneCacheBytes, freeDisk }: Config) => ({
  sceneCacheBytes,
  sceneCacheMinFreeBytes: 2 * freeDisk.warnBytes,
});

/** Retention times and lease of a worker, from the configuration. */
export function workerSettingsOf(config: Config): Partial<WorkerSettings> {
  return {
    keepReplacedMs: config.replacedFilesHours * HOUR_MS,
    keepEventsMs: config.runEventsDays * DAY_SECONDS * 1000,
    keepRunsMs: config.runsDays * DAY_SECONDS * 1000,
    leaseMs: config.runLeaseSeconds * 1000,
    // With the same id as before a crash, a worker takes over its runs immediately.
    ...(config.database === undefined ? { workerId: 'embedded' } : {}),
  };
}

/** Creates every pipeline, with the settings of the configuration. */
export const pipelinesOf = ({ maxCloudCover, streamHectares }: Config) =>
  createPipelines({ maxCloudCover, streamHectares });

/** Options of the metrics of a process. */
export const metricsOf = (
  { metricsToken, sceneCacheBytes }: Config,
  { pools }: Pick<PostgresStores, 'pools'>,
): MetricsOptions => ({
  pools,
  ...(sceneCacheBytes > 0 && { sceneCache: countSceneCache() }),
  ...(metricsToken === undefined ? {} : { token: metricsToken }),
});

/** The GeoServer of the settings, or the service's own map server. */
function mapServerOf({ geoServer }: Pick<Config, 'geoServer'>, parts: MapServerParts): MapServer {
  return geoServer === undefined ? createEmbeddedMapServer(parts) : createGeoServer({ ...parts, settings: geoServer });
}

async function composeOver(stores: PostgresStores, config: Config, surroundings: Surroundings): Promise<Headwater> {
  const { dataDir } = config;
  const { logger, onDeath, boundariesHealth, fault, isMakingScenes } = surroundings;
  const secret = await keyAmongServers(stores, config, onDeath);
  const { scratchDir, layers, compute, files } = await openComputing(config, logger);
  const keeper = files && keeperOf(files, config, { stores, logger });
  const uploads = join(scratchDir, 'import');
  const { backend, jobs } = orchestratorParts(config);
  const network = new Network({ settings: { allowedOrigins: config.allowedOrigins } });
  const { eoAccounts } = stores;
  const credentials = eoCredentials({ mounted: config.credentials, secret, eoAccounts, network });
  const headwater = createHeadwater({
    baseUrl: config.baseUrl,
    secret,
    stores,
    pipelines: surroundings.pipelines ?? pipelinesOf(config),
    compute: {
      ...compute,
      ...scenesOfAccounts(config, { credentials, network, stores, logger, scratchDir }),
      ...(backend === undefined ? {} : { backend }),
      leaseMs: config.runLeaseSeconds * 1000,
      worker: config.worker && workerSettingsOf(config),
    },
    imports: {
      importers: (of) => createImporters({ stores: of, scratchDir: uploads, layers }),
      scratchDir: uploads,
      maxBytes: config.importMaxBytes,
    },
    publication: publicationOf(config),
    featured: SAMPLE_PLACE,
    remedies: REMEDIES,
    version: layers.version,
    apiViewer: swaggerUi,
    guide: guideFolder(),
    mapViewer: mapView,
    mapServer: (parts) => mapServerOf(config, { ...parts, pixels: createMapPixels() }),
    mapBackgrounds: config.mapBackgrounds,
    identity: {
      tokens: {
        accessTtlSeconds: config.accessTokenDays * DAY_SECONDS,
        refreshTtlSeconds: config.refreshTokenDays * DAY_SECONDS,
        sessionTtlSeconds: config.sessionDays * DAY_SECONDS,
      },
      registration: config.registration,
      activation: config.activation,
      ...(config.mail === undefined ? {} : { mail: createMailSender(config.mail) }),
    },
    metrics: metricsOf(config, stores),
    logger,
    logRequests: true,
    auditDays: config.auditDays,
    corsOrigins: config.corsOrigins,
    eoCredentials: credentials,
    ...exportsOf(config, { credentials, network }),
    limits: {
      ...config.userLimits,
      ...(config.apiKeyRequestsPerMinute === undefined
        ? {}
        : { apiKeyRequestsPerMinute: config.apiKeyRequestsPerMinute }),
      ...(config.apiKeyRequestsPerDay === undefined ? {} : { apiKeyRequestsPerDay: config.apiKeyRequestsPerDay }),
      freeDisk: config.freeDisk,
      warnings: config.warningLimits,
    },
    workService: {
      ...config.workService,
      workflowAccess: config.workflowAccess,
      ...(jobs === undefined ? {} : { jobs }),
    },
    ...(config.excelPath === undefined ? {} : { exportFolder: exportFolder(config.excelPath) }),
    freeBytes: () => freeBytesOf(dataDir),
    systemFacts: await systemFacts(dataDir),
    filesHealth: () => filesHealth(dataDir),
    ...(isMakingScenes === undefined ? {} : { scenesHealth: scenesHealth(compute, isMakingScenes) }),
    ...(boundariesHealth === undefined ? {} : { boundariesHealth }),
    ...(keeper === undefined ? {} : { bucketHealth: () => keeper.health() }),
    ...(fault === undefined ? {} : { fault }),
  });
  const served = keeper === undefined ? headwater : withKeeper(headwater, keeper);
  return withUsage(served, config, { credentials, network, stores, logger });
}

function keeperOf(
  files: BucketAssets,
  config: Config,
  { stores, logger }: { readonly stores: Stores; readonly logger: Logger },
): BucketKeeper {
  const { objects } = files;
  const claim = claimFor(config, stores.installation);
  return createBucketKeeper({
    name: objects.name,
    uploads: createBucketUploads(files, {
      isPublished: isPublished(stores.runs),
      namedFiles: namedFiles(stores.catalog),
      cacheBytes: config.bucket?.cacheBytes ?? 0,
      now: () => new Date(),
    }),
    check: (signal) => checkBucket(objects, config, signal),
    claim: (signal) => claim(objects, signal),
    installation: stores.installation,
    timers: systemTimers,
    logger,
  });
}

/** Copies published files to a bucket while the service runs. */
function withKeeper(headwater: Headwater, keeper: BucketKeeper): Headwater {
  const { events } = headwater;
  const wake = (): void => keeper.wake();
  return {
    ...headwater,
    start: async () => {
      await headwater.start();
      events.on('run.ended', wake);
      keeper.start();
    },
    close: async (...grace) => {
      events.off('run.ended', wake);
      await Promise.all([keeper.close(), headwater.close(...grace)]);
    },
  };
}

/**
 * Wraps a service. If scenes come from Earth Engine, its computing time for ended runs is read while the service runs.
 */
export function withUsage(
  headwater: Headwater,
  { earthEngineScenes: scenes }: Pick<Config, 'earthEngineScenes'>,
  parts: Parameters<typeof earthEngineUsage>[1],
): Headwater {
  if (scenes === undefined) return headwater;
  const reader = earthEngineUsage(scenes, parts);
  return {
    ...headwater,
    start: async () => {
      await headwater.start();
      reader.start();
    },
    close: async (...grace) => {
      await reader.close();
      await headwater.close(...grace);
    },
  };
}
