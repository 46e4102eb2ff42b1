import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { copyIn, type Database, readMigrations, refuseData, refuseNewerCopy } from '@headwater/postgres';
import { errorCode, isDomainError } from '@headwater/core';
import { digestOfFile, freeBytesOf, unlessMissing } from '@headwater/net/files';
import { ConfigError } from '../config/config-error.ts';
import type { Config } from '../config/read-config.ts';
import { checkDataDir } from '../data-dir.ts';
import { refuseServices, STAGING } from '../database.ts';
import { bytesIn } from '../system-facts.ts';
import { eachOf, returnFile, withFolder } from './data-files.ts';
import { KEY_FILE } from './backup-report.ts';
import { type Backup, filePath, REPLACED, rowsPath } from './manifest.ts';
import { namedFiles, readRows, storedSigningKey } from './row-files.ts';

/** Receives the done share, 0-1, and the name of the present step. */
export type Progress = (share: number, step: string) => void;

/**
 * Checks the checksum of every file of a backup, and that the manifest lists every file that the rows name. Throws a
 * `ConfigError` that names at most `SHOWN` wrong files.
 */
export async function verifyBackup({ folder, manifest }: Backup, progress: Progress): Promise<void> {
  const files = [
    ...manifest.database.tables.map((table) => ({ ...table, at: rowsPath(folder, table) })),
    ...manifest.files.map((file) => ({ ...file, at: filePath(folder, file) })),
  ];
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const problems: string[] = [];
  let done = 0;
  await eachOf(files, async ({ at, bytes, sha256 }) => {
    const isOwn = await isOwnFile(folder, at);
    const found = isOwn === true ? await unlessMissing(digestOfFile(at)) : undefined;
    if (isOwn === false) problems.push(`${at} is a link or not a file`);
    else if (found === undefined) problems.push(`${at} is missing`);
    else if (found.sha256 !== sha256) problems.push(`${at} has other bytes than when it was written`);
    done += bytes;
    progress(total === 0 ? 1 : done / total, 'checking the backup');
  });
  // The rows are parsed only if no file is damaged.
  const lost = problems.length > 0 ? [] : await unlistedFiles({ folder, manifest });
  problems.push(...lost.map((path) => `${path} is not in the backup, but an Item or a layer names it`));
  if (problems.length === 0) return;
  const shown = problems.toSorted().slice(0, SHOWN);
  const more = problems.length > SHOWN ? `\n  and ${problems.length - SHOWN} more` : '';
  throw new ConfigError(
    `BACKUP: ${folder} is damaged; use another backup, or another copy of this one:\n  ${shown.join('\n  ')}${more}`,
  );
}

/**
 * True for a regular file of the backup; undefined if it is missing. Links are not accepted, because they could lead to
 * any file.
 */
async function isOwnFile(folder: string, at: string): Promise<boolean | undefined> {
  const found = await unlessMissing(lstat(at));
  if (found?.isFile() !== true) return found === undefined ? undefined : false;
  return (await realpath(at)) === join(await realpath(folder), relative(folder, at));
}

const SHOWN = 10;

const absentFiles = ({ missing, inBucket = {} }: Backup['manifest']): readonly string[] => [
  ...missing,
  ...Object.values(inBucket).flat(),
];

/** Files that the rows of a backup name, but its manifest does not list. */
async function unlistedFiles({ folder, manifest }: Backup): Promise<readonly string[]> {
  const present = new Set([...manifest.files.map(({ path }) => path), ...absentFiles(manifest)]);
  const named = await namedFiles(folder, manifest.database.tables);
  return named.map(({ path }) => path).filter((path) => !present.has(path));
}

/** Target of a restore. */
export interface RestoreTarget {
  readonly database: Database;
  readonly dataDir: string;
  /** True: existing data are replaced. */
  readonly replace: boolean;
}

/**
 * Restores a verified backup: files to a staging folder, rows in one transaction, then files to their final paths.
 * After a failure, the old data are unchanged, or the restore can be repeated with `replace`.
 */
