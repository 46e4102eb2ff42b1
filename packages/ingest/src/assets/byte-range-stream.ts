import { type BigIntStats, constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { DomainError, errorCode } from '@headwater/core';

const CHUNK = 256 * 1024;

/** Bytes to read, both ends inclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Strong ETag of a file from its size, modification time and inode. */
export function etagOf({ size, mtimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): string {
  return [size, mtimeNs, ino].map((part) => part.toString(16)).join('-');
}

/**
 * Stream of a byte range of the file with this ETag. The first read opens the file; the end or a cancellation closes it. The first read
 * fails with `unavailable` if the file was removed or replaced.
 */
export function byteRangeStream(path: string, etag: string, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let position = start;
  const close = async (): Promise<void> => {
    const open = file;
    file = undefined;
    await open?.close();
  };
  const next = async (): Promise<Uint8Array> => {
    if (file === undefined) {
      file = await openNow(path);
      const status = await file.stat({ bigint: true });
      if (status.size <= end) throw changed(endsAt(status.size, end));
      if (etagOf(status) !== etag) throw changed(new Error(`${path}: the file was replaced after its status was read`));
    }
    const chunk = new Uint8Array(Math.min(CHUNK, end - position + 1));
    const { bytesRead } = await file.read(chunk, { position });
    position += bytesRead;
    return chunk.subarray(0, bytesRead);
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const chunk = position <= end ? await next() : new Uint8Array(0);
          if (chunk.length > 0) controller.enqueue(chunk);
          if (chunk.length > 0 && position <= end) return;
          await close();
          // If the file became shorter, the stream must fail: otherwise the response would look complete.
          if (position <= end) controller.error(endsAt(position, end));
          else controller.close();
        } catch (error) {
          await close();
          throw error;
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

async function openNow(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    throw errorCode(cause) === 'ENOENT' ? changed(cause) : cause;
  }
}

/** The error for clients; it does not contain the path. */
function changed(cause: unknown): DomainError {
  const message = 'The file was removed or replaced while it was being opened; send the request again.';
  return new DomainError('unavailable', message, { cause });
}

const endsAt = (position: number | bigint, end: number): Error =>
  new Error(`file ends at byte ${position}, before byte ${end}`);
