import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyPipeline, Logger, WorkerSettings } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { type ComputeParts, createHeadwater, type Headwater } from '@headwater/http-adapter-fastify';
import { createImporters, type LayerTools, probeFolder } from '@headwater/ingest';
import { SAMPLE_PLACE } from '@headwater/sample-world';
import type { BoundaryData } from './boundary-data.ts';
import type { Config } from './config/read-config.ts';
import { exportFolder } from './export-folder.ts';
import { type DatabaseNews, openStores } from './database.ts';
import { localCompute } from './local-compute.ts';
import { createMailSender } from './mail.ts';
import { layerTools } from './import-command.ts';
import { createPipelines } from './pipelines.ts';
import { orchestratorParts } from './orchestrator.ts';
import { REMEDIES } from './remedies.ts';
import { scratchFolder } from './scratch-folder.ts';
import { signingKey } from './secrets.ts';
import { joinServers } from './several-servers.ts';

/** Milliseconds of an hour. */
const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The data folder holds the signing key and scratch files beside what is published. */
async function filesHealth(dataDir: string): Promise<string> {
  await Promise.all([dataDir, join(dataDir, 'assets')].map(probeFolder));
  return `${dataDir} takes files`;
}

/** What surrounds the service. */
export interface Surroundings extends DatabaseNews {
  readonly logger: Logger;
  /** Tells health how far boundary data are that are downloaded. */
  readonly boundariesHealth?: BoundaryData['health'] | undefined;
  /** Default: every pipeline of Headwater. */
  readonly pipelines?: readonly AnyPipeline[] | undefined;
  /** Returns why this process has to be started again, if it has to. */
  readonly fault?: () => string | undefined;
}

/** Wires every part that the configuration chooses. The worker starts with `headwater.start()`. */
export async function compose(config: Config, surroundings: Surroundings): Promise<Headwater> {
  await mkdir(config.dataDir, { recursive: true });
  const stores = await openStores(config, surroundings);
  try {
    return await composeOver(stores, config, surroundings);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** The signing key. A PostgreSQL may have several servers, which must fit together; the embedded database has this one. */
async function keyAmongServers(
  { installation }: Stores,
  config: Config,
  onRival: Surroundings['onDeath'],
): Promise<Uint8Array> {
  const { dataDir, jwtSecret: given } = config;
  if (config.database === undefined) return signingKey({ given, dataDir });
  const secret = await signingKey({ given, dataDir, installation });
  await joinServers(installation, { dataDir, secret, onRival });
  return secret;
}

/** Scratch files, pixels, and what computes with them. */
interface Workshop {
  readonly scratchDir: string;
  readonly layers: LayerTools;
  readonly compute: ComputeParts;
}

/** Opens the part of this process that computes. */
export async function openWorkshop(config: Config, logger: Logger): Promise<Workshop> {
  const { dataDir, eoStacApi: scenes, demStacApi: elevations, allowedOrigins, threads } = config;
  const scratchDir = await scratchFolder(join(dataDir, 'scratch'), { exclusive: config.database === undefined });
  const warn = (message: string): void => logger.info({}, message);
  const compute = await localCompute({ dataDir, scenes, elevations, allowedOrigins, threads, scratchDir, warn });
  return { scratchDir, layers: await layerTools(compute), compute };
}

/** How long a worker of this configuration keeps what, and when another takes over its run. */
export function workerSettingsOf(config: Config): Partial<WorkerSettings> {
  return {
    keepReplacedMs: config.replacedFilesHours * HOUR_MS,
    keepEventsMs: config.runEventsDays * DAY_SECONDS * 1000,
    keepRunsMs: config.runsDays * DAY_SECONDS * 1000,
    leaseMs: config.runLeaseSeconds * 1000,
    // One process holds the embedded database, so after a crash its runs are its own again: no wait for their leases.
    ...(config.database === undefined ? { workerId: 'embedded' } : {}),
  };
}

/** Every pipeline, as this configuration computes it. */
export const pipelinesOf = ({ maxCloudCover }: Config) => createPipelines({ maxCloudCover });

async function composeOver(stores: Stores, config: Config, surroundings: Surroundings): Promise<Headwater> {
  const { dataDir } = config;
  const { logger, onDeath, boundariesHealth, fault } = surroundings;
  const secret = await keyAmongServers(stores, config, onDeath);
  const { scratchDir, layers, compute } = await openWorkshop(config, logger);
  const uploads = join(scratchDir, 'import');
  const { backend, jobs } = orchestratorParts(config);
  return createHeadwater({
    baseUrl: config.baseUrl,
    secret,
    stores,
    pipelines: surroundings.pipelines ?? pipelinesOf(config),
    compute,
    ...(backend === undefined ? {} : { backend }),
    workflowAccess: config.workflowAccess,
    imports: {
      importers: (of) => createImporters({ stores: of, scratchDir: uploads, layers }),
      scratchDir: uploads,
      maxBytes: config.importMaxBytes,
    },
    worker: config.worker && workerSettingsOf(config),
    publication: config.publication,
    featured: SAMPLE_PLACE,
    remedies: REMEDIES,
    version: layers.version,
    tokens: {
      accessTtlSeconds: config.accessTokenDays * DAY_SECONDS,
      refreshTtlSeconds: config.refreshTokenDays * DAY_SECONDS,
      sessionTtlSeconds: config.sessionDays * DAY_SECONDS,
    },
    logger,
    logRequests: true,
    corsOrigins: config.corsOrigins,
    registration: config.registration,
    activation: config.activation,
    ...(config.mail === undefined ? {} : { mail: createMailSender(config.mail) }),
    userLimits: config.userLimits,
    workService: { ...config.workService, ...(jobs === undefined ? {} : { jobs }) },
    ...(config.apiKeyRequestsPerMinute === undefined
      ? {}
      : { apiKeyRequestsPerMinute: config.apiKeyRequestsPerMinute }),
    ...(config.excelPath === undefined ? {} : { exportFolder: exportFolder(config.excelPath) }),
    ...(config.apiKeyRequestsPerDay === undefined ? {} : { apiKeyRequestsPerDay: config.apiKeyRequestsPerDay }),
    freeBytes: () => freeBytes(dataDir),
    freeDisk: config.freeDisk,
    filesHealth: () => filesHealth(dataDir),
    ...(boundariesHealth === undefined ? {} : { boundariesHealth }),
    ...(fault === undefined ? {} : { fault }),
  });
}
