import { DomainError } from '@headwater/core/errors';

/** Assumed length of a file of unknown length, bytes. */
const USUAL_BYTES = 8e9;
/** Space per byte of a file. The documentation recommends 20 GB of free space for a file of 8 GB. */
const ROOM_PER_BYTE = 20 / 8;

/** Free bytes that the rest of the download, the unpacked files and the database need. */
export function roomNeeded(received: number, total: number | undefined): number {
  return Math.ceil((total ?? Math.max(USUAL_BYTES, received)) * ROOM_PER_BYTE) - received;
}

/** Throws `storage_full` if too few bytes are free. */
export function checkRoom(
  free: number,
  { received, total }: { readonly received: number; readonly total: number | undefined },
): void {
  const needed = roomNeeded(received, total);
  if (free >= needed) return;
  const file = total === undefined ? 'A file of unknown length' : `The file of ${gigabytes(total)}`;
  throw new DomainError(
    'storage_full',
    `${file} needs ${gigabytes(needed)} of free space for the rest of the download, for the unpacked files and for the database, but ` +
      `only ${gigabytes(free)} are free. Free space on that disk and try again.`,
  );
}

/** Formats bytes as GB. */
export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e9 ? 3 : 1)} GB`;
