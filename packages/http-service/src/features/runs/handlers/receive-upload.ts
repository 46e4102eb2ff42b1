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
  /** Called before the file is read. Throws to refuse the file. */
  readonly checkName: (fileName: string, fields: Upload['fields']) => void;
  readonly use: (upload: Upload) => Promise<T>;
  /** Free space on the disk of a folder, bytes; default: from the file system. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

const MIN_FREE_BYTES = 1e9;
/** Bytes between two checks of the free space. One check is not enough, because several uploads share the disk. */
const CHECK_INTERVAL_BYTES = 64 * 1024 * 1024;

const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Writes the part `file` into a new folder, calls `use` with the file, and removes the folder. Throws `storage_full`,
 * and `validation` if the body has no file or more than one file.
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

/** Receives the parts. Throws the signal's reason if the client disconnects before the end of the body. */
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
