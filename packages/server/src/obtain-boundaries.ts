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

/** What the work needs. */
export interface ObtainOptions extends Showing<Logger> {
  readonly config: Pick<Config, 'dataDir' | 'allowedOrigins'>;
  readonly boundaryData: BoundaryDataConfig;
  readonly stores: Stores;
  readonly signal: AbortSignal;
  /** All is downloaded and stored again, whatever is there. Default: false. */
  readonly isAnew?: boolean;
  /** Told in words how far it is, as it goes on. */
  readonly say: (detail: string) => void;
}

/** What was done. */
export interface Obtained {
  /** False where the database has them already. */
  readonly isNew: boolean;
  /** What became of each kind; empty where nothing was new. */
  readonly imports: readonly ImportOutcome[];
  /** File that lists refused and repaired rows. */
  readonly report: string;
}

/** Another process has the folder. */
export class HeldElsewhere extends ConfigError {}

/** Folder of the download. */
export const boundaryFolder = (dataDir: string): string => join(dataDir, 'boundary-data');

/** Bytes of a gigabyte. */
const GB = 1e9;

/**
 * Downloads the boundary data and stores what they hold, where the database does not have them yet; one process at a time over all that
 * share DATA_DIR. Throws `HeldElsewhere`, and what `downloadFile` and the importers throw.
 */
export async function obtainBoundaries(options: ObtainOptions): Promise<Obtained> {
  const { config, boundaryData, stores } = options;
  const folder = boundaryFolder(config.dataDir);
  const report = join(folder, 'import-report.csv');
  const asked = { ...boundaryData, folder };
  const databaseId = await stores.installation.getOrCreate('boundary data', randomUUID());
  await mkdir(folder, { recursive: true });
  const lock = hold(folder);
  try {
    if (options.isAnew === true) await forgetDownload(folder);
    if (await isStored(asked, databaseId)) return { isNew: false, imports: [], report };
    const file = await download(folder, options);
    const imports = await store(file, folder, options);
    await writeReport(report, imports);
    await noteStored(asked, { databaseId, keeps: boundaryData.keeps });
    return { isNew: true, imports, report };
  } finally {
    lock.release();
  }
}

function hold(folder: string): FolderLock {
  try {
    return lockFolder(folder, (_, holder) => `the boundary data are being downloaded by ${holder}`);
  } catch (error) {
    if (isDomainError(error) && error.code === 'unavailable') throw new HeldElsewhere(error.message);
    throw error;
  }
}

async function download(folder: string, options: ObtainOptions): Promise<Downloaded> {
  const { boundaryData, config, logger, signal, say } = options;
  const bar = createProgressBar('boundary data', options);
  const progress = (received: number, total: number | undefined): void => {
    const amount = `${(received / GB).toFixed(2)}${total === undefined ? '' : ` of ${(total / GB).toFixed(2)}`} GB`;
    bar.update(total === undefined || total === 0 ? 0 : received / total, amount);
    say(`${amount} are downloaded`);
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
  setting: 'with the checksum of BOUNDARY_DATA_SHA256',
  header: 'with the checksum that the server tells',
  sibling: 'with the checksum of the file beside it',
  nothing: 'not checked: nobody tells a checksum',
} as const;

/** A look ten times a second is enough for an eye; pieces come by the thousand. */
function occasionally(progress: (received: number, total: number | undefined) => void): typeof progress {
  let told = -Infinity;
  return (received, total) => {
    if (performance.now() - told < 100 && received !== total) return;
    told = performance.now();
    progress(received, total);
  };
}

async function store(file: Downloaded, folder: string, options: ObtainOptions): Promise<readonly ImportOutcome[]> {
  const { boundaryData, stores, logger, signal, say } = options;
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
          say(`downloaded; ${kind} are being stored`);
        },
        notice: (message) => logger.info({}, message),
      },
    );
    return reports.map((report) => ({ fileName, isTrial: false, report }));
  } finally {
    bar.end();
    // Of this one, and of one that was killed here: the folder is held.
    await rm(scratchDir, { recursive: true, force: true });
  }
}

/** What the file is called in its address, with the ending of what it is. */
function nameOf(url: string, ending: string): string {
  const name = basename(new URL(url).pathname);
  return `${basename(name, extname(name)) || 'boundaries'}${ending}`;
}
