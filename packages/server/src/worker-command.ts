import type { Logger } from '@headwater/core';
import { createQueueWorker, type QueueWorker } from '@headwater/http-service';
import { openWorkshop, pipelinesOf, workerSettingsOf } from './composition.ts';
import { type Config, ConfigError } from './config/read-config.ts';
import { requireDataDir } from './data-dir.ts';
import { openStores } from './database.ts';
import { createLogger } from './logger.ts';
import { watchFaults } from './faults.ts';
import { REMEDIES } from './remedies.ts';
import { joinAsWorker } from './several-servers.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { readWorkerOptions, type WorkerOptions } from './worker-options.ts';

const GRACE_MS = 2500;

/** What surrounds a worker. */
interface WorkerSurroundings {
  readonly logger: Logger;
  /** Called when the worker must not go on. */
  readonly onDeath: (reason: Error) => void;
}

/**
 * Works on the runs that services on the same PostgreSQL and DATA_DIR have queued, until it is told to stop: what it is at then goes back
 * into the queue, and the exit code is 0.
 */
export async function workerCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readWorkerOptions(args);
  if (config.database === undefined)
    throw new ConfigError(
      'DB_HOST: is not set, and the embedded database belongs to the one process that opens it: the service works on its runs itself. ' +
        'Set DB_HOST to the PostgreSQL of the service, which then runs with WORKER=off.',
    );
  await requireDataDir(config.dataDir);
  // Whoever reads along may leave; the worker goes on.
  process.stdout.on('error', () => {});
  const terminal = createTerminal(process.stdout);
  const logger = createLogger(config.logLevel, config.dataDir, { ...config.log, output: terminal });
  const onDeath = (reason: Error): void => {
    logger.error({ error: reason }, 'the worker must not go on and stops; mend the cause and start it again');
    process.exit(1);
  };
  const faults = watchFaults(logger);
  const { worker, close } = await openWorker(config, options, { logger, onDeath });
  const { queue, concurrency } = options;
  const ended = Promise.withResolvers<void>();
  stopOnSignals(() => close(GRACE_MS).then(ended.resolve, ended.reject), logger, faults);
  worker.start();
  logger.info({ queue, concurrency }, `the worker takes runs of queue ${queue}, ${concurrency} at a time`);
  await ended.promise;
}

async function openWorker(
  config: Config,
  { queue, concurrency }: WorkerOptions,
  { logger, onDeath }: WorkerSurroundings,
): Promise<QueueWorker> {
  const { dataDir } = config;
  const stores = await openStores(config, { onDeath });
  try {
    await joinAsWorker(stores.installation, { dataDir, onRival: onDeath });
    const { compute, layers } = await openWorkshop(config, logger);
    return createQueueWorker({
      stores,
      compute,
      pipelines: pipelinesOf(config),
      settings: { ...workerSettingsOf(config), queue, concurrency },
      workService: config.workService,
      publication: config.publication,
      baseUrl: config.baseUrl,
      remedies: REMEDIES,
      version: layers.version,
      logger,
    });
  } catch (error) {
    await stores.close();
    throw error;
  }
}
