import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { isDomainError } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import { LAST_BACKUP_AT } from '@headwater/core/runs';
import { type Database, storesOver, tablesOf } from '@headwater/postgres';
import { type FolderLock, lockFolder } from '@headwater/postgres/embedded';
import { unlessMissing } from '@headwater/net/files';
import { createProgressBar, createTerminal, type ProgressBar, type Terminal } from '@headwater/stac-cli/terminal';
import { type CommandSyntax, usageOf } from '../command.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import { openWholeDatabase, refuseRestoring } from '../database.ts';
import { prepareFolder } from '../data-dir.ts';
import { checkAssets } from '../join-servers.ts';
import { callerPath, readArguments } from '../read-arguments.ts';
import { readVersion } from '../read-version.ts';
import { baseFiles } from './data-files.ts';
import { backupLines, missingLines } from './backup-report.ts';
import { makeBackup } from './make-backup.ts';
import { type Backup, backupsOf, readBackup } from './manifest.ts';
import { verifyBackup } from './restore-backup.ts';
import { type BackupSeries, removeOldBackups } from './retention.ts';
import { abortOnSignals } from '../stop-on-signals.ts';

/** Syntax of `headwater backup`. */
export const BACKUP: CommandSyntax = {
  name: 'backup',
  options: [
    'FOLDER [--keep N] [--if-older HOURS] [--base BACKUP] [--without-secrets] [--without-inputs]',
    '--verify BACKUP',
  ],
};

/** Lines of `headwater backup --help` after its usage. */
export const BACKUP_DETAILS: readonly string[] = [
  'Writes a new folder headwater-TIME in FOLDER, with every row of the database (embedded or PostgreSQL) and the files of DATA_DIR except the',
  'logs and scratch files. The service may run: all rows are from the same moment, and every file that an Item names is copied and compared with its',
  'checksum. On the embedded database, requests wait while the rows are read (about a second for 20 MB).',
  'Also backs up a database with the tables of another version of Headwater.',
  '--keep N             then removes older complete backups of this installation in FOLDER, also if this backup fails. Keeps the newest N, and each',
  "                     older backup with an Item's file that the newest backup lacks",
  '--if-older HOURS     makes no backup if the newest backup of this installation in FOLDER is younger than HOURS',
  '--base BACKUP        stores unchanged files as hard links to the files of BACKUP; default: the newest backup of this installation in FOLDER',
  '--without-secrets    leaves out the key that signs tokens; after a restore all users must sign in again',
  '--without-inputs     leaves out the scenes and elevations in DATA_DIR/eo and DATA_DIR/dem',
  '--verify BACKUP      checks every file of a backup against its checksum, and writes nothing',
  'A backup contains e-mail addresses and the hashes of passwords and keys, also without secrets: protect it. Variables (JWT_SECRET, .env) and',
  'the file of GOOGLE_APPLICATION_CREDENTIALS are never part of it. Example, once a day:',
  '  npx headwater backup /mnt/backups --keep 7',
  'Exit code 3: the backup is stored, but DATA_DIR lacks files of Items. Another backup would lack them too, so do not repeat it.',
];

const OPTIONS = {
  keep: { type: 'string' },
  'if-older': { type: 'string' },
  base: { type: 'string' },
  verify: { type: 'string' },
  'without-secrets': { type: 'boolean', default: false },
  'without-inputs': { type: 'boolean', default: false },
} as const;

const HOUR_MS = 3_600_000;
/** Exit code of a backup that is stored, but lacks files of Items. */
export const INCOMPLETE = 3;

/** Options of `headwater backup`; `verify` excludes all others. */
export interface BackupOptions {
  readonly verify: string | undefined;
  /** Absolute path of the folder of backups. */
  readonly target: string;
  readonly keep: number | undefined;
  /** A backup is made if the newest one is at least this old, ms. 0: always. */
  readonly ifOlderMs: number;
  readonly base: string | undefined;
  readonly withSecrets: boolean;
  readonly withInputs: boolean;
}

