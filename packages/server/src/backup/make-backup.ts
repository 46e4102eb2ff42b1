import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@headwater/postgres';
import { openRecords } from '@headwater/ingest';
import { ConfigError } from '../config/config-error.ts';
import { recordsFolder } from '../object-storage/open-bucket.ts';
import { scratchFolder } from '../scratch-folder.ts';
import { writeAtomic } from '@headwater/net/files';
import {
  type BaseFiles,
  copyFile,
  type DataFile,
  dataFiles,
  eachOf,
  type FileStorage,
  type IncludedFiles,
  storeFile,
  withFolder,
} from './data-files.ts';
import {
  type Backup,
  type BackupFile,
  backupName,
  backupsOf,
  FORMAT,
  MANIFEST,
  type Manifest,
  rowsPath,
  UNFINISHED,
} from './manifest.ts';
import { type NamedFile, namedFiles, writeRows } from './row-files.ts';

/** Parts and callbacks of `makeBackup`. */
export interface BackupJob extends IncludedFiles {
  readonly database: Database;
  readonly dataDir: string;
  /** Folder of the backups. Only one process at a time may use it. */
  readonly target: string;
  /** Earlier backup, to which unchanged files are linked. */
  readonly base: BaseFiles | undefined;
  /** Id of the installation; undefined for a database of the first versions. */
  readonly installation: string | undefined;
  readonly version: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Receives the done share, 0-1, and the name of the present step. */
  readonly progress: (share: number, step: string) => void;
}

/**
 * Maximum number of snapshots of the rows. If a file that the rows name is removed before it is copied, a further
 * snapshot is made.
 */
const SNAPSHOTS = 3;

/** Makes a backup. Its folder gets the final name when it is complete. */
export async function makeBackup(job: BackupJob): Promise<Backup> {
  await mkdir(job.target, { recursive: true, mode: 0o700 });
  for (const name of await readdir(job.target))
    if (name.startsWith(UNFINISHED)) await rm(join(job.target, name), { recursive: true, force: true });
  await refuseWrongClock(job);
  const name = backupName(job.now);
  const draft = join(job.target, `${UNFINISHED}${name}`);
  try {
    await mkdir(draft, { mode: 0o700 });
    const manifest = await fill(draft, job);
    const text = `${JSON.stringify(manifest, null, 1)}\n`;
    await writeAtomic(join(draft, MANIFEST), (sink) => sink.write([Buffer.from(text)]));
    await chmod(join(draft, MANIFEST), 0o600);
    const folder = join(job.target, name);
    await rename(draft, folder);
    return { folder, manifest };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw withFolder(error, job.target);
  }
}

async function fill(draft: string, job: BackupJob): Promise<Manifest> {
  const { withSecrets, withInputs, version, now, installation } = job;
  const stored = new Map<string, BackupFile>();
  for (let tries = 1; ; tries += 1) {
    const database = await storeRows(draft, job);
    for (const { name } of database.tables) await chmod(join(draft, 'database', `${name}.ndjson.gz`), 0o600);
    const named = await namedFiles(draft, database.tables);
    await storeFiles({ job, folder: draft, named: new Set(named.map(({ path }) => path)) }, stored);
    const inBucket = await bucketFiles(job.dataDir, named, stored);
    const elsewhere = new Set(Object.values(inBucket).flat());
    const missing = missingFiles(named, stored).filter((path) => !elsewhere.has(path));
    if (missing.length > 0 && tries < SNAPSHOTS) continue;
    return {
      format: FORMAT,
      createdAt: now.toISOString(),
      ...(installation === undefined ? {} : { installation }),
      version,
      database,
      files: [...stored.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      hasSecrets: withSecrets,
      hasInputs: withInputs,
      missing,
      ...(elsewhere.size === 0 ? {} : { inBucket }),
    };
  }
}

/**
 * Writes the rows of the database. The rows of an embedded database are first written to DATA_DIR: requests wait
 * during the read, and the disk of the backup may be slow.
 */
async function storeRows(
  draft: string,
  { database, dataDir, withSecrets, progress }: BackupJob,
): Promise<Manifest['database']> {
  const onTable = (name: string, rows: number): void => progress(0, `${rows} rows of ${name}`);
  if (!database.embedded) return await writeRows(database, { folder: draft, withSecrets, onTable });
  const folder = await scratchFolder(join(dataDir, 'scratch'), { exclusive: false });
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const written = await writeRows(database, { folder, withSecrets, onTable }).catch((error: unknown) => {
      throw withFolder(error, dataDir);
    });
    await mkdir(join(draft, 'database'), { recursive: true, mode: 0o700 });
    for (const table of written.tables) await copyFile(rowsPath(folder, table), rowsPath(draft, table));
    return written;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function storeFiles(
  { job, folder, named }: Pick<FileStorage, 'folder' | 'named'> & { readonly job: BackupJob },
  stored: Map<string, BackupFile>,
): Promise<void> {
  const files = (await dataFiles(job.dataDir, job)).filter(({ path }) => !stored.has(path));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const { dataDir, base } = job;
  await eachOf(files, async (file: DataFile) => {
    job.signal.throwIfAborted();
    const entry = await storeFile(file, { dataDir, folder, base, named });
    if (entry !== undefined) stored.set(entry.path, entry);
    done += file.bytes;
    job.progress(total === 0 ? 1 : done / total, `${stored.size} of ${files.length} files`);
  });
}

async function bucketFiles(
  dataDir: string,
  named: readonly NamedFile[],
  stored: ReadonlyMap<string, BackupFile>,
): Promise<Record<string, string[]>> {
  const records = openRecords(recordsFolder(dataDir));
  const found: Record<string, string[]> = {};
  for (const { path } of named.filter((each) => !stored.has(each.path))) {
    const [, runId = '', token = '', name] = path.split('/');
    const record = await records.read({ runId, token: Number(token) });
    if (record?.state !== 'stored' || !record.files.some((file) => file.name === name)) continue;
    (found[record.bucket] ??= []).push(path);
  }
  return found;
}

/** Named files that are missing in the backup, or differ from the checksum of their Item. */
function missingFiles(named: readonly NamedFile[], stored: ReadonlyMap<string, BackupFile>): string[] {
  return named
    .filter(({ path, sha256 }) => {
      const file = stored.get(path);
      return file === undefined || (sha256 !== undefined && sha256 !== file.sha256);
    })
    .map(({ path }) => path)
    .toSorted();
}

/** Throws `ConfigError` if the folder has a backup of this time, or a newer backup of this installation. */
async function refuseWrongClock({ target, installation, now }: BackupJob): Promise<void> {
  const name = backupName(now);
  const newest = (await backupsOf(installation, target)).at(-1)?.name ?? '';
  const later = newest >= name ? newest : (await readdir(target)).find((each) => each === name);
  if (later === undefined) return;
  throw new ConfigError(
    `FOLDER: ${join(target, later)} is not older than this backup (${now.toISOString()}), so the clock of the computer is or was wrong. Correct the clock, or move that backup to another folder.`,
  );
}
