import { createServer as createProbe } from 'node:net';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { AnyPipeline, Logger } from '@headwater/core';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { type Config, readConfig } from './config/read-config.ts';
import { prepareDataDir } from './data-dir.ts';
import { watchFaults } from './faults.ts';
import { createLogger } from './logger.ts';
import { checkSampleSize } from './serve-options.ts';
import { startServer, type StartedServer } from './start-server.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** Settings of a server; absent ones have the defaults of `.env.example`. `port: 0` takes a free port. */
export type ServerConfig = Partial<Config>;

/** Parts of a server that are not settings. */
export interface ServerOptions {
  /** Receives the log, the banner and the progress of a start; default: stdout. */
  readonly output?: Parameters<typeof createTerminal>[0];
  /** Pipelines of the server; default: every pipeline of Headwater. */
  readonly pipelines?: readonly AnyPipeline[];
  /**
   * The process is the server's: SIGINT and SIGTERM stop it in good order, and a rejection that nothing handles, or the loss of the
   * database, ends it with exit code 1. Default: false; what happens then is the caller's to decide.
   */
  readonly ownsProcess?: boolean;
  /** Called if the server lost its database and cannot go on; it is logged before. */
  readonly onDeath?: (reason: Error) => void;
}

/** A whole server: database, worker, HTTP service, and the sample unless it is switched off. */
export interface Server {
  /** Public address, without a slash at its end. */
  readonly address: string;
  readonly logger: Logger;
  /** Resolves when the server listens. Throws `ConfigError` if a setting cannot be used. */
  start(): Promise<void>;
  /** Resolves when the work of a start is done: the sample exists and its layers are computed. Rejects if it failed. */
  ready(): Promise<void>;
  /** Stops listening, sends answers under way, queues running work again and closes everything: about 4 s at most. */
  stop(): Promise<void>;
}

/**
 * Creates a server from settings: the folder of the data is made, nothing listens yet. Throws `ConfigError` naming the variable of a
 * setting that cannot be used.
 *
 *     const server = await createServer({ dataDir: 'data', port: 8080 });
 *     await server.start();
 */
export async function createServer(given: ServerConfig = {}, options: ServerOptions = {}): Promise<Server> {
  const config = await completeConfig(given);
  await prepareDataDir(config.dataDir);
  if (config.sample) await checkSampleSize(config);
  // The reader of stdout may leave; the service goes on.
  if (options.ownsProcess === true) process.stdout.on('error', () => {});
  const terminal = createTerminal(options.output ?? process.stdout);
  const logger = createLogger(config.logLevel, config.dataDir, { ...config.log, output: terminal });
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
      // The service goes on without what a start computes; `ready` rejects for who waits for it.
      server.ready.catch((error: unknown) => {
        logger.error({ error }, 'the start-up work failed; the service goes on without it');
      });
      if (faults !== undefined) stopOnSignals(server.close, logger, faults);
    },
    ready: async () => started?.ready,
    stop: async () => started?.close(),
  };
}

const DEATH =
  'the service cannot go on with its database and stops: nothing that was published is lost; mend the cause and start it again';

async function completeConfig(given: ServerConfig): Promise<Config> {
  const merged = { ...readConfig({}), ...given };
  const port = merged.port === 0 ? await freePort(merged.host) : merged.port;
  const { baseUrl = `http://localhost:${port}`, baseUrlIsGiven = given.baseUrl !== undefined } = given;
  return { ...merged, dataDir: resolve(merged.dataDir), port, baseUrl, baseUrlIsGiven };
}

/** The address of a server is a part of what it publishes, so the port is known before it listens. */
async function freePort(host: string): Promise<number> {
  const probe = createProbe().listen({ host, port: 0 });
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
