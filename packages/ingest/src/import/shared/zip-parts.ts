import { isDomainError } from '@headwater/core';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import type { ImportJob } from './importer.ts';
import { badFile, checkGoesOn } from './import-deps.ts';

/** What a ZIP may hold. */
export interface ZipLimits {
  readonly entries: number;
  /** Bytes that come out of it in all, counted as they come: what the archive claims is not believed. */
  readonly bytes: number;
}

/** Files inside of a ZIP. */
export interface ZipParts {
  has(name: string): boolean;
  /** Bytes that the archive claims for it; for progress only. */
  sizeOf(name: string): number;
  /** Bytes of one of them as they come. Throws `validation` where it is broken or there is too much. */
  read(name: string): AsyncGenerator<Uint8Array>;
  close(): void;
}

/** Opens a ZIP. Throws `validation` for what is none, and beyond the limits. */
export async function openZip(job: ImportJob, limits: ZipLimits): Promise<ZipParts> {
  const zip = await openPromise(job.path, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    throw badFile(job, `it is no ZIP archive (${wordsOf(error)}). Save it again as an unprotected .xlsx.`);
  });
  try {
    return partsOf(zip, await entriesOf(zip, { job, limits }), { job, limits });
  } catch (error) {
    zip.close();
    throw error;
  }
}

interface Bounds {
  readonly job: ImportJob;
  readonly limits: ZipLimits;
}

async function entriesOf(zip: ZipFile, { job, limits }: Bounds): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= limits.entries) throw badFile(job, `it holds more than ${limits.entries} files.`);
      if (entries.has(entry.fileName)) throw badFile(job, `it holds ${JSON.stringify(entry.fileName)} twice.`);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw asBadFile(error, job);
  }
  return entries;
}

function partsOf(zip: ZipFile, entries: ReadonlyMap<string, Entry>, { job, limits }: Bounds): ZipParts {
  let seen = 0;
  return {
    has: (name) => entries.has(name),
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    read: async function* (name) {
      const entry = entries.get(name);
      if (entry === undefined) throw badFile(job, `it holds no ${JSON.stringify(name.slice(0, 200))}.`);
      try {
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          if (!(chunk instanceof Uint8Array)) continue;
          checkGoesOn(job);
          seen += chunk.byteLength;
          if (seen > limits.bytes) throw badFile(job, `more than ${limits.bytes} bytes come out of it; split it.`);
          yield chunk;
        }
      } catch (error) {
        throw asBadFile(error, job);
      }
    },
    close: () => zip.close(),
  };
}

/** Errors of the archive's reader name what is wrong with it; ours stay. */
function asBadFile(error: unknown, job: ImportJob): unknown {
  return isDomainError(error) ? error : badFile(job, `its archive is broken (${wordsOf(error)}).`);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : 'unreadable').slice(0, 200);
