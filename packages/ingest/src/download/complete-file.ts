import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { publicAddress } from '@headwater/core/errors';
import { type DownloadState, readDownloadState, writeDownloadState } from './download-state.ts';
import { lengthOf } from './part-file.ts';

/** A file to download, and the folder for the download. */
export interface DownloadTarget {
  /**
   * http(s) address. A user name and password in the address are sent as a header, and only to the origin of the
   * address. User name, password and query are never shown or stored.
   */
  readonly url: string;
  /** Folder of this download only; created if missing. Only one process at a time may use this folder. */
  readonly folder: string;
  /**
   * Hex SHA-256 of the file, if the operator knows it. Default: the checksum in a response header, or in the checksum
   * file at the address of the file with `.sha256` appended.
   */
  readonly sha256?: string | undefined;
}

type WholeState = DownloadState & { readonly whole: NonNullable<DownloadState['whole']> };

/** A complete file. */
export interface Downloaded {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /**
   * Source of the checksum that was compared (`sibling`: the checksum file). Absent if there was no checksum; then only length and version were compared.
   */
  readonly checkedBy?: 'setting' | 'header' | 'sibling';
}

/**
 * State of the complete file in the folder. Undefined if there is no complete file, or if its address or checksum differs from that of
 * the target.
 */
async function wholeState({ folder, url, sha256 }: DownloadTarget): Promise<WholeState | undefined> {
  const state = await readDownloadState(folder);
  if (state?.whole === undefined || state.source !== publicAddress(url)) return undefined;
  const isRight = sha256 === undefined || sha256.toLowerCase() === state.whole.sha256;
  return isRight ? { ...state, whole: state.whole } : undefined;
}

/** The complete file of an earlier call; undefined if the file is no longer in the folder. */
export async function completeFile(file: DownloadTarget): Promise<Downloaded | undefined> {
  const state = await wholeState(file);
  if (state === undefined) return undefined;
  const path = join(file.folder, state.whole.name);
  if ((await lengthOf(path)) !== state.synced) return undefined;
  const { sha256, checkedBy } = state.whole;
  return { path, bytes: state.synced, sha256, ...(checkedBy === undefined ? {} : { checkedBy }) };
}

/** True if the database of this id has stored the contents of the file. Then no download is necessary. */
export async function isStored(file: DownloadTarget, databaseId: string): Promise<boolean> {
  return (await wholeState(file))?.storedIn === databaseId;
}

/** Records that the database of this id has stored the contents of the file, and removes the file unless `keeps` is true. */
export async function noteStored(
  file: DownloadTarget,
  done: { readonly databaseId: string; readonly keeps: boolean },
): Promise<void> {
  const state = await wholeState(file);
  if (state === undefined) return;
  // The record is written before the file is removed. If the process is killed between these steps, only an unnecessary
  // file remains.
  await writeDownloadState(file.folder, { ...state, storedIn: done.databaseId });
  if (!done.keeps) await rm(join(file.folder, state.whole.name), { force: true });
}

/** Resets a download; the next download begins at the first byte. */
export async function forgetDownload(folder: string): Promise<void> {
  const state = await readDownloadState(folder);
  if (state === undefined) return;
  await writeDownloadState(folder, { source: '', version: {}, synced: 0 });
  if (state.whole !== undefined) await rm(join(folder, state.whole.name), { force: true });
}
