import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDrafts, writeAtomic } from '@headwater/net/files';
import { z } from 'zod';

const Version = z.object({
  /** ETag as sent, with quotes; a weak ETag begins with `W/`. */
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  total: z.int().min(0).optional(),
  /** Hex SHA-256 of the whole file. */
  digest: z.string().optional(),
});

const State = z.object({
  /** Address without user name, password and query. These are secret, and the query of a signed address changes. */
  source: z.string(),
  version: Version,
  /** Bytes that were synced to the disk; later bytes are downloaded again after a restart. */
  synced: z.int().min(0),
  /** Complete file: name in the folder, hex SHA-256, and source of the compared checksum. */
  whole: z
    .object({
      name: z.string().regex(/^[\w.-]+$/),
      sha256: z.string(),
      checkedBy: z.enum(['setting', 'header', 'sibling']).exactOptional(),
    })
    .optional(),
  /** Id of the database that has imported the contents. */
  storedIn: z.string().optional(),
});

/** Version of a file, from the server's headers. */
export type FileVersion = z.infer<typeof Version>;
/** Progress of a download, with which another process continues after a kill. */
export type DownloadState = z.infer<typeof State>;

const pathOf = (folder: string): string => join(folder, 'state.json');

/** Path of the received bytes. */
export const partOf = (folder: string): string => join(folder, 'part');

/** Reads the state; undefined if it is missing or damaged, so that the download restarts. */
export async function readDownloadState(folder: string): Promise<DownloadState | undefined> {
  const text = await readFile(pathOf(folder), 'utf8').catch(() => '');
  try {
    return State.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Replaces the state, synced to the disk. */
export async function writeDownloadState(folder: string, state: DownloadState): Promise<void> {
  await writeAtomic(pathOf(folder), (sink) => sink.write([Buffer.from(`${JSON.stringify(state)}\n`)]));
}

/** Removes temporary state files of a killed process. */
export const removeStateDrafts = (folder: string): Promise<void> => removeDrafts(pathOf(folder));
