import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, messageOf } from '@headwater/core/errors';
import type { ExportFolder } from '@headwater/http-service';
import { unlessMissing, writeAtomic } from '@headwater/net/files';

/** Error codes of a missing file. Other codes, such as ENOTDIR, mean that EXCEL_PATH is wrong. */
const MISSING = ['ENOENT'];

/** Folder of EXCEL_PATH. It is created for the first file, because a disk may be mounted there after the start. */
export function exportFolder(root: string): ExportFolder {
  const found = async <T>(reading: Promise<T>): Promise<T | undefined> =>
    await unlessMissing(reading, MISSING).catch((error: unknown) => {
      throw folderError(root, error);
    });
  return {
    has: async (path) => (await found(stat(join(root, ...path))))?.isFile() ?? false,
    read: (path) => found(readFile(join(root, ...path), 'utf8')),
    write: async (path, content) => {
      const target = join(root, ...path);
      const failed: unknown[] = [];
      try {
        await mkdir(dirname(target), { recursive: true });
        await writeAtomic(target, async (sink) => {
          for await (const chunk of recordingFailure(chunksOf(content), failed)) await sink.write([chunk]);
        });
      } catch (error) {
        // If the source of the content has failed, its error is thrown unchanged, because the folder has no problem.
        throw failed.includes(error) ? error : folderError(root, error);
      }
    },
  };
}

async function* chunksOf(content: ReadableStream<Uint8Array> | string): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield new TextEncoder().encode(content);
  else yield* content;
}

/** Passes the chunks on. If the source fails, records its error in `failed`. */
async function* recordingFailure<T>(chunks: AsyncIterable<T>, failed: unknown[]): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    failed.push(error);
    throw error;
  }
}

function folderError(root: string, error: unknown): Error {
  const reason = messageOf(error);
  const remedy = 'Make the folder writable, free disk space, or unset EXCEL_PATH.';
  return new DomainError('unavailable', `EXCEL_PATH (${root}): ${reason}. ${remedy}`, { cause: error });
}
