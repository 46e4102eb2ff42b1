import type { Logger } from '@headwater/core';
import { createQueueWorker, type QueueWorker } from '@headwater/http-service';
import { embeddedCapabilities } from '@headwater/map-server';
import { publicationOf } from './config/service.ts';
import type { Stores } from '@headwater/identity';
import { Network } from '@headwater/net';
import { freeBytesOf } from '@headwater/net/files';
import { metricsOf, openComputing, pipelinesOf, scenesOfAccounts, workerSettingsOf } from './composition.ts';
import { type Config, ConfigError } from './config/read-config.ts';
import { requireDataDir } from './data-dir.ts';
import { openStores } from './database.ts';
import { debugOf, logOutgoing } from './debug-log.ts';
import { eoCredentials } from './eo-credentials.ts';
import { createLogger } from './logger.ts';
import { serveMetrics } from './metrics-server.ts';
import { watchFaults, stopOnSignals } from './stop-on-signals.ts';
import { REMEDIES } from './remedies.ts';
import { signingKey } from './secrets.ts';
import { joinAsWorker } from './join-servers.ts';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { readWorkerOptions, type WorkerOptions } from './worker-options.ts';

const GRACE_MS = 2500;

interface WorkerSurroundings {
  readonly logger: Logger;
  readonly onDeath: (reason: Error) => void;
}

/**
 * Computes runs that services on this PostgreSQL and DATA_DIR have queued. After a stop, unfinished runs return to the
 * queue.
 */
export async function workerCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readWorkerOptions(args);
  if (config.database === undefined)
    throw new ConfigError(
      'DB_HOST: is not set, and the embedded database can be opened by one process only: the service itself computes its runs. ' +
        'Set DB_HOST to the PostgreSQL of the service, and start the service with WORKER=off.',
    );
  await requireDataDir(config.dataDir);
  // Without this handler, the worker would end when the reader of stdout ends.
  process.stdout.on('error', () => {});
  const terminal = createTerminal(process.stdout);
  const logger = createLogger(config.logLevel, config.dataDir, { ...config.log, output: terminal });
  const onDeath = (reason: Error): void => {
    logger.error({ error: reason }, 'the worker cannot continue and stops; fix the cause and restart it');
    process.exit(1);
  };
  const faults = watchFaults(logger);
  logOutgoing(debugOf(config, logger));
  const { worker, metrics, close } = await openWorker(config, options, { logger, onDeath });
  const endMetrics = metrics && (await serveMetrics(config, metrics));
  const { queue, concurrency } = options;
  const ended = Promise.withResolvers<void>();
  stopOnSignals(
    () => Promise.all([endMetrics?.(), close(GRACE_MS)]).then(() => ended.resolve(), ended.reject),
    logger,
    faults,
  );
  worker.start();
  logger.info({ queue, concurrency }, `the worker computes runs of queue ${queue}, ${concurrency} at a time`);
  await ended.promise;
}

async function accountScenes(
  config: Config,
  { stores, logger, scratchDir }: { readonly stores: Stores; readonly logger: Logger; readonly scratchDir: string },
): Promise<ReturnType<typeof scenesOfAccounts>> {
  if (config.earthEngineScenes === undefined) return {};
  const { installation, eoAccounts } = stores;
  const { dataDir, jwtSecret: configured, credentials: mounted, allowedOrigins } = config;
  const secret = await signingKey({ configured, dataDir, installation });
  const network = new Network({ settings: { allowedOrigins } });
  const credentials = eoCredentials({ mounted, secret, eoAccounts, network });
  return scenesOfAccounts(config, { credentials, network, stores, logger, scratchDir });
}

async function openWorker(
  config: Config,
  { queue, concurrency }: WorkerOptions,
  { logger, onDeath }: WorkerSurroundings,
): Promise<QueueWorker> {
  const { dataDir } = config;
  const stores = await openStores(config, { onDeath, debug: debugOf(config, logger) });
  try {
    await joinAsWorker(stores.installation, { dataDir, bucket: config.bucket?.name, onRival: onDeath });
    const { compute, layers, scratchDir } = await openComputing(config, logger);
    const scenes = await accountScenes(config, { stores, logger, scratchDir });
    return createQueueWorker({
      stores,
      compute: { ...compute, ...scenes },
      pipelines: pipelinesOf(config),
      settings: { ...workerSettingsOf(config), queue, concurrency },
      workService: config.workService,
      publication: publicationOf(config),
      baseUrl: config.baseUrl,
      mapServer: { capabilities: embeddedCapabilities(true) },
      remedies: REMEDIES,
      version: layers.version,
      ...(config.metricsPort === 0
        ? {}
        : { metrics: metricsOf(config, stores), freeBytes: () => freeBytesOf(dataDir) }),
      logger,
    });
  } catch (error) {
    await stores.close();
    throw error;
  }
}
