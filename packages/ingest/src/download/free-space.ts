import { statfs } from 'node:fs/promises';
import { DomainError } from '@headwater/core/errors';

/** What the interface's document names for an installation: 20 GB free for a file of about 8 GB; scaled to the file's length. */
const USUAL_BYTES = 8e9;
const ROOM_PER_BYTE = 20 / 8;

/** Bytes that may still be written where the folder lies. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Bytes that have to be free when `received` of a file's `total` are there: for its rest, what is unpacked of it, and the database. */
export function roomNeeded(received: number, total: number | undefined): number {
  return Math.ceil((total ?? Math.max(USUAL_BYTES, received)) * ROOM_PER_BYTE) - received;
}

/** Throws `storage_full` where less is free. */
export function checkRoom(
  free: number,
  { received, total }: { readonly received: number; readonly total: number | undefined },
): void {
  const needed = roomNeeded(received, total);
  if (free >= needed) return;
  const file = total === undefined ? 'A file of unknown length' : `The file of ${gigabytes(total)}`;
  throw new DomainError(
    'storage_full',
    `${file} needs ${gigabytes(needed)} of free space for its rest, for what is unpacked of it and for the database, and ` +
      `${gigabytes(free)} are free. Make room on that disk.`,
  );
}

/** Bytes in words. */
export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e9 ? 3 : 1)} GB`;
