import { mkdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AssetFile, type AssetStore, DomainError } from '@headwater/core';
import { unlessMissing, writeAtomic } from '@headwater/net/files';
import {
  crc32c,
  crcText,
  createObjectReader,
  isReplaced,
  type ObjectInfo,
  type ObjectStore,
} from '@headwater/object-storage';
import { parseAssetKey } from '../asset-keys.ts';
import { createDirectoryAssets, type LocalAssets } from '../directory-assets.ts';
import { type Attempt, checksumOf, openRecords, type Records, type StoredObject } from './records.ts';

/** Options of the store. */
export interface BucketAssetsOptions {
  /** Folder of the files of runs, in the layout of `createDirectoryAssets`. */
  readonly folder: string;
  /** Folder of the records, which list the objects of each attempt. */
  readonly recordsFolder: string;
  readonly objects: ObjectStore;
  /** Address at which clients can read an object. If absent, all bytes pass through the service. */
  readonly location?: ((key: string) => Promise<string | undefined>) | undefined;
  /** Size of the memory cache for parts of objects, bytes. */
  readonly memoryBytes?: number | undefined;
}

/** Asset store in a folder and a bucket. */
export interface BucketAssets extends LocalAssets {
  localCopy: NonNullable<AssetStore['localCopy']>;
  readonly records: Records;
  readonly folder: string;
  readonly objects: ObjectStore;
}

/**
 * Creates a store that keeps files in a folder at least until they are in the bucket. Files are read from the folder,
 * or else from the bucket, with the same ETag. `createBucketUploads` copies files to the bucket.
 */
export function createBucketAssets(options: BucketAssetsOptions): BucketAssets {
  const { folder, objects, location } = options;
  const local = createDirectoryAssets(folder);
  const records = openRecords(options.recordsFolder);
  const read = durableRead({ objects, records });
  const reader = createObjectReader({ read }, options.memoryBytes);
  const copies = new Map<string, Promise<void>>();
  const stateOf = (key: string) => storedObject(records, objects.name, key);
  const forget = async (attempt: Attempt): Promise<void> => {
    // A record is written even if none exists, because an upload that begins now must find the state `removing`.
    await records.update(attempt, (record) => ({ bucket: objects.name, files: [], ...record, state: 'removing' }));
  };
  const copy = async (key: string, object: StoredObject): Promise<void> => {
    const running = copies.get(key) ?? copyBack({ name: objects.name, read }, { key, object, path: join(folder, key) });
    copies.set(key, running);
    await running.finally(() => copies.delete(key));
  };
  const remote = async (key: string): Promise<AssetFile | undefined> => {
    const stored = await stateOf(key);
    return typeof stored === 'object' ? reader.open({ ...stored, key }) : undefined;
  };
  return {
    ...local,
    folder,
    records,
    objects,
    async open(key) {
      const stored = await stateOf(key);
      if (stored === 'removed') return undefined;
      const file = await local.open(key);
      if (stored === undefined) return file && { ...file, stream: localFirst(file, () => remote(key)) };
      const opened = reader.open({ ...stored, key });
      const both = file === undefined ? opened : { ...opened, stream: localFirst(file, async () => opened) };
      return location === undefined ? both : { ...both, location: () => location(key) };
    },
    async localPath(key) {
      const stored = await stateOf(key);
      const path = stored === 'removed' ? undefined : await local.localPath(key);
      if (path !== undefined && stored !== undefined) await noteUse(path);
      return path;
    },
    async localCopy(key) {
      const stored = await stateOf(key);
      const path = stored === 'removed' ? undefined : await local.localPath(key);
      if (typeof stored !== 'object') return path;
      if (path === undefined) await copy(key, stored);
      else await noteUse(path);
      return local.localPath(key);
    },
    async discard(runId, token) {
      await forget({ runId, token });
      await local.discard(runId, token);
    },
    async prune(isDead, before) {
      // All names are listed before the first call of `isDead`, as the port `AssetStore` requires.
      const noted = await records.list();
      const removed = await local.prune(async (runId, token) => {
        const dead = await isDead(runId, token);
        if (dead) await forget({ runId, token });
        return dead;
      }, before);
      let others = 0;
      for (const attempt of noted) {
        const { runId, token } = attempt;
        const changed = await records.changedAt(attempt);
        const record = changed === undefined || changed >= before ? undefined : await records.read(attempt);
        if (record === undefined || record.state === 'removing' || !(await isDead(runId, token))) continue;
        await forget(attempt);
        others += 1;
      }
      return removed + others;
    },
  };
}

