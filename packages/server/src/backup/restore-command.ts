import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDomainError } from '@headwater/core';
import { countOf } from '@headwater/core/values';
import { copyIn, type Database, storesOver, tablesOf } from '@headwater/postgres';
import { createTerminal } from '@headwater/stac-cli/terminal';
import { accountProblems } from '../checks/account-problems.ts';
import { type CommandSyntax, usageOf } from '../command.ts';
import { type Config, ConfigError } from '../config/read-config.ts';
import {
  databaseFolder,
  isEmbeddedRunning,
  openWholeDatabase,
  refuseRestoring,
  refuseServices,
  requireEmbedded,
  STAGING,
} from '../database.ts';
import { prepareDataDir, refuseSecondDatabase } from '../data-dir.ts';
import { checkFullAssets } from '../join-servers.ts';
import { callerPath, readArguments } from '../read-arguments.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { barOf } from './backup-command.ts';
import { hasSigningKey } from './backup-report.ts';
import { type Backup, readBackup, refuseSeveral } from './manifest.ts';
import { refuseFullDisk, refuseNewerBackup, restoreBackup, verifyBackup } from './restore-backup.ts';
import { readRows, writeRows } from './row-files.ts';

/** Syntax of `headwater restore`. */
export const RESTORE: CommandSyntax = { name: 'restore', options: ['BACKUP [--replace]'] };

/** Lines of `headwater restore --help` after its usage. */
export const RESTORE_DETAILS: readonly string[] = [
  'Restores the database and the files of a backup. BACKUP is its folder, or a folder of backups, of which the newest is restored. Stop the',
  'service and all workers first.',
  'Files go to DATA_DIR. Rows go to the PostgreSQL of DB_HOST, or to the embedded database: a backup of one kind can be restored to the other.',
  'Every checksum is compared first, every row is counted, and at the end every file that an Item names must exist. Rows of an older version are',
  'migrated; a backup of a newer version is refused.',
  'The free space of DATA_DIR is compared with the size of the backup before anything is written.',
  '--replace   removes the present data. Without it, a database or DATA_DIR with data is refused. Old rows are replaced in one transaction; old',
  '            files are removed only after the whole backup is restored.',
  'Example: DATA_DIR=/srv/headwater npx headwater restore /mnt/backups',
];

const REPLACE = { replace: { type: 'boolean', default: false } } as const;

/** Restores a backup into DATA_DIR and the database. No service may be running on them. */
export async function restoreCommand(config: Config, args: readonly string[]): Promise<void> {
  const usage = usageOf(RESTORE);
  const { values, positionals } = readArguments({ args, options: REPLACE, allowPositionals: true }, usage);
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    throw new ConfigError(`BACKUP: the folder of one backup is needed.\n${usage}`);
  const given = callerPath(folder);
  await refuseSeveral(given);
  const backup = await readBackup(given);
  await refuseNewerBackup(backup);
  refuseSecondDatabase(config);
  refuseEmbeddedService(config);
  const terminal = createTerminal(process.stdout);
  const bar = barOf('restore', terminal);
  const progress = (share: number, step: string): void => bar.update(share, step);
  let problems: readonly string[];
  try {
    await verifyBackup(backup, progress);
    await refuseFullDisk(backup, config);
    await prepareDataDir(config.dataDir);
    const database = await openWholeDatabase(config, { isAlone: true });
    try {
      await refuseOtherAssets(database, config);
      const target = { database, dataDir: config.dataDir, replace: values.replace };
      await restoreBackup(backup, target, progress).catch(explain);
      problems = await accountProblems(config, storesOver(database));
    } finally {
      await database.close();
    }
  } finally {
    bar.end();
  }
  for (const line of await restoreLines(backup, config, problems)) terminal.write(`${line}\n`);
}

/**
 * Throws `ConfigError` if DB_HOST is set and a service on the embedded database uses DATA_DIR. Without DB_HOST,
 * `openWholeDatabase` throws.
 */
function refuseEmbeddedService({ database, dataDir }: Config): void {
  if (database === undefined || !isEmbeddedRunning(dataDir)) return;
  throw new ConfigError(
    `DATA_DIR: a service on an embedded database uses ${dataDir}. Stop this service first, or set DATA_DIR to another folder.`,
  );
}

/**
 * Throws `ConfigError` if DATA_DIR and the PostgreSQL belong to different installations. Accepts this after an
 * interrupted restore, which may have replaced only one of them.
 */
async function refuseOtherAssets(database: Database, { database: remote, dataDir }: Config): Promise<void> {
  if (remote === undefined || existsSync(join(dataDir, STAGING))) return;
  const { own } = await tablesOf(database, database.schema);
  if (own.includes('installation')) await checkFullAssets(storesOver(database).installation, dataDir);
}

async function restoreLines(backup: Backup, config: Config, problems: readonly string[]): Promise<readonly string[]> {
  const { folder, manifest } = backup;
  const rows = manifest.database.tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `restored ${folder} of ${manifest.createdAt}: ${countOf(rows, 'row')}, ${countOf(manifest.files.length, 'file')}; all are verified`,
    ...(await keyLines(backup, config)),
    ...problems.map((problem) => `warning: ${problem}`),
    ...(problems.length === 0 ? [] : [`Pages of these accounts: ${config.baseUrl}/admin/eo-accounts/. ${KEYS_TEXT}`]),
    ...Object.entries(manifest.inBucket ?? {}).map(
      ([bucket, paths]) =>
        `Only ${bucket} has ${countOf(paths.length, 'file')} of Items: set STORAGE_BUCKET_NAME to this bucket.`,
    ),
    ...manifest.missing.map(
      (path) => `warning: ${path} was missing when the backup was made; an older backup may have this file`,
    ),
  ];
}

