import { type BigIntStats, constants } from 'node:fs';
import { lstat, mkdir, realpath, rm, rmdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type AssetFile, type AssetStore, errorCode, type StoredFile, DomainError } from '@headwater/core';
import { digestOfFile, storageError, unlessMissing, writeAtomic } from '@headwater/net/files';
import { assetKey, parseAssetKey, type AssetKey } from './asset-keys.ts';
import { probeFolder } from './probe-folder.ts';
import { pruneAttempts } from './prune-attempts.ts';

/** Asset store with a folder on this machine. */
export interface LocalAssets extends AssetStore {
  localPath: NonNullable<AssetStore['localPath']>;
  prune: NonNullable<AssetStore['prune']>;
  probe: NonNullable<AssetStore['probe']>;
}

/**
 * Stores assets as files `{root}/{runId}/{token}/{name}`. Keys match strict patterns and links are not followed, so
 * only `root` can be read. The ETag needs the inode, because two files of equal size may have the same modification
 * time.
 */
export function createDirectoryAssets(root: string): LocalAssets {
  const base = resolve(root);
  const pathOf = (parts: AssetKey): string => join(base, ...assetKey(parts).split('/'));
  const folderOf = (runId: string, token: number): string => dirname(pathOf({ runId, token, name: 'x' }));
  return {
    begin: (runId, token) => makeEmpty(folderOf(runId, token)),
    async write(...[runId, token, name, body]: Parameters<AssetStore['write']>) {
      const pieces =
        typeof body === 'string' ? [new TextEncoder().encode(body)] : body instanceof Uint8Array ? [body] : body;
      const digest = await writeAtomic(pathOf({ runId, token, name }), async (sink) => {
        for await (const piece of pieces) await sink.write([piece]);
      });
      return { key: assetKey({ runId, token, name }), ...digest };
    },
    stat: (runId, token, name) => digestOf(pathOf({ runId, token, name }), assetKey({ runId, token, name })),
    remove: (runId, token, name) => rm(pathOf({ runId, token, name }), { force: true }),
    async open(key) {
      const parts = parseAssetKey(key);
      return parts === undefined ? undefined : openFile(base, pathOf(parts));
    },
    async localPath(key) {
      const parts = parseAssetKey(key);
      if (parts === undefined || (await openFile(base, pathOf(parts))) === undefined) return undefined;
      return pathOf(parts);
    },
    discard: (runId, token) => removeAttempt(folderOf(runId, token)),
    prune: (isDead, before) => pruneAttempts(base, isDead, before),
    async probe() {
      await probeFolder(base);
      return 'the folder of published files is writable';
    },
  };
}

async function makeEmpty(folder: string): Promise<string> {
  try {
    // `undefined`: the folder exists, or an error occurred. The second `mkdir` throws the error again, unless a file at
    // this path was the reason.
    const created = await mkdir(folder, { recursive: true }).catch(() => undefined);
    if (created !== undefined) return folder;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw storageError(error, folder);
  }
}

async function digestOf(path: string, key: string): Promise<StoredFile> {
  return { key, ...(await digestOfFile(path)) };
}

async function openFile(base: string, path: string): Promise<AssetFile | undefined> {
  const status = await unlessMissing(lstat(path, { bigint: true }), NOT_FOLLOWED);
  if (status === undefined || !status.isFile() || !(await isOwn(base, path))) return undefined;
  const etag = etagOf(status);
  return {
    bytes: Number(status.size),
    etag,
    modified: new Date(Number(status.mtimeMs)),
    stream: (start, end) => byteRangeStream(path, etag, { start, end }),
  };
}

async function isOwn(base: string, path: string): Promise<boolean> {
  const [realBase, realFile] = [
    await unlessMissing(realpath(base), NOT_FOLLOWED),
    await unlessMissing(realpath(path), NOT_FOLLOWED),
  ];
  return realBase !== undefined && realFile === join(realBase, path.slice(base.length));
}

async function removeAttempt(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  try {
    await rmdir(dirname(folder));
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

const NOT_FOLLOWED = ['ENOENT', 'ENOTDIR', 'ELOOP'];

const CHUNK = 256 * 1024;

/** Bytes to read; both ends are inclusive. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

function etagOf({ size, mtimeNs, ino }: Pick<BigIntStats, 'size' | 'mtimeNs' | 'ino'>): string {
  return [size, mtimeNs, ino].map((part) => part.toString(16)).join('-');
}

/** Stream that opens the file at the first read. Fails with `unavailable` if the file was removed or replaced. */
function byteRangeStream(path: string, etag: string, { start, end }: ByteRange): ReadableStream<Uint8Array> {
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
          // A shorter file must fail the stream, because otherwise the response would look complete.
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

function changed(cause: unknown): DomainError {
  const message = 'The file was removed or replaced while it was being opened; send the request again.';
  return new DomainError('unavailable', message, { cause });
}

const endsAt = (position: number | bigint, end: number): Error =>
  new Error(`file ends at byte ${position}, before byte ${end}`);
