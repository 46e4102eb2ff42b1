import { isDomainError } from '@headwater/core';
import { ConfigError, readConfig, type Config } from './config.ts';
import { createSuperuserCommand } from './create-superuser.ts';
import { createLogger } from './logger.ts';
import { startServer } from './server.ts';

const STOP_MS = 4500;

/** Errors that a person can act on are one line; anything else keeps its stack. */
function tell(error: unknown): void {
  if (error instanceof ConfigError || isDomainError(error)) process.stderr.write(`\nheadwater cannot start: ${error.message}\n`);
  else process.stderr.write(`\nheadwater failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

async function run(config: Config): Promise<void> {
  const logger = createLogger(config.logLevel, config.dataDir);
  const onDeath = (reason: Error): void => {
    logger.error({ error: reason }, 'the embedded database died; the service stops, start it again: nothing that was published is lost');
    process.exit(1);
  };
  const server = await startServer(config, { logger, onDeath });
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    // Whatever still hangs then survives an exit: results are published in one transaction, files are renamed into place.
    setTimeout(() => process.exit(0), STOP_MS).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  await server.ready.catch((error: unknown) => {
    logger.error({ error }, 'the start-up work failed; the service goes on without it');
  });
}

const USAGE = `usage: headwater [serve] [--no-sample]
       headwater create-superuser --username NAME [--email ADDRESS] [--password PASSWORD]`;

async function main([first = 'serve', ...rest]: readonly string[]): Promise<void> {
  const [command, args] = first.startsWith('--') ? ['serve', [first, ...rest]] : [first, rest];
  if (command === 'create-superuser') return createSuperuserCommand(readConfig(process.env), args);
  const unknown = args.filter((arg) => arg !== '--no-sample');
  if (command !== 'serve' || unknown.length > 0) throw new ConfigError(`unknown: ${[command, ...unknown].join(' ')}\n${USAGE}`);
  return run(readConfig(process.env, args.includes('--no-sample') ? { sample: false } : {}));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  tell(error);
  process.exit(error instanceof ConfigError ? 2 : 1);
}