async function storedObject(
  records: Records,
  bucket: string,
  key: string,
): Promise<StoredObject | 'removed' | undefined> {
  const parts = parseAssetKey(key);
  const record = parts && (await records.read(parts));
  if (record?.state === 'removing') return 'removed';
  return record?.bucket === bucket ? record.files.find(({ name }) => name === parts?.name) : undefined;
}

/**
 * Creates a function that reads objects. Objects of a restored bucket have other versions than their records. If size
 * and checksum are still right, the record gets the new version and the read continues.
 */
function durableRead({ objects, records }: Pick<BucketAssets, 'objects' | 'records'>): ObjectStore['read'] {
  const renewed = async (key: string, signal: AbortSignal | undefined): Promise<ObjectInfo | undefined> => {
    const attempt = parseAssetKey(key);
    const file = attempt && (await records.read(attempt))?.files.find(({ name }) => name === attempt.name);
    if (attempt === undefined || file === undefined) return undefined;
    const info = await objects.head(key, signal);
    if (info?.bytes !== file.bytes || (await checksumOf({ objects }, info, signal)) !== file.crc32c) return undefined;
    const withVersion = (each: StoredObject) => (each.name === file.name ? { ...each, version: info.version } : each);
    await records.update(attempt, (record) => ({
      bucket: objects.name,
      state: 'uploading',
      ...record,
      files: (record?.files ?? []).map(withVersion),
    }));
    return info;
  };
  return async function* read(object, { start, end }, signal) {
    let at = start;
    try {
      for await (const piece of objects.read(object, { start, end }, signal)) {
        at += piece.byteLength;
        yield piece;
      }
    } catch (error) {
      const info = isReplaced(error) ? await renewed(object.key, signal) : undefined;
      if (info === undefined) throw error;
      yield* objects.read(info, { start: at, end }, signal);
    }
  };
}

function localFirst(file: AssetFile, remote: () => Promise<AssetFile | undefined>): AssetFile['stream'] {
  return (start, end) => {
    let source: ReadableStreamDefaultReader<Uint8Array> | undefined;
    const first = async () => {
      source = file.stream(start, end).getReader();
      try {
        return await source.read();
      } catch (error) {
        const object = await remote();
        if (object === undefined) throw error;
        source = object.stream(start, end).getReader();
        return source.read();
      }
    };
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const piece = source === undefined ? await first() : await source.read();
          if (piece.done) controller.close();
          else controller.enqueue(piece.value);
        },
        cancel: async (reason) => source?.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  };
}

/** Sets the access time of a copy, because `removeCopies` removes the least recently used copies first. */
export async function noteUse(path: string): Promise<void> {
  const status = await unlessMissing(stat(path));
  if (status !== undefined) await utimes(path, new Date(), status.mtime).catch(() => undefined);
}

interface Copy {
  readonly key: string;
  readonly object: StoredObject;
  readonly path: string;
}

async function copyBack(objects: Pick<ObjectStore, 'name' | 'read'>, { key, object, path }: Copy): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeAtomic(path, async (sink) => {
    let crc = 0;
    for await (const piece of objects.read({ key, version: object.version }, { start: 0, end: object.bytes - 1 })) {
      crc = crc32c(piece, crc);
      await sink.write([piece]);
    }
    if (crcText(crc) !== object.crc32c)
      throw new DomainError('unavailable', `${key}: the copy from ${objects.name} has another checksum; try again.`);
  });
}
