import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDomainError } from '@headwater/core';
import { createPixelEngine } from '@headwater/raster';
import { algorithmProcess } from './algorithms/run-process.ts';
import { ACCOUNT_COMMANDS, type AccountCommand } from './account-commands.ts';
import { checkData } from './check-data.ts';
import { elevationOf, scenesOf } from './composition.ts';
import { keepCompiledCode } from './compiled-code.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { createSuperuserCommand } from './create-superuser.ts';
import { prepareDataDir, requireDataDir } from './data-dir.ts';
import { downloadBoundariesCommand } from './download-boundaries-command.ts';
import { exportStacCommand } from './export-stac-command.ts';
import { watchFaults } from './faults.ts';
import { importCommand } from './import-command.ts';
import { createLogger } from './logger.ts';
import { misspeltVariables } from './misspelt-variables.ts';
import { checkSampleSize, readServeOptions } from './serve-options.ts';
import { startServer } from './server.ts';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { stopOnSignals } from './stop-on-signals.ts';
import { workerCommand } from './worker-command.ts';
import { workflowFilesCommand } from './algorithms/workflow-command.ts';
import { callFrom } from './given-path.ts';

/**
 * libuv makes its pool when it is first used, which none of the imports does. Of its four threads two hash passwords and some compress
 * tiles, so that a file read waited for a fifth of a second. Whoever starts the process may have said another number.
 */
process.env['UV_THREADPOOL_SIZE'] ??= '8';
keepCompiledCode(process.env);
callFrom(process.env['INIT_CWD']);

/** Errors that a person can act on are one line; anything else keeps its stack. */
function tell(error: unknown, doing: string): void {
  if (error instanceof ConfigError || isDomainError(error))
    process.stderr.write(`\nheadwater ${doing}: ${error.message}\n`);
  else
    process.stderr.write(
      `\nheadwater failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
}

async function run(config: Config): Promise<void> {
  // Whoever reads along may leave; the service goes on.
  process.stdout.on('error', () => {});
  const terminal = createTerminal(process.stdout);
  const logger = createLogger(config.logLevel, config.dataDir, { ...config.log, output: terminal });
  const onDeath = (reason: Error): void => {
    logger.error(
      { error: reason },
      'the service cannot go on with its database and stops: nothing that was published is lost; mend the cause and start it again',
    );
    process.exit(1);
  };
  for (const line of misspeltVariables(process.env)) logger.error({}, line);
  const faults = watchFaults(logger);
  const server = await startServer(config, { logger, terminal, onDeath, fault: faults.reason });
  stopOnSignals(server.close, logger, faults);
  await server.ready.catch((error: unknown) => {
    logger.error({ error }, 'the start-up work failed; the service goes on without it');
  });
}

const USAGE = `usage: headwater [serve] [--no-sample | --sample-size KM] [--all-layers]
       headwater worker [--queue NAME] [--concurrency N]
       headwater check-data
       headwater import KIND FILE... [--state S --district D --tehsil T] [--options FILE] [--dry-run] [--report FILE]
       headwater export-stac --out PATH [--format static|ndjson|geoparquet] [--replace]
       headwater download-boundaries [--again]
       headwater workflow-files --out DIR [--pipeline NAME]... [--mode api|container] [--image REF] [--service URL]
                                | --check DIR
       headwater run-algorithm NAME [--PARAMETER VALUE]... [--parameters FILE|-] [--post URL] [--as-superuser]
                              | --list [--json]
       headwater create-superuser [--username NAME] [--email ADDRESS]
       headwater change-password --username NAME
       headwater disable-account --username NAME
       headwater enable-account --username NAME
       headwater --help
Passwords are asked for, or read from standard input.`;

const [first = 'serve', ...rest] = process.argv.slice(2);
const [command, args] = first.startsWith('--') ? ['serve', [first, ...rest]] : [first, rest];

/** Variables of `.env` in the current folder; what the environment has already wins. */
function loadDotEnv(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

async function onData(work: AccountCommand): Promise<void> {
  warnOfMisspelt();
  return work(readConfig(process.env), args);
}

/** For commands; a service tells it in its log. */
function warnOfMisspelt(): void {
  for (const line of misspeltVariables(process.env)) process.stderr.write(`headwater: ${line}\n`);
}

/** Exit code 1 tells a script that something is missing. */
async function checkDataCommand(): Promise<void> {
  if (args.length > 0) throw new ConfigError(`unknown: ${args.join(' ')}\n${USAGE}`);
  warnOfMisspelt();
  const config = readConfig(process.env);
  await requireDataDir(config.dataDir);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { dataDir, maxCloudCover } = config;
  const scratchDir = await mkdtemp(join(tmpdir(), 'headwater-check-'));
  const pixels = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins: config.allowedOrigins } });
  try {
    const isGood = await checkData({
      dataDir,
      earthObservation: scenesOf(config),
      elevation: elevationOf(config, { pixels, warn: print }),
      maxCloudCover,
      now: new Date(),
      print,
    });
    process.exitCode = isGood ? 0 : 1;
  } finally {
    await pixels.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}

/** Exit code 1 tells a script that a file is faulty. */
async function workflowFiles(): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const isGood = await workflowFilesCommand(args, { service: process.env['SERVICE_API_BASE'], print });
  process.exitCode = isGood ? 0 : 1;
}

/** Prints one result and nothing else. */
async function runAlgorithm(): Promise<void> {
  const config = (): Config => {
    warnOfMisspelt();
    return readConfig(process.env);
  };
  const service = process.env['SERVICE_API_BASE'];
  process.exit(await algorithmProcess({ args, config, service }, process));
}

async function serve(): Promise<void> {
  const config = readConfig(process.env, readServeOptions(args, USAGE));
  await prepareDataDir(config.dataDir);
  if (config.sample) await checkSampleSize(config);
  return run(config);
}

async function main(): Promise<void> {
  loadDotEnv();
  const accountCommand = ACCOUNT_COMMANDS.get(command);
  if (command === 'run-algorithm' && !args.includes('--help')) await runAlgorithm();
  else if (args.includes('--help')) process.stdout.write(`${USAGE}\n`);
  else if (command === 'create-superuser') await onData(createSuperuserCommand);
  else if (accountCommand !== undefined) await onData(accountCommand);
  else if (command === 'worker') await onData(workerCommand);
  else if (command === 'import') await onData(importCommand);
  else if (command === 'export-stac') await onData(exportStacCommand);
  else if (command === 'download-boundaries') await onData(downloadBoundariesCommand);
  else if (command === 'workflow-files') await workflowFiles();
  else if (command === 'check-data') await checkDataCommand();
  else if (command === 'serve') await serve();
  else throw new ConfigError(`unknown: ${command}\n${USAGE}`);
}

try {
  await main();
} catch (error) {
  tell(error, command === 'serve' ? 'cannot start' : `cannot do ${command}`);
  process.exit(error instanceof ConfigError ? 2 : 1);
}