/** Parses the arguments. Throws `ConfigError` with the wrong argument. */
export function readBackupOptions(args: readonly string[]): BackupOptions {
  const usage = usageOf(BACKUP);
  const { values, positionals } = readArguments({ args, options: OPTIONS, allowPositionals: true }, usage);
  const { verify, keep, base, 'if-older': ifOlder = '0' } = values;
  const [target, ...more] = positionals;
  if (verify !== undefined && args.length > (args.includes('--verify') ? 2 : 1))
    throw new ConfigError(`--verify: needs only the folder of a backup, and no other option.\n${usage}`);
  if (verify === undefined && (target === undefined || more.length > 0))
    throw new ConfigError(`FOLDER: one folder for the backup is needed.\n${usage}`);
  if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep))
    throw new ConfigError(
      `--keep: ${JSON.stringify(keep)} is not a number of backups; give a whole number from 1.\n${usage}`,
    );
  if (!/^\d{1,4}$/.test(ifOlder))
    throw new ConfigError(
      `--if-older: ${JSON.stringify(ifOlder)} is not a number of hours; give a number from 0 to 9999.\n${usage}`,
    );
  return {
    verify: verify === undefined ? undefined : callerPath(verify),
    target: callerPath(target ?? ''),
    keep: keep === undefined ? undefined : Number(keep),
    ifOlderMs: Number(ifOlder) * HOUR_MS,
    base: base === undefined ? undefined : callerPath(base),
    withSecrets: !values['without-secrets'],
    withInputs: !values['without-inputs'],
  };
}

/** Backs up the database and files, with or without a running service. `--verify` verifies a backup instead. */
export async function backupCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readBackupOptions(args);
  const terminal = createTerminal(process.stdout);
  if (options.verify !== undefined) return await verify(options.verify, terminal);
  await refuseInside(config.dataDir, options.target);
  refuseRestoring(config.dataDir);
  const database = await openWholeDatabase(config, { isAlone: false });
  try {
    await backUp(database, config, { options, terminal });
  } finally {
    await database.close();
  }
}

interface Task {
  readonly options: BackupOptions;
  readonly terminal: Terminal;
}

async function backUp(database: Database, config: Config, task: Task): Promise<void> {
  const { target } = task.options;
  const lock = await lockTarget(target);
  try {
    // Databases of the first versions have no table `installation`.
    const { own, foreign } = await tablesOf(database, database.schema);
    refuseNoTables(own, database, config);
    const installation = own.includes('installation') ? await installationId(database, config) : undefined;
    const young = await youngBackup({ target, installation }, task.options.ifOlderMs);
    if (young !== undefined) {
      task.terminal.write(`${young}\n`);
      return;
    }
    await backUpSeries(database, config, { ...task, installation, foreign });
  } finally {
    lock.release();
  }
}

/** Throws `ConfigError` if the database has no tables, because the backup would contain no data. */
function refuseNoTables(own: readonly string[], { place }: Database, { database }: Config): void {
  if (own.length > 0) return;
  const setting = database === undefined ? 'DATA_DIR' : 'DB_NAME';
  throw new ConfigError(
    `${setting}: ${place} has no tables of Headwater. Set ${setting} to the value that the service uses.`,
  );
}

/** Returns a message that no backup is due; undefined if a new backup is due. */
async function youngBackup({ target, installation }: BackupSeries, ifOlderMs: number): Promise<string | undefined> {
  const newest = ifOlderMs === 0 ? undefined : (await backupsOf(installation, target)).at(-1);
  const ageMs = Date.now() - Date.parse(newest?.manifest.createdAt ?? '');
  // If the newest backup has a time in the future, the clock is wrong. Then a backup counts as due, so that
  // `makeBackup` throws its error about the clock.
  if (newest === undefined || ageMs < 0 || ageMs >= ifOlderMs) return undefined;
  return `no backup is due: ${join(target, newest.name)} is ${(ageMs / HOUR_MS).toFixed(1)} hours old`;
}

interface SeriesTask extends Task {
  readonly installation: string | undefined;
  readonly foreign: readonly string[];
}

/**
 * Makes a backup, then removes old backups if `keep` is set. Also removes them after a failure (except after a signal),
 * because the disk may be full.
 */
