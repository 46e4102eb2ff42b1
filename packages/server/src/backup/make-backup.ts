import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@headwater/postgres';
import { writeAtomic } from '@headwater/net/files';
import {
  type BaseFiles,
  type DataFile,
  dataFiles,
  eachOf,
  type IncludedFiles,
  storeFile,
  withFolder,
} from './data-files.ts';
import { type Backup, type BackupFile, backupName, backupsIn, FORMAT, MANIFEST, type Manifest } from './manifest.ts';
import { namedFiles, writeRows } from './row-files.ts';

/** Parts and callbacks of `makeBackup`. */
export interface BackupJob extends IncludedFiles {
  readonly database: Database;
  readonly dataDir: string;
  /** Folder of the backups. Only one process at a time may use it. */
  readonly target: string;
  /** An earlier backup; unchanged files are linked to its files. */
  readonly base: BaseFiles | undefined;
  readonly version: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Receives the share of the work that is done, and its present step. */
  readonly progress: (share: number, step: string) => void;
}

/** Beginning of the name of an incomplete backup. */
const UNFINISHED = '.unfinished-';
/** Maximum number of snapshots of a backup. If a file is removed before it is copied, a newer snapshot names the file that replaced it. */
const SNAPSHOTS = 3;

/** Makes a backup. Its folder gets its name when everything is written, so an interrupted backup is never taken for a complete one. */
export async function makeBackup(job: BackupJob): Promise<Backup> {
  await mkdir(job.target, { recursive: true, mode: 0o700 });
  for (const name of await readdir(job.target))
    if (name.startsWith(UNFINISHED)) await rm(join(job.target, name), { recursive: true, force: true });
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
  const { withSecrets, withInputs, version, now } = job;
  const stored = new Map<string, BackupFile>();
  for (let tries = 1; ; tries += 1) {
    const database = await writeRows(job.database, {
      folder: draft,
      withSecrets,
      onTable: (name, rows) => job.progress(0, `${rows} rows of ${name}`),
    });
    for (const { name } of database.tables) await chmod(join(draft, 'database', `${name}.ndjson.gz`), 0o600);
    await storeFiles(draft, job, stored);
    const missing = await missingFiles(draft, database.tables, stored);
    if (missing.length > 0 && tries < SNAPSHOTS) continue;
    return {
      format: FORMAT,
      createdAt: now.toISOString(),
      version,
      database,
      files: [...stored.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      hasSecrets: withSecrets,
      hasInputs: withInputs,
      missing,
    };
  }
}

/** Copies the files that are not stored yet. */
async function storeFiles(draft: string, job: BackupJob, stored: Map<string, BackupFile>): Promise<void> {
  const files = (await dataFiles(job.dataDir, job)).filter(({ path }) => !stored.has(path));
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const { dataDir, base } = job;
  await eachOf(files, async (file: DataFile) => {
    job.signal.throwIfAborted();
    const entry = await storeFile(file, { dataDir, folder: draft, base });
    if (entry !== undefined) stored.set(entry.path, entry);
    done += file.bytes;
    job.progress(total === 0 ? 1 : done / total, `${stored.size} of ${files.length} files`);
  });
}

/** Paths of published files that the database names, but that are missing in the backup or differ from the checksum of their Item. */
async function missingFiles(
  folder: string,
  tables: Manifest['database']['tables'],
  stored: ReadonlyMap<string, BackupFile>,
): Promise<string[]> {
  const named = await namedFiles(folder, tables);
  return named
    .filter(({ path, sha256 }) => {
      const file = stored.get(path);
      return file === undefined || (sha256 !== undefined && sha256 !== file.sha256);
    })
    .map(({ path }) => path)
    .toSorted();
}

/** Removes all complete backups of a folder except the newest `keep`; returns the removed names. */
export async function removeOldBackups(target: string, keep: number): Promise<readonly string[]> {
  const old = (await backupsIn(target)).slice(0, -keep);
  for (const name of old) {
    // Without its manifest, a half removed backup is not complete.
    await rm(join(target, name, MANIFEST), { force: true });
    await rm(join(target, name), { recursive: true, force: true });
  }
  return old;
}
