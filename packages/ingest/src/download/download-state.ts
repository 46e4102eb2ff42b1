import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDrafts, writeAtomic } from '@headwater/net/files';
import { z } from 'zod';

/** Fields of a response that distinguish one version of a file from the next. */
const Version = z.object({
  /** ETag as sent by the server, with quotes; a weak ETag begins with `W/`. */
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Bytes of the whole file. */
  total: z.int().min(0).optional(),
  /** Hex SHA-256 of the whole file, from a header. */
  digest: z.string().optional(),
});

const State = z.object({
  /** Address without user name, password and query. These are secret, and the query of a signed address differs at each start. */
  source: z.string(),
  version: Version,
  /** Number of received bytes that were synced to the disk. After a restart, all later bytes are downloaded again. */
  synced: z.int().min(0),
  /**
   * The complete file: its name in the folder, its hex SHA-256, and the source of the checksum with which the file was
   * compared. Absent until the file is complete.
   */
  whole: z
    .object({
      name: z.string().regex(/^[\w.-]+$/),
      sha256: z.string(),
      checkedBy: z.enum(['setting', 'header', 'sibling']).exactOptional(),
    })
    .optional(),
  /** Id of the database that has imported the contents of the file. */
  storedIn: z.string().optional(),
});

/** Version of a file, from the server's headers. */
export type FileVersion = z.infer<typeof Version>;
/** Progress of a download, stored next to the received part of the file. If the process is killed, the next process continues the download. */
export type DownloadState = z.infer<typeof State>;

const pathOf = (folder: string): string => join(folder, 'state.json');

/** Path of the bytes received so far. */
export const partOf = (folder: string): string => join(folder, 'part');

/**
 * Reads the state from the folder. Undefined if the state file is missing or cannot be read; the download then
 * restarts.
 */
export async function readDownloadState(folder: string): Promise<DownloadState | undefined> {
  const text = await readFile(pathOf(folder), 'utf8').catch(() => '');
  try {
    return State.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Replaces the state; resolves when the new state is synced to the disk. */
export async function writeDownloadState(folder: string, state: DownloadState): Promise<void> {
  await writeAtomic(pathOf(folder), (sink) => sink.write([Buffer.from(`${JSON.stringify(state)}\n`)]));
}

/** Removes temporary state files of a process that was killed. */
export const removeStateDrafts = (folder: string): Promise<void> => removeDrafts(pathOf(folder));
