import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isDomainError } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import { LAST_BACKUP_AT } from '@headwater/core/runs';
import { type Database, storesOver, tablesOf } from '@headwater/postgres';
import { type FolderLock, lockFolder } from '@headwater/postgres/embedded';
import { createProgressBar, createTerminal, type ProgressBar, type Terminal } from '@headwater/stac-cli/terminal';
import { type CommandSyntax, usageOf } from '../command.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import { openWholeDatabase } from '../database.ts';
import { checkAssets } from '../join-servers.ts';
import { callerPath, readArguments } from '../read-arguments.ts';
import { readVersion } from '../read-version.ts';
import { baseFiles } from './data-files.ts';
import { makeBackup, removeOldBackups } from './make-backup.ts';
import { type Backup, backupsOf, readBackup } from './manifest.ts';
import { verifyBackup } from './restore-backup.ts';
import { abortOnSignals } from '../stop-on-signals.ts';

/** Syntax of `headwater backup`. */
export const BACKUP: CommandSyntax = {
  name: 'backup',
  options: ['FOLDER [--keep N] [--base BACKUP] [--without-secrets] [--without-inputs]', '--verify BACKUP'],
};

/** Lines of `headwater backup --help` after its usage. */
export const BACKUP_DETAILS: readonly string[] = [
  'Writes a new folder headwater-TIME in FOLDER, with every row of the database (embedded or PostgreSQL) and the files of DATA_DIR except the',
  'logs and scratch files. The service may run: the rows are of one moment, and every file that an Item names is copied and compared with its',
  'checksum. On the embedded database, requests wait while the rows are read (about a second for 20 MB). Works with every database version.',
  '--keep N             removes all complete backups of this installation in FOLDER except the newest N, unless a file of an Item was missing',
  '--base BACKUP        unchanged files are hard links to those of this backup; default: the newest one of this installation in FOLDER',
  '--without-secrets    leaves out the key that signs tokens; after a restore all users sign in again',
  '--without-inputs     leaves out the scenes and elevations in DATA_DIR/eo and DATA_DIR/dem',
  '--verify BACKUP      checks every file of a backup against its checksum, and writes nothing',
  'A backup contains e-mail addresses and the hashes of passwords and keys, also without secrets: protect it. Variables (JWT_SECRET, .env) and',
  'the file of GOOGLE_APPLICATION_CREDENTIALS are never part of it. Example, once a day:',
  '  npx headwater backup /mnt/backups --keep 7',
];

const OPTIONS = {
  keep: { type: 'string' },
  base: { type: 'string' },
  verify: { type: 'string' },
  'without-secrets': { type: 'boolean', default: false },
  'without-inputs': { type: 'boolean', default: false },
} as const;

/** Options of `headwater backup`; `verify` excludes all others. */
export interface BackupOptions {
  readonly verify: string | undefined;
  /** Absolute path of the folder of backups. */
  readonly target: string;
  readonly keep: number | undefined;
  readonly base: string | undefined;
  readonly withSecrets: boolean;
  readonly withInputs: boolean;
}

/** Parses the arguments. Throws `ConfigError` with the wrong argument. */
export function readBackupOptions(args: readonly string[]): BackupOptions {
  const usage = usageOf(BACKUP);
  const { values, positionals } = readArguments({ args, options: OPTIONS, allowPositionals: true }, usage);
  const { verify, keep, base } = values;
  const [target, ...more] = positionals;
  if (verify !== undefined && args.length > (args.includes('--verify') ? 2 : 1))
    throw new ConfigError(`--verify: needs only the folder of a backup, and no other option.\n${usage}`);
  if (verify === undefined && (target === undefined || more.length > 0))
    throw new ConfigError(`FOLDER: one folder for the backup is needed.\n${usage}`);
  if (keep !== undefined && !/^[1-9]\d{0,5}$/.test(keep))
    throw new ConfigError(`--keep: ${JSON.stringify(keep)} is not a number of backups from 1.\n${usage}`);
  return {
    verify: verify === undefined ? undefined : callerPath(verify),
    target: callerPath(target ?? ''),
    keep: keep === undefined ? undefined : Number(keep),
    base: base === undefined ? undefined : callerPath(base),
    withSecrets: !values['without-secrets'],
    withInputs: !values['without-inputs'],
  };
}

