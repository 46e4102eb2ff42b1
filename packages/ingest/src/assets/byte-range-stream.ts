import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

const CHUNK = 256 * 1024;

/** Bytes [start, end] (both inclusive) of a file; opened at the first read, closed at the end or when cancelled. */
export function byteRangeStream(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined;
  let position = start;
  const close = async (): Promise<void> => {
    const open = file;
    file = undefined;
    await open?.close();
  };
  const next = async (): Promise<Uint8Array> => {
    file ??= await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
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
          // A shorter file than announced must not look like a complete answer.
          if (position <= end) controller.error(new Error(`file ends at byte ${position}, before byte ${end}`));
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
