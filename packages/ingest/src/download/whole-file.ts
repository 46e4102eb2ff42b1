import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { publicAddress } from '@headwater/core/errors';
import { type DownloadState, readDownloadState, writeDownloadState } from './download-state.ts';
import { lengthOf } from './part-file.ts';

/** A file and its folder. */
export interface FileAsked {
  /** http(s). User name and password in it are sent as a header, to its own origin alone; they and its query are never shown or stored. */
  readonly url: string;
  /** Folder of this one download; made where it is missing. One process at a time may use it. */
  readonly folder: string;
  /** Hex SHA-256 of the file, where the operator knows it. Left out: that of a header, or of the address with `.sha256` at its end. */
  readonly sha256?: string | undefined;
}

type WholeState = DownloadState & { readonly whole: NonNullable<DownloadState['whole']> };

/** A file that is whole. */
export interface Downloaded {
  readonly path: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** What its checksum was compared with; absent where nothing told one: then its length and version alone were. */
  readonly checkedBy?: 'setting' | 'header' | 'sibling';
}

/** What the folder holds of a file that an earlier call has made whole; undefined where that was another file. */
async function wholeState({ folder, url, sha256 }: FileAsked): Promise<WholeState | undefined> {
  const state = await readDownloadState(folder);
  if (state?.whole === undefined || state.source !== publicAddress(url)) return undefined;
  const isRight = sha256 === undefined || sha256.toLowerCase() === state.whole.sha256;
  return isRight ? { ...state, whole: state.whole } : undefined;
}

/** The file that an earlier call has made whole, where it is still there. */
export async function wholeAlready(asked: FileAsked): Promise<Downloaded | undefined> {
  const state = await wholeState(asked);
  if (state === undefined) return undefined;
  const path = join(asked.folder, state.whole.name);
  if ((await lengthOf(path)) !== state.synced) return undefined;
  const { sha256, checkedBy } = state.whole;
  return { path, bytes: state.synced, sha256, ...(checkedBy === undefined ? {} : { checkedBy }) };
}

/** True where what the file holds is in the database of this id, so that there is nothing to download. */
export async function isStored(asked: FileAsked, databaseId: string): Promise<boolean> {
  return (await wholeState(asked))?.storedIn === databaseId;
}

/** Notes that what the file holds is in the database of this id, and removes the file unless it is to be kept. */
export async function noteStored(
  asked: FileAsked,
  done: { readonly databaseId: string; readonly keeps: boolean },
): Promise<void> {
  const state = await wholeState(asked);
  if (state === undefined) return;
  // Noted first: a file that is there though nobody needs it is no harm.
  await writeDownloadState(asked.folder, { ...state, storedIn: done.databaseId });
  if (!done.keeps) await rm(join(asked.folder, state.whole.name), { force: true });
}

/** Forgets a download: the next one begins with nothing. */
export async function forgetDownload(folder: string): Promise<void> {
  const state = await readDownloadState(folder);
  if (state === undefined) return;
  await writeDownloadState(folder, { source: '', version: {}, synced: 0 });
  if (state.whole !== undefined) await rm(join(folder, state.whole.name), { force: true });
}