export async function restoreBackup(backup: Backup, target: RestoreTarget, progress: Progress): Promise<void> {
  const { folder, manifest } = backup;
  const { database, dataDir, replace } = target;
  const staging = join(dataDir, STAGING);
  const names = topNames(backup);
  if (!replace) await refuseFiles(dataDir, names);
  await refuseData(database, { replace });
  await refuseMounts(dataDir, names);
  await rm(staging, { recursive: true, force: true });
  await stageFiles(backup, staging, progress).catch(async (error: unknown) => {
    await rm(staging, { recursive: true, force: true });
    throw withFolder(error, dataDir);
  });
  progress(1, 'filling the database');
  const rows = Object.fromEntries(manifest.database.tables.map((table) => [table.name, table.rows]));
  const lines = (table: { readonly name: string }) => readRows(folder, table);
  await copyIn(
    database,
    { ...manifest.database, lines },
    { rows, replace, check: (sql) => refuseServices(sql, database) },
  ).catch(async (error: unknown) => {
    // After `unavailable`, the rows may have been stored. So the staging folder stays, and no service can start.
    if (!isDomainError(error) || error.code !== 'unavailable') await rm(staging, { recursive: true, force: true });
    throw error;
  });
  await placeFiles(dataDir, names);
  await placeSigningKey(backup, target);
  await checkFiles(backup, dataDir);
  // From now on, services can start. They cannot start while the staging folder exists.
  await rm(staging, { recursive: true, force: true });
  await rm(join(dataDir, REPLACED), { recursive: true, force: true });
}

/** Throws if this version cannot restore the backup. */
export async function refuseNewerBackup({ manifest }: Backup): Promise<void> {
  refuseNewerCopy(manifest.database.revision, await readMigrations());
}

const EMBEDDED_BYTES = 40e6;
/** Size of stored rows with indexes, as a multiple of their compressed size. */
const ROWS_FACTOR = 8;
const GB = 1e9;
const MB = 1e6;

/**
 * Throws `ConfigError` if the disk of DATA_DIR has too little space for a backup. Replaced data need space too,
 * because they stay until the end of the restore.
 */
export async function refuseFullDisk(
  { folder, manifest }: Backup,
  { dataDir, database }: Pick<Config, 'dataDir' | 'database'>,
): Promise<void> {
  const disk = await checkDataDir(dataDir);
  const sizeOf = (entries: readonly { readonly bytes: number }[]): number =>
    entries.reduce((sum, { bytes }) => sum + bytes, 0);
  // Rows of a PostgreSQL are not stored on this disk.
  const rows = database === undefined ? EMBEDDED_BYTES + ROWS_FACTOR * sizeOf(manifest.database.tables) : 0;
  const needed = sizeOf(manifest.files) + rows;
  // Files of an interrupted restore are removed, so their space is free.
  const left = (await unlessMissing(bytesIn(join(dataDir, STAGING)))) ?? 0;
  const free = (await freeBytesOf(disk)) + left;
  if (needed <= free) return;
  const text = (bytes: number): string =>
    bytes < GB ? `${Math.ceil(bytes / MB)} MB` : `${(bytes / GB).toFixed(1)} GB`;
  throw new ConfigError(
    `DATA_DIR: ${folder} needs ${text(needed)} in ${dataDir}, and its disk has ${text(free)} free. Free ${text(needed - free)} there, or set DATA_DIR to a folder on a larger disk. Nothing was written.`,
  );
}

const topNames = ({ manifest }: Backup): readonly string[] => [
  ...new Set(manifest.files.map(({ path }) => path.split('/')[0] ?? path)),
];

async function refuseFiles(dataDir: string, names: readonly string[]): Promise<void> {
  for (const name of names) if (!(await isEmpty(join(dataDir, name)))) throw notEmpty(join(dataDir, name));
}

