import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { publicAddress } from '@headwater/core/errors';
import { type DownloadState, readDownloadState, writeDownloadState } from './download-state.ts';
import { lengthOf } from './part-file.ts';

/** File to download, and its folder. */
export interface DownloadTarget {
  /**
   * http(s) address. User name and password are sent as a header, only to this origin. User name, password and query
   * are never shown or stored.
   */
  readonly url: string;
  /** Folder of this download only, for one process at a time; created if missing. */
  readonly folder: string;
  /** Hex SHA-256, if known. Default: from a response header, or from the address with `.sha256` appended. */
  readonly sha256?: string | undefined;
}

type WholeState = DownloadState & { readonly whole: NonNullable<DownloadState['whole']> };

/** Complete file. */
export interface Downloaded {
  readonly path: string;
  readonly bytes: number;
  /** Hex SHA-256. */
  readonly sha256: string;
  /** Source of the compared checksum (`sibling`: the checksum file). Absent without a checksum. */
  readonly checkedBy?: 'setting' | 'header' | 'sibling';
}

async function wholeState({ folder, url, sha256 }: DownloadTarget): Promise<WholeState | undefined> {
  const state = await readDownloadState(folder);
  if (state?.whole === undefined || state.source !== publicAddress(url)) return undefined;
  const isRight = sha256 === undefined || sha256.toLowerCase() === state.whole.sha256;
  return isRight ? { ...state, whole: state.whole } : undefined;
}

/** Complete file of an earlier call; undefined if there is none, or if it was removed or has another length. */
export async function completeFile(file: DownloadTarget): Promise<Downloaded | undefined> {
  const state = await wholeState(file);
  if (state === undefined) return undefined;
  const path = join(file.folder, state.whole.name);
  if ((await lengthOf(path)) !== state.synced) return undefined;
  const { sha256, checkedBy } = state.whole;
  return { path, bytes: state.synced, sha256, ...(checkedBy === undefined ? {} : { checkedBy }) };
}

/** True if this database has stored the contents of the file. */
export async function isStored(file: DownloadTarget, databaseId: string): Promise<boolean> {
  return (await wholeState(file))?.storedIn === databaseId;
}

/** Records that this database has stored the contents, and removes the file unless `keeps`. */
export async function noteStored(
  file: DownloadTarget,
  done: { readonly databaseId: string; readonly keeps: boolean },
): Promise<void> {
  const state = await wholeState(file);
  if (state === undefined) return;
  // Recorded before the removal, so that after a kill only an unnecessary file remains.
  await writeDownloadState(file.folder, { ...state, storedIn: done.databaseId });
  if (!done.keeps) await rm(join(file.folder, state.whole.name), { force: true });
}

/** Resets a download, which then begins at the first byte. */
export async function forgetDownload(folder: string): Promise<void> {
  const state = await readDownloadState(folder);
  if (state === undefined) return;
  await writeDownloadState(folder, { source: '', version: {}, synced: 0 });
  if (state.whole !== undefined) await rm(join(folder, state.whole.name), { force: true });
}
