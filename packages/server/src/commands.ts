import { editDistance } from '@headwater/core/values';
import { createPixelEngine } from '@headwater/raster';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BACKUP, BACKUP_DETAILS, backupCommand } from './backup/backup-command.ts';
import {
  MOVE_DATABASE,
  MOVE_DETAILS,
  moveDatabaseCommand,
  RESTORE,
  RESTORE_DETAILS,
  restoreCommand,
} from './backup/restore-command.ts';
import { ACCOUNT_COMMANDS } from './account-commands.ts';
import { moveCommand } from './move/move-command.ts';
import { LIVE_DETAILS, LIVE_FORMS } from './move/move-options.ts';
import { RUN_ALGORITHM } from './algorithms/run-options.ts';
import { algorithmCommand } from './algorithms/run-process.ts';
import { workflowFilesCommand } from './algorithms/workflow-command.ts';
import { WORKFLOW_FILES_SYNTAX } from './algorithms/workflow-options.ts';
import { CHECK, CHECK_DETAILS, checkCommand } from './checks/start-checks.ts';
import { checkData } from './check-data.ts';
import { CLEAN, CLEAN_DETAILS, cleanCommand } from './maintenance/clean-command.ts';
import { type Command, type CommandCall, type CommandSyntax, usageOf } from './command.ts';
import { type Config, ConfigError } from './config/read-config.ts';
import { createServer } from './create-server.ts';
import { requireDataDir } from './data-dir.ts';
import { openStoresBeside } from './database.ts';
import { DOWNLOAD_BOUNDARIES, downloadBoundariesCommand } from './download-boundaries-command.ts';
import { DRAIN, DRAIN_DETAILS, drainCommand } from './maintenance/drain-command.ts';
import { EXPORT_DETAILS, EXPORT_STAC, exportStacCommand } from './export-stac-command.ts';
import { importCommand } from './import-command.ts';
import { IMPORT, IMPORT_DETAILS } from './import-options.ts';
import { INIT, INIT_DETAILS, initCommand } from './init/init-command.ts';
import { elevationOf, scenesOf } from './local-compute.ts';
import { CATALOG_DETAILS, MAKE_CATALOG, makeCatalogCommand } from './make-catalog/catalog-command.ts';
import { MAP_SERVER, MAP_SERVER_DETAILS, mapServerCommand } from './map-server-command.ts';
import { readArguments } from './read-arguments.ts';
import { readServeOptions, SERVE, SERVE_DETAILS } from './serve-options.ts';
import { SMOKE_TEST, SMOKE_TEST_DETAILS, smokeTestCommand } from './checks/smoke-test.ts';
import { workerCommand } from './worker-command.ts';
import { WORKER } from './worker-options.ts';

const CHECK_DATA: CommandSyntax = { name: 'check-data', options: [''] };

const CHECK_DATA_DETAILS: readonly string[] = [
  'Reads the boundaries in DATA_DIR/places, the catalogues of scenes in DATA_DIR/eo and at EO_STAC_API_URL (with EO_STAC_COLLECTION), and',
  'the elevations in DATA_DIR/dem and at DEM_STAC_API_URL. It needs no service and no database, and writes nothing.',
  'Prints, for each tehsil and hydrological year, how many scenes a run could use. Prints what is missing with its remedy, and files that no',
  'catalogue names. A year with TOO FEW scenes cannot be computed. Imported places are in the database and are not listed.',
  'Exit code 1: there is no place, a file or an Item was skipped, or a place has no boundary or no year with enough scenes. Example:',
  '  DATA_DIR=data npx headwater check-data',
];

async function checkDataCommand(config: Config, args: readonly string[]): Promise<void> {
  readArguments({ args, options: {} }, usageOf(CHECK_DATA));
  await requireDataDir(config.dataDir);
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const scratchDir = await mkdtemp(join(tmpdir(), 'headwater-check-'));
  const pixels = createPixelEngine({ scratchDir, threads: 1, network: { allowedOrigins: config.allowedOrigins } });
  try {
    const isGood = await checkData({
      dataDir: config.dataDir,
      earthObservation: scenesOf(config),
      elevation: elevationOf(config, { pixels, warn: print }),
      maxCloudCover: config.maxCloudCover,
      now: new Date(),
      shell: config.shell,
      print,
    });
    process.exitCode = isGood ? 0 : 1;
  } finally {
    await pixels.close();
    await rm(scratchDir, { recursive: true, force: true });
  }
}

const MIGRATE: CommandSyntax = { name: 'migrate', options: [''] };

/** Creates or migrates the tables of the database. Opening the stores does this. */
async function migrateCommand(config: Config, args: readonly string[]): Promise<void> {
  readArguments({ args, options: {} }, usageOf(MIGRATE));
  const stores = await openStoresBeside(config);
  await stores.close();
  process.stdout.write('the database has the tables of this version\n');
}

async function serveCommand({ args, config, warnOfMisspelt }: CommandCall): Promise<void> {
  const server = await createServer(config(readServeOptions(args)), { ownsProcess: true });
  warnOfMisspelt((line) => server.logger.error({}, line));
  await server.start();
}

const onData =
  (work: (config: Config, args: readonly string[]) => Promise<void>): Command['run'] =>
  async ({ args, config, warnOfMisspelt }) => {
    const print = (line: string): unknown => process.stderr.write(`headwater: ${line}\n`);
    warnOfMisspelt(print);
    const settings = config();
    settings.warnings.forEach((line) => print(`warning: ${line}`));
    return work(settings, args);
  };

