import { createReadStream } from 'node:fs';
import { chmod, link, mkdir, readdir, realpath, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, isDomainError } from '@headwater/core';
import { digestOfFile, type FileDigest, unlessMissing, writeAtomic } from '@headwater/net/files';
import { type Backup, type BackupFile, filePath } from './manifest.ts';

/** Folder in DATA_DIR for files that are downloaded during the move from another system. */
export const MOVING = 'moving';

/**
 * Folders that a backup leaves out. A backup contains rows instead of `db`. The other folders contain logs or temporary
 * files.
 */
const LEFT_OUT = new Set(['db', 'logs', 'scratch', MOVING]);
const INPUTS = new Set(['eo', 'dem']);
const SECRETS = 'secrets';
/**
 * File with the id of the folder. Backups omit all other hidden files: temporary files, and the id by which the
 * installation owns its bucket.
 */
const FOLDER_ID = '.headwater-folder';

/** Parts of DATA_DIR to include. */
export interface IncludedFiles {
  readonly withSecrets: boolean;
  readonly withInputs: boolean;
}

/** A file in DATA_DIR. */
export interface DataFile {
  readonly path: string;
  readonly bytes: number;
}

/**
 * Files of DATA_DIR for a backup, without `target`, the folder of the backups. Follows links, and reads each folder
 * once.
 */
export async function dataFiles(
  dataDir: string,
  { withSecrets, withInputs, target }: IncludedFiles & { readonly target: string },
): Promise<readonly DataFile[]> {
  const found: DataFile[] = [];
  const seen = new Set([await realpath(target)]);
  const walk = async (folder: string): Promise<void> => {
    const real = await unlessMissing(realpath(join(dataDir, folder)));
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    for (const name of (await unlessMissing(readdir(real)))?.toSorted() ?? []) {
      if (name.startsWith('.') && name !== FOLDER_ID) continue;
      if (folder === '' && isLeftOut(name)) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const status = await unlessMissing(stat(join(dataDir, path)));
      if (status?.isDirectory() === true) await walk(path);
      else if (status?.isFile() === true) found.push({ path, bytes: status.size });
    }
  };
  const isLeftOut = (name: string): boolean =>
    LEFT_OUT.has(name) || (!withSecrets && name === SECRETS) || (!withInputs && INPUTS.has(name));
  await walk('');
  return found;
}

const AT_ONCE = 8;

/** Calls `work` for several items at a time. After a failure, waits for the calls in progress, and then throws. */
export async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    for (const item of left) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  if (failures.length > 0) throw failures[0];
}

/** Converts the error of a full disk to an error that names the folder; returns other errors unchanged. */
export function withFolder(error: unknown, folder: string): unknown {
  if (!isDomainError(error) || error.code !== 'storage_full') return error;
  if (isDomainError(error.cause)) return error;
  return new DomainError('storage_full', `the disk of ${folder} is full: free space there, and repeat the command`, {
    cause: error,
  });
}

/** Permissions of the files in a backup: only the owner may read them, because each may contain personal data. */
const PRIVATE = 0o600;
const MODE_BITS = 0o777;

/** Destination and reusable files of `storeFile`. */
export interface FileStorage {
  readonly dataDir: string;
  readonly folder: string;
  readonly base: BaseFiles | undefined;
  /** Published files that Items or layers name. Their bytes are verified before two backups share them. */
  readonly named: ReadonlySet<string>;
}

/**
 * Stores a file of DATA_DIR in a backup. An unchanged file of the backup `base` becomes a hard link. Returns undefined
 * if the file was removed meanwhile.
 */
export async function storeFile(
  { path }: Pick<DataFile, 'path'>,
  { dataDir, folder, base, named }: FileStorage,
): Promise<BackupFile | undefined> {
  const source = join(dataDir, path);
  const status = await unlessMissing(stat(source));
  if (status === undefined) return undefined;
  const target = filePath(folder, { path });
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const modifiedMs = Math.trunc(status.mtimeMs);
  const facts = { path, mode: status.mode & MODE_BITS, modifiedMs };
  const known = base?.files.get(path);
  if (base !== undefined && known !== undefined && known.bytes === status.size && known.modifiedMs === modifiedMs)
    if (await isLinked(base, known, { target, isRead: named.has(path) }))
      return { ...facts, bytes: known.bytes, sha256: known.sha256 };
  const digest = await unlessMissing(copyFile(source, target));
  if (digest === undefined) return undefined;
  await chmod(target, PRIVATE);
  return { ...facts, ...digest };
}

/** Files of an earlier backup. */
export interface BaseFiles {
  readonly folder: string;
  readonly files: ReadonlyMap<string, BackupFile>;
}

/** Returns the files of an earlier backup by their paths. */
export const baseFiles = ({ folder, manifest }: Backup): BaseFiles => ({
  folder,
  files: new Map(manifest.files.map((file) => [file.path, file])),
});

/**
 * Links a file of the base; with `isRead`, also verifies its bytes. Returns false if a link is not possible, or if the
 * bytes are damaged.
 */
async function isLinked(
  base: BaseFiles,
  file: BackupFile,
  { target, isRead }: { readonly target: string; readonly isRead: boolean },
): Promise<boolean> {
  try {
    await link(filePath(base.folder, file), target);
  } catch {
    return false;
  }
  if (!isRead || (await digestOfFile(target)).sha256 === file.sha256) return true;
  await rm(target, { force: true });
  return false;
}

/** Copies a file. The target is complete or absent. */
export async function copyFile(source: string, target: string): Promise<FileDigest> {
  return await writeAtomic(target, async (sink) => {
    for await (const chunk of createReadStream(source, { highWaterMark: 1 << 20 })) await sink.write([chunk]);
  });
}

/**
 * Copies a file of a backup to a folder, with its time and permissions (a secret: only for its owner). Returns the
 * digest of the written bytes.
 */
export async function returnFile(backup: string, file: BackupFile, folder: string): Promise<FileDigest> {
  const target = join(folder, file.path);
  const isSecret = file.path.startsWith(`${SECRETS}/`);
  await mkdir(dirname(target), { recursive: true, ...(isSecret ? { mode: 0o700 } : {}) });
  const digest = await copyFile(filePath(backup, file), target);
  await chmod(target, isSecret ? PRIVATE : file.mode);
  // `utimes` takes floating-point seconds. Half a millisecond is added, because rounding could otherwise give the
  // previous millisecond.
  const seconds = (file.modifiedMs + 0.5) / 1000;
  await utimes(target, seconds, seconds);
  return digest;
}