/** Makes a backup of the database and files, next to a running service or without a service; or verifies one. */
export async function backupCommand(config: Config, args: readonly string[]): Promise<void> {
  const options = readBackupOptions(args);
  const terminal = createTerminal(process.stdout);
  if (options.verify !== undefined) return await verify(options.verify, terminal);
  refuseInside(config.dataDir, options.target);
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

async function backUp(database: Database, config: Config, { options, terminal }: Task): Promise<void> {
  const { target, keep } = options;
  const lock = await lockTarget(target);
  const bar = barOf('backup', terminal);
  try {
    // Databases of the first versions cannot store the id of their installation.
    const { own, foreign } = await tablesOf(database, database.schema);
    const installation = own.includes('installation') ? await installationId(database, config) : undefined;
    const base = options.base ?? (await backupsOf(installation, target)).at(-1);
    const earlier = base === undefined ? undefined : await readBackup(options.base ?? join(target, base));
    const { folder, manifest } = await makeBackup({
      database,
      dataDir: config.dataDir,
      target,
      base: earlier === undefined ? undefined : baseFiles(earlier),
      withSecrets: options.withSecrets,
      withInputs: options.withInputs,
      installation,
      version: await readVersion(),
      now: new Date(),
      signal: abortOnSignals((signal) => `stopped by ${signal}; the backup was not completed.`),
      progress: (share, step) => bar.update(share, step),
    });
    bar.end();
    for (const line of reportLines({ folder, manifest }, config)) terminal.write(`${line}\n`);
    for (const name of foreign)
      terminal.write(
        `  ${JSON.stringify(name)} in the schema of the database is not part of the backup: Headwater did not create it.\n`,
      );
    if (manifest.missing.length > 0) {
      // An older backup may contain the missing files.
      process.exitCode = 1;
      return;
    }
    // Health and metrics report this time.
    if (installation !== undefined) await storesOver(database).installation.write(LAST_BACKUP_AT, manifest.createdAt);
    const removed = keep === undefined ? [] : await removeOldBackups({ folder, manifest }, keep);
    if (removed.length > 0) terminal.write(`removed: ${removed.join(', ')}\n`);
  } finally {
    bar.end();
    lock.release();
  }
}

/**
 * Id of the installation, which its backups contain. Throws `ConfigError` if DATA_DIR is not the
 * folder of a PostgreSQL: the backup would contain none of its files.
 */
async function installationId(database: Database, { database: remote, dataDir }: Config): Promise<string> {
  const { installation } = storesOver(database);
  if (remote !== undefined) await checkAssets(installation, dataDir);
  return await installation.getOrCreate('backup id', randomUUID());
}

/** A bar that is drawn only on a terminal. */
export const barOf = (title: string, terminal: Terminal): ProgressBar =>
  createProgressBar(title, { terminal, logger: { info: () => {} } });

async function lockTarget(target: string): Promise<FolderLock> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  try {
    return lockFolder(target, (folder, holder) => `${folder} is in use by ${holder}, which writes a backup`);
  } catch (error) {
    throw isDomainError(error) ? new ConfigError(`FOLDER: ${error.message}.`) : error;
  }
}

/** A backup in DATA_DIR would be lost together with the data, and would contain earlier backups. */
function refuseInside(dataDir: string, target: string): void {
  const path = relative(dataDir, target);
  if (path.startsWith('..') || path.startsWith('/')) return;
  throw new ConfigError(`FOLDER: ${target} is inside DATA_DIR (${dataDir}). Choose a folder on another disk.`);
}

/** Lines about a backup: its size, and what is not in it. */
function reportLines({ folder, manifest }: Backup, config: Config): readonly string[] {
  const { tables } = manifest.database;
  const count = (name: string): number => tables.find((table) => table.name === name)?.rows ?? 0;
  const bytes = [...tables, ...manifest.files].reduce((sum, each) => sum + each.bytes, 0);
  const secret = manifest.hasSecrets
    ? 'It contains the key that signs tokens.'
    : 'It does not contain the key that signs tokens: after a restore all users sign in again.';
  return [
    `backup: ${folder}`,
    `  ${countOf(count('users'), 'user')}, ${countOf(count('runs'), 'run')}, ${countOf(count('items'), 'Item')}, ${countOf(manifest.files.length, 'file')}, ${Math.ceil(bytes / 1e6)} MB`,
    `  ${secret} It contains e-mail addresses and hashes of passwords: protect it.`,
    ...(config.jwtSecret === undefined
      ? []
      : ['  JWT_SECRET is set and not in the backup: store it in another place.']),
    ...(existsSync('.env') ? ['  The file .env is not in the backup.'] : []),
    ...Object.entries(manifest.inBucket ?? {}).map(
      ([bucket, paths]) =>
        `  ${countOf(paths.length, 'file')} of Items only in ${bucket}: the backup has their names and checksums, not their bytes. Protect them by the versioning of the bucket.`,
    ),
    ...manifest.missing.map((path) => `  warning: an Item names ${path}, which DATA_DIR does not have.`),
  ];
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
