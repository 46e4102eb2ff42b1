import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeDrafts, writeAtomic } from '@headwater/net/files';
import { z } from 'zod';

/** What servers say by which one version of a file is told from the next. */
const Version = z.object({
  /** As the server writes it, with quotes; weak ones begin with `W/`. */
  etag: z.string().optional(),
  lastModified: z.string().optional(),
  /** Bytes of the whole file. */
  total: z.int().min(0).optional(),
  /** Hex SHA-256 of the whole file, as a header tells it. */
  digest: z.string().optional(),
});

const State = z.object({
  /** Address without secrets: the query of a signed one differs from start to start. */
  source: z.string(),
  version: Version,
  /** Bytes of the part that are on the disk for sure; what lies behind them is read again. */
  synced: z.int().min(0),
  /** Once the file is whole: what it is called beside the part, its hex SHA-256, and who told the one that it was compared with. */
  whole: z
    .object({
      name: z.string().regex(/^[\w.-]+$/),
      sha256: z.string(),
      checkedBy: z.enum(['setting', 'header', 'sibling']).exactOptional(),
    })
    .optional(),
  /** Id of the database that has stored what it holds. */
  storedIn: z.string().optional(),
});

/** One version of a file, as far as a server tells it. */
export type FileVersion = z.infer<typeof Version>;
/** How far a download is. It lies beside the part of the file, so that a process that was killed is followed by one that goes on. */
export type DownloadState = z.infer<typeof State>;

const pathOf = (folder: string): string => join(folder, 'state.json');

/** Path of what has come so far. */
export const partOf = (folder: string): string => join(folder, 'part');

/** The state that the folder holds; undefined where there is none, or none that can be read: then all begins anew. */
export async function readDownloadState(folder: string): Promise<DownloadState | undefined> {
  const text = await readFile(pathOf(folder), 'utf8').catch(() => '');
  try {
    return State.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Replaces the state: it is on the disk, whole, when this resolves. */
export async function writeDownloadState(folder: string, state: DownloadState): Promise<void> {
  await writeAtomic(pathOf(folder), (sink) => sink.write([Buffer.from(`${JSON.stringify(state)}\n`)]));
}

/** Removes what a process that was killed left of a state that it was writing. */
export const removeStateDrafts = (folder: string): Promise<void> => removeDrafts(pathOf(folder));
