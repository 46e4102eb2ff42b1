import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { isDomainError, type Logger } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import {
  createImporters,
  type Downloaded,
  downloadFile,
  forgetDownload,
  importBoundaries,
  isStored,
  noteStored,
} from '@headwater/ingest';
import { type FolderLock, lockFolder } from '@headwater/postgres/embedded';
import { type Config, ConfigError } from './config/read-config.ts';
import type { BoundaryDataConfig } from './config/storage.ts';
import { type ImportOutcome, writeReport } from './import-report.ts';
import { createProgressBar, type Showing } from '@headwater/stac-cli/terminal';

/** Options of `obtainBoundaries`. */
export interface ObtainOptions extends Showing<Logger> {
  readonly config: Pick<Config, 'dataDir' | 'allowedOrigins'>;
  readonly boundaryData: BoundaryDataConfig;
  readonly stores: Stores;
  readonly signal: AbortSignal;
  readonly isForced?: boolean;
  readonly setDetail: (detail: string) => void;
}

/** Result of `obtainBoundaries`. */
export interface Obtained {
  /** False if the database already had the boundaries. */
  readonly isNew: boolean;
  /** Outcome for each kind of unit; empty if nothing was imported. */
  readonly imports: readonly ImportOutcome[];
  /** Path of the list of refused and repaired rows. */
  readonly report: string;
}

/** Thrown if another process has locked the download folder. */
export class LockedElsewhere extends ConfigError {}

/** Folder of the download. */
export const boundaryFolder = (dataDir: string): string => join(dataDir, 'boundary-data');

const GB = 1e9;

/**
 * Downloads the boundary data and stores them in the database, unless the database has them. Throws `LockedElsewhere`,
 * and errors of `downloadFile` and importers.
 */
export async function obtainBoundaries(options: ObtainOptions): Promise<Obtained> {
  const { config, boundaryData, stores } = options;
  const folder = boundaryFolder(config.dataDir);
  const report = join(folder, 'import-report.csv');
  const source = { ...boundaryData, folder };
  const databaseId = await stores.installation.getOrCreate('boundary data', randomUUID());
  await mkdir(folder, { recursive: true });
  const lock = hold(folder);
  try {
    if (options.isForced === true) await forgetDownload(folder);
    if (await isStored(source, databaseId)) return { isNew: false, imports: [], report };
    const file = await download(folder, options);
    const imports = await store(file, folder, options);
    await writeReport(report, imports);
    await noteStored(source, { databaseId, keeps: boundaryData.keeps });
    return { isNew: true, imports, report };
  } finally {
    lock.release();
  }
}

function hold(folder: string): FolderLock {
  try {
    return lockFolder(
      folder,
      (_, holder) => `the boundary data are being downloaded by ${holder}; wait until that process has ended`,
    );
  } catch (error) {
    if (isDomainError(error) && error.code === 'unavailable') throw new LockedElsewhere(error.message);
    throw error;
  }
}

async function download(folder: string, options: ObtainOptions): Promise<Downloaded> {
  const { boundaryData, config, logger, signal, setDetail } = options;
  const bar = createProgressBar('boundary data', options);
  const progress = (received: number, total: number | undefined): void => {
    const amount = `${(received / GB).toFixed(2)}${total === undefined ? '' : ` of ${(total / GB).toFixed(2)}`} GB`;
    bar.update(total === undefined || total === 0 ? 0 : received / total, amount);
    setDetail(`${amount} are downloaded`);
  };
  try {
    const { url, sha256 } = boundaryData;
    const file = await downloadFile({
      url,
      sha256,
      folder,
      network: { settings: { allowedOrigins: config.allowedOrigins } },
      progress: occasionally(progress),
      notice: (message) => logger.info({}, message),
      signal,
    });
    bar.done(
      `boundary data are downloaded: ${(file.bytes / GB).toFixed(2)} GB, ${CHECKED[file.checkedBy ?? 'nothing']}`,
    );
    return file;
  } finally {
    bar.end();
  }
}

const CHECKED = {
  setting: 'checked with the checksum of BOUNDARY_DATA_SHA256',
  header: 'checked with the checksum that the server sends',
  sibling: 'checked with the checksum file next to it',
  nothing: 'not checked: no checksum is known',
} as const;

function occasionally(progress: (received: number, total: number | undefined) => void): typeof progress {
  let reportedAt = -Infinity;
  return (received, total) => {
    if (performance.now() - reportedAt < 100 && received !== total) return;
    reportedAt = performance.now();
    progress(received, total);
  };
}

async function store(file: Downloaded, folder: string, options: ObtainOptions): Promise<readonly ImportOutcome[]> {
  const { boundaryData, stores, logger, signal, setDetail } = options;
  const scratchDir = join(folder, 'import');
  const bar = createProgressBar('boundary data', options);
  try {
    const fileName = nameOf(boundaryData.url, extname(file.path));
    const reports = await importBoundaries(
      { path: file.path, fileName },
      {
        importers: createImporters({ stores, scratchDir }),
        signal,
        progress: (kind, done, total) => {
          bar.update(total === undefined || total === 0 ? 0 : done / total, kind);
          setDetail(`downloaded; ${kind} are being stored`);
        },
        notice: (message) => logger.info({}, message),
      },
    );
    return reports.map((report) => ({ fileName, isTrial: false, report }));
  } finally {
    bar.end();
    await rm(scratchDir, { recursive: true, force: true });
  }
}

function nameOf(url: string, ending: string): string {
  const name = basename(new URL(url).pathname);
  return `${basename(name, extname(name)) || 'boundaries'}${ending}`;
}
