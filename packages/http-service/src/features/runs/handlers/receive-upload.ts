import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '@headwater/core';
import { setOnce } from '../../../reading/query.ts';
import type { Part } from '../../../seam/row-body.ts';
import { sentences } from '../../../wire/sentences.ts';
import { badMember } from '../../../wire/request-error.ts';

/** A body with one file, written to this machine's disk. */
export interface Upload {
  /** Absolute path. */
  readonly path: string;
  /** As the client called it: a text, never a path of ours. */
  readonly fileName: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** How an upload is taken. */
export interface Receiving<T> {
  /** Folder for working files, made where it is missing. */
  readonly scratchDir: string;
  readonly signal: AbortSignal;
  /** Called with the file's name before its bytes are read, so that a file nobody wants is not waited for. */
  readonly checkName: (fileName: string) => void;
  readonly use: (upload: Upload) => Promise<T>;
  /** Free space of the disk where a folder lies, bytes; default: what its file system says. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

/** Free space that uploads leave: the one below which health warns by default, and importers give up. */
const LEFT_BYTES = 1e9;
/** Free space is looked at each time that so much was written, so that all who write at once together see it go. */
const LOOK_BYTES = 64 * 1024 * 1024;

const freeBytesOf = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/**
 * Writes the part `file` of a body into a folder of its own under `scratchDir`, lets `use` work with it and removes it, however that ends.
 * The parts' own limits bound it. Throws `validation` where there is no file, or more than one, and `storage_full` where the disk is nearly full, and
 * whatever `use` throws: what it did stays done when the client leaves meanwhile.
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

/** The upload once it is whole. A body that breaks off because its client left is no fault of the body: the signal's reason is thrown. */
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
    if (part.name !== 'file') throw badMember(part.name, 'No such file is taken; send it as "file".');
    if (fileName !== undefined) throw badMember('file', sentences.givenTwice);
    checkName(part.filename);
    fileName = part.filename;
    await pipeline(whileRoom(part.chunks, writing), createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  }
  if (fileName === undefined) throw badMember('file', sentences.required);
  return { path, fileName, fields };
}

/** The chunks of a file, while the disk has room. */
async function* whileRoom(
  chunks: AsyncIterable<Uint8Array>,
  { scratchDir, freeBytes = freeBytesOf }: Writing,
): AsyncGenerator<Uint8Array> {
  let [bytes, nextLook] = [0, 0];
  for await (const chunk of chunks) {
    if (bytes >= nextLook) {
      nextLook = bytes + LOOK_BYTES;
      if ((await freeBytes(scratchDir)) < LEFT_BYTES)
        throw new DomainError(
          'storage_full',
          `The disk of uploads has less than ${LEFT_BYTES / 1e9} GB free; make room and send the file again.`,
        );
    }
    bytes += chunk.byteLength;
    yield chunk;
  }
}
