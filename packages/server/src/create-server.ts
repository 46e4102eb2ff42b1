import { createServer as createProbe } from 'node:net';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { AnyPipeline, Logger } from '@headwater/core';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { type Config, readConfig } from './config/read-config.ts';
import { prepareDataDir } from './data-dir.ts';
import { watchFaults, stopOnSignals } from './stop-on-signals.ts';
import { createLogger } from './logger.ts';
import { checkSampleSize } from './serve-options.ts';
import { startServer, type StartedServer } from './start-server.ts';

/**
 * Settings of a server; defaults as in `.env.example`. `port: 0` uses a free port, and no second port for maps unless
 * `mapServerPort` is set.
 */
export type ServerConfig = Partial<Config>;

/** Parts of a server that are not settings. */
export interface ServerOptions {
  /** Receives the log, the banner and the progress of a start; default: stdout. */
  readonly output?: Parameters<typeof createTerminal>[0];
  readonly pipelines?: readonly AnyPipeline[];
  /**
   * True: SIGINT and SIGTERM stop the process. An unhandled rejection or the loss of the database ends it with exit
   * code 1. False, the default: the caller handles these events.
   */
  readonly ownsProcess?: boolean;
  /** Called after the server has lost its database and logged the loss. */
  readonly onDeath?: (reason: Error) => void;
}

/** A complete server: database, worker, HTTP service, and the sample unless it is disabled. */
export interface Server {
  readonly address: string;
  readonly logger: Logger;
  /** Resolves when the server listens. Throws `ConfigError` for an invalid setting. */
  start(): Promise<void>;
  /**
   * Resolves when the sample exists and the runs of its layers have ended, with or without success. Rejects if the
   * sample could not be generated, or the first run could not start.
   */
  ready(): Promise<void>;
  /**
   * Stops listening, finishes requests, returns running work to the queue and closes everything. Takes at most 8 s
   * after STOP_DELAY_SECONDS.
   */
  stop(): Promise<void>;
}

/**
 * Creates a server from settings. Creates the data folder, but does not listen yet. Throws `ConfigError` with the
 * variable of an invalid setting.
 *
 *     const server = await createServer({ dataDir: 'data', port: 8080 });
 *     await server.start();
 */
export async function createServer(settings: ServerConfig = {}, options: ServerOptions = {}): Promise<Server> {
  const config = await completeConfig(settings);
  await prepareDataDir(config.dataDir);
  if (config.sample) await checkSampleSize(config);
  // The error is ignored, so that the service continues if the program that reads stdout ends.
  if (options.ownsProcess === true) process.stdout.on('error', () => {});
  const terminal = createTerminal(options.output ?? process.stdout);
  const logger = createLogger(config.logLevel, config.dataDir, { ...config.log, output: terminal });
  for (const warning of config.warnings) logger.info({}, `warning: ${warning}`);
  const onDeath = (error: Error): void => {
    logger.error({ error }, DEATH);
    options.onDeath?.(error);
    if (options.ownsProcess === true) process.exit(1);
  };
  const faults = options.ownsProcess === true ? watchFaults(logger) : undefined;
  let started: StartedServer | undefined;
  return {
    address: config.baseUrl,
    logger,
    async start() {
      if (started !== undefined) throw new Error('the server is started already');
      const { pipelines } = options;
      const server = await startServer(config, { pipelines, logger, terminal, onDeath, fault: () => faults?.reason() });
      started = server;
      // The service continues without the work of the start. Callers of `ready` get the error.
      server.ready.catch((error: unknown) => {
        logger.error(
          { error },
          'the start-up work (sample data and layers) failed, and the service continues without its results; correct the cause and restart the service',
        );
      });
      if (faults !== undefined) stopOnSignals(server.close, logger, { ...faults, delayMs: config.stopDelayMs });
    },
    ready: async () => started?.ready,
    stop: async () => started?.close(),
  };
}

const DEATH =
  'the service lost its database and stops; published data are not lost. Fix the cause and restart the service';

async function completeConfig(settings: ServerConfig): Promise<Config> {
  const merged = { ...readConfig({}), ...settings };
  const port = merged.port === 0 ? await freePort(merged.host) : merged.port;
  const { baseUrl = `http://localhost:${port}`, baseUrlIsGiven = settings.baseUrl !== undefined } = settings;
  // A second port with a fixed number could be in use, so with port 0 there is none by default.
  const mapServerPort = settings.mapServerPort ?? (merged.port === 0 ? 0 : merged.mapServerPort);
  return { ...merged, dataDir: resolve(merged.dataDir), port, mapServerPort, baseUrl, baseUrlIsGiven };
}

/** Finds a free port. Published documents contain the address, so the port must be known before the server listens. */
async function freePort(host: string): Promise<number> {
  const probe = createProbe().listen({ host, port: 0 });
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