/** Throws `ConfigError` for a link or a mount, because a restore cannot move it. */
async function refuseMounts(dataDir: string, names: readonly string[]): Promise<void> {
  const [whole, mounts] = [await stat(dataDir), await mountPoints()];
  const real = await realpath(dataDir);
  for (const name of names) {
    const found = await unlessMissing(lstat(join(dataDir, name)));
    if (found === undefined) continue;
    const mount = mounts.find((each) => `${each}/`.startsWith(`${join(real, name)}/`));
    if (found.dev === whole.dev && !found.isSymbolicLink() && mount === undefined) continue;
    const what = found.isSymbolicLink()
      ? `${join(dataDir, name)} is a link`
      : `${mount ?? join(dataDir, name)} is a mount`;
    throw new ConfigError(
      `DATA_DIR: ${what}, and a restore cannot replace it. Remove it (its files stay), restore, and then move the restored files to its place.`,
    );
  }
}

async function mountPoints(): Promise<readonly string[]> {
  const text = (await unlessMissing(readFile('/proc/self/mountinfo', 'utf8'))) ?? '';
  const decoded = (path: string): string =>
    path.replaceAll(/\\(\d{3})/g, (_all, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)));
  return text.split('\n').map((line) => decoded(line.split(' ')[4] ?? ''));
}

const notEmpty = (what: string): ConfigError =>
  new ConfigError(
    `DATA_DIR: ${what} exists already. Restore into an empty folder, or add --replace to remove the present data.`,
  );

async function isEmpty(path: string): Promise<boolean> {
  try {
    const status = await stat(path);
    return status.isDirectory() && (await readdir(path)).every((name) => name.startsWith('.'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

async function stageFiles({ folder, manifest }: Backup, staging: string, progress: Progress): Promise<void> {
  const total = manifest.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  await mkdir(staging, { recursive: true, mode: 0o700 });
  await eachOf(manifest.files, async (file) => {
    const { sha256 } = await returnFile(folder, file, staging);
    if (sha256 !== file.sha256)
      throw new ConfigError(
        `BACKUP: ${filePath(folder, file)} changed while it was read. Stop the program that writes to it, and restore again.`,
      );
    done += file.bytes;
    progress(total === 0 ? 1 : done / total, 'copying files');
  });
}

async function placeFiles(dataDir: string, names: readonly string[]): Promise<void> {
  const replaced = join(dataDir, REPLACED);
  await mkdir(replaced, { recursive: true, mode: 0o700 });
  for (const name of names) {
    const place = join(dataDir, name);
    await rm(join(replaced, name), { recursive: true, force: true });
    if (existsSync(place)) await rename(place, join(replaced, name));
    await rename(join(dataDir, STAGING, name), place);
  }
}

/**
 * Writes the key file for a server on the embedded database, if the key is in the rows of the backup. Servers on
 * PostgreSQL read the key from the database. Removes the key of replaced data.
 */
async function placeSigningKey(
  { folder, manifest }: Backup,
  { database, dataDir, replace }: RestoreTarget,
): Promise<void> {
  const path = join(dataDir, KEY_FILE);
  const hasFile = manifest.files.some((file) => file.path === KEY_FILE);
  if (!hasFile && replace) await rm(path, { force: true });
  if (!database.embedded || (hasFile && manifest.database.kind === 'embedded')) return;
  const key = await storedSigningKey(folder, manifest.database.tables);
  if (key !== undefined) await writeKey(path, key);
}

async function writeKey(path: string, key: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, key, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, path);
}

/** Throws if a published file that the database names is not in DATA_DIR, unless the backup lacks it too. */
async function checkFiles({ folder, manifest }: Backup, dataDir: string): Promise<void> {
  const lost = new Set(absentFiles(manifest));
  for (const { path } of await namedFiles(folder, manifest.database.tables)) {
    const found = await stat(join(dataDir, path)).catch(() => undefined);
    if (found?.isFile() !== true && !lost.has(path))
      throw new Error(`the restored file ${path} is missing in ${dataDir}; restore again`);
  }
}