async function backUpSeries(database: Database, config: Config, task: SeriesTask): Promise<void> {
  const { terminal, installation, foreign } = task;
  const { target, keep } = task.options;
  const stop = abortOnSignals((signal) => `stopped by ${signal}; the backup is not complete. Run the command again.`);
  try {
    const backup = await newBackup(database, config, { ...task, signal: stop });
    for (const line of await backupLines(backup, config)) terminal.write(`${line}\n`);
    for (const line of await missingLines(backup, installation)) terminal.write(`${line}\n`);
    for (const name of foreign)
      terminal.write(
        `  ${JSON.stringify(name)} in the schema of the database is not part of the backup: Headwater did not create it.\n`,
      );
    const { missing, createdAt } = backup.manifest;
    if (missing.length > 0) process.exitCode = INCOMPLETE;
    // Health and metrics report this time.
    else if (installation !== undefined) await storesOver(database).installation.write(LAST_BACKUP_AT, createdAt);
  } finally {
    if (keep !== undefined && !stop.aborted) {
      const { removed, spared } = await removeOldBackups({ target, installation }, keep);
      if (removed.length > 0) terminal.write(`removed: ${removed.join(', ')}\n`);
      if (spared.length > 0)
        terminal.write(
          `not removed, because they have files that are missing in the newest backup: ${spared.join(', ')}\n`,
        );
    }
  }
}

async function newBackup(
  database: Database,
  config: Config,
  { options, terminal, installation, signal }: SeriesTask & { readonly signal: AbortSignal },
): Promise<Backup> {
  const { target, withSecrets, withInputs } = options;
  const base = options.base ?? (await backupsOf(installation, target)).at(-1)?.name;
  const earlier = base === undefined ? undefined : await readBackup(options.base ?? join(target, base));
  const bar = barOf('backup', terminal);
  try {
    return await makeBackup({
      database,
      dataDir: config.dataDir,
      target,
      base: earlier === undefined ? undefined : baseFiles(earlier),
      withSecrets,
      withInputs,
      installation,
      version: await readVersion(),
      now: new Date(),
      signal,
      progress: (share, step) => bar.update(share, step),
    });
  } finally {
    bar.end();
  }
}

/**
 * Returns the id of the installation. Throws `ConfigError` if DATA_DIR does not belong to the PostgreSQL database,
 * because the backup would contain no files of the service.
 */
async function installationId(database: Database, { database: remote, dataDir }: Config): Promise<string> {
  const { installation } = storesOver(database);
  if (remote !== undefined) await checkAssets(installation, dataDir);
  return await installation.getOrCreate('backup id', randomUUID());
}

/** Creates a progress bar that is drawn only on a terminal. */
export const barOf = (title: string, terminal: Terminal): ProgressBar =>
  createProgressBar(title, { terminal, logger: { info: () => {} } });

async function lockTarget(target: string): Promise<FolderLock> {
  await prepareFolder('FOLDER', target, 0o700);
  try {
    return lockFolder(
      target,
      (folder, holder) => `${folder} is in use by ${holder}, which writes a backup; wait until that process has ended`,
    );
  } catch (error) {
    throw isDomainError(error) ? new ConfigError(`FOLDER: ${error.message}.`) : error;
  }
}

/** Throws `ConfigError` for a folder in DATA_DIR, where a backup would be lost together with the data. */
async function refuseInside(dataDir: string, target: string): Promise<void> {
  const path = relative(await realPathOf(dataDir), await realPathOf(target));
  if (path === '..' || path.startsWith('../')) return;
  throw new ConfigError(`FOLDER: ${target} is inside DATA_DIR (${dataDir}). Choose a folder on another disk.`);
}

async function realPathOf(path: string): Promise<string> {
  const real = await unlessMissing(realpath(path));
  return real ?? join(await realPathOf(dirname(path)), basename(path));
}

async function verify(folder: string, terminal: Terminal): Promise<void> {
  const backup = await readBackup(folder);
  const bar = barOf('verify', terminal);
  try {
    await verifyBackup(backup, (share, step) => bar.update(share, step));
  } finally {
    bar.end();
  }
  const { manifest } = backup;
  terminal.write(
    `${backup.folder} is complete: ${countOf(manifest.files.length, 'file')} of ${manifest.createdAt}, version ${manifest.version}, revision ${manifest.database.revision}\n`,
  );
}