/** All sub-commands, in the order of `headwater --help`. The first is the default. */
export const COMMANDS: readonly Command[] = [
  {
    ...SERVE,
    help: 'Starts the server; the first start also computes the sample. The default command.',
    details: SERVE_DETAILS,
    run: serveCommand,
  },
  {
    ...INIT,
    help: 'Asks for the settings of an installation, and does its first steps.',
    details: INIT_DETAILS,
    run: initCommand,
  },
  { ...WORKER, help: 'Computes runs that services on the same PostgreSQL have queued.', run: onData(workerCommand) },
  {
    ...MIGRATE,
    help: 'Creates or changes the tables of the database for this version. A start of the server does this too.',
    run: onData(migrateCommand),
  },
  {
    ...DRAIN,
    help: 'Stops all servers and workers from starting runs, and waits until the runs in progress have ended.',
    details: DRAIN_DETAILS,
    run: onData(drainCommand),
  },
  {
    ...CHECK,
    help: 'Reports every problem that a start would find, without a start.',
    details: CHECK_DETAILS,
    run: checkCommand,
  },
  {
    ...CHECK_DATA,
    help: 'Lists places, scenes and elevations, and the bands that are missing.',
    details: CHECK_DATA_DETAILS,
    run: onData(checkDataCommand),
  },
  {
    ...MAKE_CATALOG,
    help: 'Converts downloads of Sentinel-2 L2A to COGs and a STAC catalog in DATA_DIR/eo.',
    details: CATALOG_DETAILS,
    run: onData(makeCatalogCommand),
  },
  {
    ...IMPORT,
    options: [...IMPORT.options, ...LIVE_FORMS],
    help: 'Imports files of places, boundaries, tables or layers, or moves a live system.',
    details: [...IMPORT_DETAILS, ...LIVE_DETAILS],
    run: onData(async (config, [kind, ...rest]) => {
      if (kind === 'live-system') return await moveCommand(config, rest);
      await importCommand(config, kind === undefined ? [] : [kind, ...rest]);
    }),
  },
  {
    ...EXPORT_STAC,
    help: 'Exports the published Items as STAC files.',
    details: EXPORT_DETAILS,
    run: onData(exportStacCommand),
  },
  {
    ...MAP_SERVER,
    help: 'Compares the map server with the published layers, and repairs it.',
    details: MAP_SERVER_DETAILS,
    run: onData(mapServerCommand),
  },
  {
    ...BACKUP,
    help: 'Makes or verifies a backup of the database and the files.',
    details: BACKUP_DETAILS,
    run: onData(backupCommand),
  },
  {
    ...RESTORE,
    help: 'Restores a backup into DATA_DIR and the database.',
    details: RESTORE_DETAILS,
    run: onData(restoreCommand),
  },
  {
    ...MOVE_DATABASE,
    help: 'Moves the embedded database to the PostgreSQL of DB_HOST.',
    details: MOVE_DETAILS,
    run: onData(moveDatabaseCommand),
  },
  {
    ...CLEAN,
    help: 'Removes files of DATA_DIR that nothing uses.',
    details: CLEAN_DETAILS,
    run: onData(cleanCommand),
  },
  {
    ...DOWNLOAD_BOUNDARIES,
    help: 'Downloads and stores the boundaries of BOUNDARY_DATA_URL.',
    run: onData(downloadBoundariesCommand),
  },
  {
    ...SMOKE_TEST,
    help: 'Reads the ten routes of public data of a running service.',
    details: SMOKE_TEST_DETAILS,
    run: onData(smokeTestCommand),
  },
  {
    ...WORKFLOW_FILES_SYNTAX,
    help: 'Writes or checks the workflow files of pipelines.',
    run: async ({ args, service }) => {
      const print = (line: string): void => void process.stdout.write(`${line}\n`);
      process.exitCode = (await workflowFilesCommand(args, { service, print })) ? 0 : 1;
    },
  },
  { ...RUN_ALGORITHM, help: 'Runs one pipeline in this process and prints its result.', run: algorithmCommand },
  ...ACCOUNT_COMMANDS.map(({ run, ...command }) => ({ ...command, run: onData(run) })),
];

/** Returns the usage and help of each command. */
export function usageText(): string {
  const all = COMMANDS.map((command, i) => {
    const usage = usageOf(command);
    const lines = i === 0 ? usage.replace('serve', '[serve]') : usage.replace('usage:', '      ');
    return `${lines}\n           ${command.help}`;
  });
  return [
    ...all,
    '       headwater [COMMAND] --help',
    'Commands ask for passwords, or read them from standard input.',
  ].join('\n');
}

/**
 * Runs the command that the arguments name. `help NAME` means `NAME --help`. Throws `ConfigError` for an unknown
 * command.
 */
export async function runCommand({ args: given, ...surroundings }: CommandCall): Promise<void> {
  const all = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  const { name, args } = splitArguments(all);
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw new ConfigError(unknownCommand(name));
  if (!args.includes('--help')) return command.run({ ...surroundings, args });
  const lines = all[0] === '--help' ? [usageText()] : [usageOf(command), command.help, ...(command.details ?? [])];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Name and arguments of a command. The name is `serve` without arguments, or if the first one is an option. */
export function splitArguments([first = 'serve', ...rest]: readonly string[]): Pick<Command, 'name'> &
  Pick<CommandCall, 'args'> {
  return first.startsWith('--') ? { name: 'serve', args: [first, ...rest] } : { name: first, args: rest };
}

/** Message about an unknown command, with the most similar name if there is a similar one. */
export function unknownCommand(name: string): string {
  const scored = COMMANDS.map((each) => ({ name: each.name, distance: editDistance(name, each.name) }));
  const [nearest] = scored.toSorted((a, b) => a.distance - b.distance);
  const meant =
    nearest !== undefined && nearest.distance <= nearest.name.length / 2 ? ` Did you mean ${nearest.name}?` : '';
  return `unknown command: ${name}.${meant} "npx headwater --help" lists all commands.`;
}
