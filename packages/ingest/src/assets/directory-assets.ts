import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, realpath, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type AssetFile, type AssetStore, errorCode, type StoredFile } from '@headwater/core';
import { assetKey, parseAssetKey } from './asset-keys.ts';
import type { AssetKey } from './asset-keys.ts';
import { storageError, writeAtomic } from '@headwater/net/files';
import { byteRangeStream, etagOf } from './byte-range-stream.ts';
import { probeFolder } from './probe-folder.ts';
import { pruneAttempts } from './prune-attempts.ts';

/**
 * Stores assets as files `{root}/{runId}/{token}/{name}`; creates `root` on first use. Keys are matched against strict patterns and links
 * are never followed, so nothing outside of `root` can be read. Files never change once written. Their ETag contains size, time and inode:
 * two files written within a millisecond may have the same time, but a file that is renamed into place has a new inode.
 */
export function createDirectoryAssets(root: string): AssetStore {
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
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    return folder;
  } catch (error) {
    throw storageError(error, folder);
  }
}

async function digestOf(path: string, key: string): Promise<StoredFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const data: Buffer = chunk;
    hash.update(data);
    bytes += data.length;
  }
  return { key, bytes, sha256: hash.digest('hex') };
}

async function openFile(base: string, path: string): Promise<AssetFile | undefined> {
  const status = await unlessAbsent(lstat(path, { bigint: true }));
  if (status === undefined || !status.isFile() || !(await isOwn(base, path))) return undefined;
  const etag = etagOf(status);
  return {
    bytes: Number(status.size),
    etag,
    modified: new Date(Number(status.mtimeMs)),
    stream: (start, end) => byteRangeStream(path, etag, { start, end }),
  };
}

/** False if a folder in the path is a link; `base` itself may be a link. */
async function isOwn(base: string, path: string): Promise<boolean> {
  const [realBase, realFile] = [await unlessAbsent(realpath(base)), await unlessAbsent(realpath(path))];
  return realBase !== undefined && realFile === join(realBase, path.slice(base.length));
}

/** Removes the folder of an attempt, and the folder of its run if it was the last attempt. */
async function removeAttempt(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  try {
    await rmdir(dirname(folder));
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
  }
}

async function unlessAbsent<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
