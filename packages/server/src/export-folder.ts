import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DomainError, errorCode, messageOf } from '@headwater/core/errors';
import type { ExportFolder } from '@headwater/http-service';
import { writeAtomic } from '@headwater/net/files';

/** The folder that EXCEL_PATH names. It is made when the first file is written: a disk may be mounted later. */
export function exportFolder(root: string): ExportFolder {
  const ifThere = async <T>(found: Promise<T>): Promise<T | undefined> => {
    try {
      return await found;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw named(root, error);
    }
  };
  return {
    has: async (path) => (await ifThere(stat(join(root, ...path))))?.isFile() ?? false,
    read: (path) => ifThere(readFile(join(root, ...path), 'utf8')),
    write: async (path, content) => {
      const target = join(root, ...path);
      const failed: unknown[] = [];
      try {
        await mkdir(dirname(target), { recursive: true });
        await writeAtomic(target, async (sink) => {
          for await (const chunk of noting(chunksOf(content), failed)) await sink.write([chunk]);
        });
      } catch (error) {
        // What comes to be written may fail too, and is no fault of the folder.
        throw failed.includes(error) ? error : named(root, error);
      }
    },
  };
}

async function* chunksOf(content: ReadableStream<Uint8Array> | string): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield new TextEncoder().encode(content);
  else yield* content;
}

/** The same chunks; their failure is noted. */
async function* noting<T>(chunks: AsyncIterable<T>, failed: unknown[]): AsyncGenerator<T> {
  try {
    yield* chunks;
  } catch (error) {
    failed.push(error);
    throw error;
  }
}

/** What an operator can do about it. */
function named(root: string, error: unknown): Error {
  const reason = messageOf(error);
  const remedy = 'Let the service write there, free space, or unset EXCEL_PATH.';
  return new DomainError('unavailable', `EXCEL_PATH (${root}): ${reason}. ${remedy}`, { cause: error });
}
