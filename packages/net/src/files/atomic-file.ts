import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, statfs } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { NetError } from '../errors.ts';

/** Free bytes of the file system. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Size and hex sha-256 of a file. */
export interface FileDigest {
  readonly bytes: number;
  readonly sha256: string;
}

/** Digest of a file. Rejects if the file cannot be read or the signal aborts. */
export async function digestOfFile(path: string, signal?: AbortSignal): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
    const data: Buffer = chunk;
    hash.update(data);
    bytes += data.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Target of a file's content. Memory of chunks may be reused after `write` has settled. */
export interface FileSink {
  write(chunks: readonly Uint8Array[]): Promise<void>;
}

/**
 * Writes, syncs and renames a temporary file next to `path`, so that `path` is always complete. Returns the digest.
 * Throws `storage_full` if the disk is full.
 */
export async function writeAtomic(path: string, fill: (sink: FileSink) => Promise<void>): Promise<FileDigest> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const digest = await writeAndSync(temporary, fill);
    await rename(temporary, path);
    return digest;
  } catch (error) {
    // An error of `rm` is ignored, because the error of the write is thrown.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError(error, path);
  }
}

/** Removes temporary files of killed processes. Call only while no other process writes `path`. */
export async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  const isDraft = (name: string): boolean => name.startsWith(`.${basename(path)}.`) && name.endsWith('.tmp');
  const drafts = (await readdir(folder)).filter(isDraft);
  await Promise.all(drafts.map((name) => rm(join(folder, name), { force: true })));
}

async function writeAndSync(path: string, fill: (sink: FileSink) => Promise<void>): Promise<FileDigest> {
  const file = await open(path, 'wx');
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    await fill({
      async write(chunks) {
        for (const chunk of chunks) hash.update(chunk);
        bytes += await appendAll(file, chunks);
      },
    });
    await file.datasync();
    return { bytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** Buffers per system call; the kernel's limit is 1024. */
const BATCH = 512;

/** Writes all chunks; returns their size. On a full disk, `writev` may write less; its next call then fails. */
async function appendAll(file: FileHandle, chunks: readonly Uint8Array[]): Promise<number> {
  let total = 0;
  for (let at = 0; at < chunks.length; at += BATCH) {
    let rest = chunks.slice(at, at + BATCH).filter((chunk) => chunk.byteLength > 0);
    while (rest.length > 0) {
      const { bytesWritten } = await file.writev(rest);
      total += bytesWritten;
      rest = dropBytes(rest, bytesWritten);
    }
  }
  return total;
}

function dropBytes(chunks: readonly Uint8Array[], count: number): Uint8Array[] {
  let skip = count;
  const rest: Uint8Array[] = [];
  for (const chunk of chunks) {
    const taken = Math.min(skip, chunk.byteLength);
    skip -= taken;
    if (taken < chunk.byteLength) rest.push(chunk.subarray(taken));
  }
  return rest;
}

/** Converts errors of a full disk or read-only folder to errors with a remedy; other values stay unchanged. */
export function storageError(error: unknown, path: string): unknown {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new NetError(
      'storage_full',
      `${basename(path)}: no space left to write it. Free space on the data disk (or raise its quota), then start the run again.`,
      { cause: error },
    );
  }
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') {
    return new NetError(
      'unavailable',
      `${basename(path)}: its folder cannot be written (${code}). Give the service write permission to the data folder.`,
      { cause: error },
    );
  }
  return error;
}