const KEYS_TEXT =
  'Uploaded keys are encrypted with JWT_SECRET of the installation that was backed up; if it had none, with its generated signing key. ' +
  'Set the same secret here to use them again. A file of GOOGLE_APPLICATION_CREDENTIALS is in no backup.';

async function keyLines(backup: Backup, { jwtSecret }: Config): Promise<readonly string[]> {
  if (jwtSecret !== undefined)
    return [
      'JWT_SECRET signs tokens here. If the deployment that was backed up had another secret, all users must sign in again.',
    ];
  if (await hasSigningKey(backup)) return [];
  return [
    'The backup has no key that signs tokens: all users must sign in again. If the deployment that was backed up had JWT_SECRET, set it to the same value before the first start.',
  ];
}

/** Rethrows an error. If the reason is that the target has data, adds a hint to use `--replace`. */
function explain(error: unknown): never {
  if (!isDomainError(error) || error.code !== 'conflict') throw error;
  throw new ConfigError(`${error.message}. Use an empty database, or add --replace to remove its data.`);
}

/** Syntax of `headwater move-database`. */
export const MOVE_DATABASE: CommandSyntax = { name: 'move-database', options: ['[--replace]'] };

/** Lines of `headwater move-database --help` after its usage. */
export const MOVE_DETAILS: readonly string[] = [
  'Copies the embedded database in DATA_DIR to the empty PostgreSQL of DB_HOST, and compares the number of rows of each table. Stop the service first.',
  'Users, sessions, keys, runs and Items stay as they are; the files in DATA_DIR stay where they are. Afterwards start the service with the same DB_*.',
  'The folder of the embedded database is renamed, so that no start uses it by mistake; remove it when the service runs.',
  '--replace   removes data that are in the PostgreSQL already',
  'Example: DB_HOST=db.example.org DB_NAME=headwater DB_USER=headwater DB_PASSWORD=... npx headwater move-database',
];

/** Moves the embedded database to the PostgreSQL of the settings. */
export async function moveDatabaseCommand(config: Config, args: readonly string[]): Promise<void> {
  const { values } = readArguments({ args, options: REPLACE }, usageOf(MOVE_DATABASE));
  const { dataDir } = config;
  if (config.database === undefined)
    throw new ConfigError(
      'DB_HOST: is not set. Set DB_HOST, DB_NAME and DB_USER to the PostgreSQL that gets the data.',
    );
  refuseRestoring(dataDir);
  const pgdata = join(databaseFolder(dataDir), 'pgdata');
  refuseSecondMove(config, pgdata);
  const terminal = createTerminal(process.stdout);
  const bar = barOf('move', terminal);
  const target = await openWholeDatabase(config, { isAlone: true });
  let rows: number;
  try {
    rows = await withEmbedded(dataDir, (source) => move(source, target, { dataDir, replace: values.replace, bar }));
  } finally {
    bar.end();
    await target.close();
  }
  await rename(pgdata, `${pgdata}-moved`);
  terminal.write(
    `moved ${countOf(rows, 'row')} to ${target.place}\nThe embedded database is now ${pgdata}-moved; remove it when the service runs.\n`,
  );
}

/** Throws `ConfigError` after an earlier move, which has renamed the folder of the embedded database. */
function refuseSecondMove({ database }: Config, pgdata: string): void {
  const moved = `${pgdata}-moved`;
  if (!existsSync(moved)) return;
  if (existsSync(pgdata))
    throw new ConfigError(
      `DATA_DIR: ${moved} exists already, from an earlier move, and ${pgdata} is a newer database. Move ${moved} to another folder, and repeat the command.`,
    );
  throw new ConfigError(
    `DATA_DIR: the embedded database was moved to a PostgreSQL already (its old folder is ${moved}), so there is nothing to move. Start the ` +
      `service with the DB_* of that PostgreSQL. If the data of that PostgreSQL should be in ${database?.database ?? 'another database'} instead, make a backup of it ` +
      '(npx headwater backup) and restore it there (npx headwater restore). To repeat the first move, which loses everything stored since: ' +
      `mv ${moved} ${pgdata}`,
  );
}

async function withEmbedded<T>(dataDir: string, work: (source: Database) => Promise<T>): Promise<T> {
  requireEmbedded(dataDir);
  const source = await openWholeDatabase({ dataDir, database: undefined }, { isAlone: true });
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}

interface Move {
  readonly dataDir: string;
  readonly replace: boolean;
  readonly bar: { update(share: number, label: string): void };
}

/** Copies all rows through files in the scratch folder. Returns the number of rows. */
async function move(source: Database, target: Database, { dataDir, replace, bar }: Move): Promise<number> {
  // After a kill, the next start of a service removes this folder.
  const folder = await scratchFolder(join(dataDir, 'scratch'), { exclusive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const onTable = (name: string, count: number): void => bar.update(0.1, `${count} rows of ${name}`);
    const { tables, ...copied } = await writeRows(source, { folder, withSecrets: true, onTable });
    bar.update(0.5, `filling ${target.place}`);
    const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
    const lines = (table: { readonly name: string }) => readRows(folder, table);
    await copyIn(
      target,
      { ...copied, tables, lines },
      { rows, replace, check: (sql) => refuseServices(sql, target) },
    ).catch(explain);
    return tables.reduce((sum, table) => sum + table.rows, 0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
