import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@headwater/core';
import { setOnce } from '../../../reading/query.ts';
import type { Upload } from '../../../seam/uploads.ts';
import type { Part } from '../../../seam/row-body.ts';
import { sentences } from '../../../wire/sentences.ts';
import { badMember } from '../../../wire/request-error.ts';

/** Options of `receiveUpload`. */
export interface Receiving<T> {
  /** Folder for working files; created if missing. */
  readonly scratchDir: string;
  readonly signal: AbortSignal;
  /** Called before the file's bytes are read, with the file name and the fields that precede the file in the body. Throws to refuse the file. */
  readonly checkName: (fileName: string, fields: Upload['fields']) => void;
  readonly use: (upload: Upload) => Promise<T>;
  /** Returns the free space on the disk of a folder, bytes; default: as the file system reports it. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** Free space that uploads must leave, bytes. Below this value importers stop, and the health report warns by default. */
const MIN_FREE_BYTES = 1e9;
/**
 * Number of bytes between two checks of the free space. The check is repeated because simultaneous uploads use the same disk.
 */
const CHECK_INTERVAL_BYTES = 64 * 1024 * 1024;

const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Writes the part `file` of a body into a new folder in `scratchDir`, calls `use` with the file, and then always removes the
 * folder. Throws `validation` if there is not exactly one file. Throws `storage_full` if the disk is nearly full. Throws the errors
 * of `parts` and of `use`. If the client disconnects while `use` runs, the effects of `use` remain.
 */
export async function receiveUpload<T>(parts: AsyncIterable<Part>, receiving: Receiving<T>): Promise<T> {
  const { scratchDir, use } = receiving;
  await mkdir(scratchDir, { recursive: true });
  const folder = await mkdtemp(join(scratchDir, 'upload-'));
  try {
    return await use(await received(parts, { ...receiving, path: join(folder, 'file') }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Writing = { readonly path: string } & Pick<
  Receiving<unknown>,
  'scratchDir' | 'signal' | 'checkName' | 'freeBytes'
>;

/** Returns the complete upload. Throws the signal's reason if the body ends early because the client has disconnected. */
async function received(parts: AsyncIterable<Part>, writing: Writing): Promise<Upload> {
  try {
    return await written(parts, writing);
  } catch (error) {
    writing.signal.throwIfAborted();
    throw error;
  }
}

async function written(parts: AsyncIterable<Part>, writing: Writing): Promise<Upload> {
  const { path, signal, checkName } = writing;
  const fields: Record<string, string> = {};
  let fileName: string | undefined;
  for await (const part of parts) {
    if (part.kind === 'field') {
      setOnce(fields, part.name, part.value);
      continue;
    }
    if (part.name !== 'file') throw badMember(part.name, 'Unexpected file; send the file in the part "file".');
    if (fileName !== undefined) throw badMember('file', sentences.givenTwice);
    checkName(part.filename, fields);
    fileName = part.filename;
    await pipeline(whileRoom(part.chunks, writing), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  }
  if (fileName === undefined) throw badMember('file', sentences.required);
  return { path, fileName, fields };
}

/** Yields the chunks of a file; throws `storage_full` if the disk is nearly full. */
async function* whileRoom(
  chunks: AsyncIterable<Uint8Array>,
  { scratchDir, freeBytes = freeBytesOf }: Writing,
): AsyncGenerator<Uint8Array> {
  let [bytes, nextCheck] = [0, 0];
  for await (const chunk of chunks) {
    if (bytes >= nextCheck) {
      nextCheck = bytes + CHECK_INTERVAL_BYTES;
      if ((await freeBytes(scratchDir)) < MIN_FREE_BYTES)
        throw new DomainError(
          'storage_full',
          `The disk for uploads has less than ${MIN_FREE_BYTES / 1e9} GB free; free some space and send the file again.`,
        );
    }
    bytes += chunk.byteLength;
    yield chunk;
  }
}
