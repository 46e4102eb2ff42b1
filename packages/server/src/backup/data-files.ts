import { createReadStream } from 'node:fs';
import { chmod, link, mkdir, readdir, realpath, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, isDomainError } from '@headwater/core';
import { digestOfFile, type FileDigest, unlessMissing, writeAtomic } from '@headwater/net/files';
import { type Backup, type BackupFile, filePath } from './manifest.ts';

/** Folder in DATA_DIR for files that are downloaded during the move from another system. */
export const MOVING = 'moving';

/**
 * Folders in DATA_DIR that a backup does not contain. Instead of `db`, the backup contains the rows of the database. The others have logs
 * or temporary files.
 */
const LEFT_OUT = new Set(['db', 'logs', 'scratch', MOVING]);
/** Folders of scenes and elevations, which can be downloaded again. */
const INPUTS = new Set(['eo', 'dem']);
/** Folder of the key that signs tokens. */
const SECRETS = 'secrets';
/**
 * The only hidden file that is part of the data: it contains the id of the folder. All other hidden files are incomplete files, or files that only
 * test if a folder is writable.
 */
const FOLDER_ID = '.headwater-folder';

/** Parts of DATA_DIR to include. */
export interface IncludedFiles {
  readonly withSecrets: boolean;
  readonly withInputs: boolean;
}

/** A file in DATA_DIR. */
export interface DataFile {
  /** Path in DATA_DIR, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/**
 * Lists the files of DATA_DIR that belong in a backup. Links are followed, and each folder is read once. `target`, the folder of the backups, is
 * left out.
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

/** Number of files that are copied at the same time. */
const AT_ONCE = 8;

/**
 * Calls `work` for each item, several at a time. After a failure, starts no further call, waits until the calls in progress have ended, and
 * throws.
 */
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
  // Such an error already names a folder, so it is returned unchanged.
  if (isDomainError(error.cause)) return error;
  return new DomainError('storage_full', `the disk of ${folder} is full: free space there, and repeat the command`, {
    cause: error,
  });
}

/** Permissions of files in a backup: only the owner may read them, because every file may contain personal data. */
const PRIVATE = 0o600;
const MODE_BITS = 0o777;

/** Destination and reusable files of `storeFile`. */
export interface FileStorage {
  readonly dataDir: string;
  /** Folder of the backup. */
  readonly folder: string;
  readonly base: BaseFiles | undefined;
  /** Paths of files that Items name. Before two backups share such a file, its stored bytes are read again and verified. */
  readonly named: ReadonlySet<string>;
}

/**
 * Stores a file of DATA_DIR in a backup; undefined if the file was removed before it could be read. If the file is unchanged since the backup
 * `base`, and `base` is on the same disk, the two backups share the stored bytes by a hard link.
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

/** Files of an earlier backup by their paths. */
export const baseFiles = ({ folder, manifest }: Backup): BaseFiles => ({
  folder,
  files: new Map(manifest.files.map((file) => [file.path, file])),
});

/**
 * Links `target` to a file of the base. Returns false if a link is not possible, for example on another disk, or if the file in
 * the base is damaged.
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

/** Copies a file; the target is complete or absent. */
export async function copyFile(source: string, target: string): Promise<FileDigest> {
  return await writeAtomic(target, async (sink) => {
    for await (const chunk of createReadStream(source, { highWaterMark: 1 << 20 })) await sink.write([chunk]);
  });
}

/** Copies a file of a backup to a folder, with its time and permissions; returns the digest of the written bytes. */
export async function returnFile(backup: string, file: BackupFile, folder: string): Promise<FileDigest> {
  const target = join(folder, file.path);
  const isSecret = file.path.startsWith(`${SECRETS}/`);
  await mkdir(dirname(target), { recursive: true, ...(isSecret ? { mode: 0o700 } : {}) });
  const digest = await copyFile(filePath(backup, file), target);
  await chmod(target, isSecret ? PRIVATE : file.mode);
  // `utimes` takes seconds as a floating-point number. Half a millisecond is added, so that the time is not rounded
  // down to the millisecond before.
  const seconds = (file.modifiedMs + 0.5) / 1000;
  await utimes(target, seconds, seconds);
  return digest;
}
