import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDrafts, writeAtomic } from '@headwater/net/files';
import { z } from 'zod';

/** Fields of a response that distinguish one version of a file from the next. */
const Version = z.object({
  /** As the server writes it, with quotes; weak ones begin with `W/`. */
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Bytes of the whole file. */
  total: z.int().min(0).optional(),
  /** Hex SHA-256 of the whole file, from a header. */
  digest: z.string().optional(),
});

const State = z.object({
  /** Address without user, password and query, which are secret; the query of a signed address also differs at each start. */
  source: z.string(),
  version: Version,
  /** Bytes of the part that are safely on the disk; bytes after them are downloaded again. */
  synced: z.int().min(0),
  /** Once the file is complete: its name in the folder, its hex SHA-256, and the source of the checksum that it was compared with. */
  whole: z
    .object({
      name: z.string().regex(/^[\w.-]+$/),
      sha256: z.string(),
      checkedBy: z.enum(['setting', 'header', 'sibling']).exactOptional(),
    })
    .optional(),
  /** Id of the database that has stored the contents of the file. */
  storedIn: z.string().optional(),
});

/** Version of a file, from the server's headers. */
export type FileVersion = z.infer<typeof Version>;
/** Progress of a download, stored next to the part of the file: if the process is killed, the next one continues. */
export type DownloadState = z.infer<typeof State>;

const pathOf = (folder: string): string => join(folder, 'state.json');

/** Path of the bytes received so far. */
export const partOf = (folder: string): string => join(folder, 'part');

/** Reads the state from the folder; undefined if there is none or it is not readable: the download then restarts. */
export async function readDownloadState(folder: string): Promise<DownloadState | undefined> {
  const text = await readFile(pathOf(folder), 'utf8').catch(() => '');
  try {
    return State.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Replaces the state; it is completely on the disk when the promise resolves. */
export async function writeDownloadState(folder: string, state: DownloadState): Promise<void> {
  await writeAtomic(pathOf(folder), (sink) => sink.write([Buffer.from(`${JSON.stringify(state)}\n`)]));
}

/** Removes the temporary state files that a killed process left. */
export const removeStateDrafts = (folder: string): Promise<void> => removeDrafts(pathOf(folder));
