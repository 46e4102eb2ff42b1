import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '@headwater/core';
import { unlessMissing } from '@headwater/net/files';
import { crc32c, crcText, type UploadSource } from '@headwater/object-storage';
import { mediaTypeOfFile } from '@headwater/stac';
import { parseAssetKey } from '../asset-keys.ts';
import type { BucketAssets } from './bucket-assets.ts';
import { type Attempt, type AttemptRecord, checksumOf, type StoredObject } from './records.ts';

/** Rules for uploads and for removing copies. */
export interface UploadRules {
  /** True for an attempt that published its files, which then never change. */
  readonly isPublished: (attempt: Attempt) => Promise<boolean>;
  /** Files that the current Items of an attempt need. */
  readonly namedFiles?: (attempt: Attempt) => Promise<readonly string[]>;
  /** Maximum size of the folder, bytes; above it, local copies of objects are removed. */
  readonly cacheBytes: number;
  readonly now: () => Date;
}

/** Name of an attempt, with which the keys of its files begin. */
export const nameOf = ({ runId, token }: Attempt): string => `${runId}/${token}`;

async function objectOf(assets: BucketAssets, key: string, signal: AbortSignal): Promise<readonly StoredObject[]> {
  const info = await assets.objects.head(key, signal);
  if (info === undefined) return [];
  const { name = '' } = parseAssetKey(key) ?? {};
  // The version is an ETag in quotes or a number, depending on the storage.
  const etag = info.version.replaceAll('"', '');
  return [{ ...info, crc32c: await checksumOf(assets, info, signal), name, etag }];
}

/** Objects of an attempt in the bucket, except objects whose names are in `except`. */
export async function objectsOf(
  assets: BucketAssets,
  attempt: Attempt,
  { except, signal }: { readonly except: readonly string[]; readonly signal: AbortSignal },
): Promise<readonly StoredObject[]> {
  const found: StoredObject[] = [];
  for await (const { key } of assets.objects.list(`${nameOf(attempt)}/`, signal)) {
    const name = parseAssetKey(key)?.name;
    if (name !== undefined && !except.includes(name)) found.push(...(await objectOf(assets, key, signal)));
  }
  return found;
}

/**
 * Uploads the files of an attempt. The record becomes `stored` when all objects are verified. Throws `conflict` if a
 * needed file is lost.
 */
export async function storeAttempt(
  assets: BucketAssets,
  attempt: Attempt,
  { rules, signal }: { readonly rules: UploadRules; readonly signal: AbortSignal },
): Promise<void> {
  const { objects, records } = assets;
  // If the attempt is discarded during the upload, `update` keeps the state `removing`, and the next call of
  // `BucketUploads.run` removes the objects.
  const note = (state: 'uploading' | 'stored'): Promise<void> =>
    records.update(attempt, () => ({ bucket: objects.name, state, files }));
  const files = [...(await knownObjects(assets, attempt, signal))];
  // Written before the first byte, because after a kill the next process must find the objects.
  await note('uploading');
  for (const name of await namesOf(assets, attempt)) {
    if (files.some((file) => file.name === name)) continue;
    const stored = await storeFile(assets, { attempt, name, signal });
    if (stored === undefined) continue;
    files.push(stored);
    await note('uploading');
  }
  const lost = ((await rules.namedFiles?.(attempt)) ?? []).find((name) => files.every((file) => file.name !== name));
  await note(lost === undefined ? 'stored' : 'uploading');
  if (lost !== undefined)
    throw new DomainError(
      'conflict',
      `${nameOf(attempt)}/${lost} belongs to an Item, but is neither on the disk nor in ${objects.name}. Restore it from a backup, or run the layer again.`,
    );
}

async function knownObjects(
  assets: BucketAssets,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<readonly StoredObject[]> {
  const before = await assets.records.read(attempt);
  // Without a record, some files may be only in the bucket. Local files are uploaded again and compared.
  if (before === undefined) return objectsOf(assets, attempt, { except: await namesOf(assets, attempt), signal });
  if (before.bucket !== assets.objects.name) return copiedObjects(assets, attempt, { before, signal });
  return before.files;
}

/**
 * Objects that the operator copied to this bucket from the bucket of the record (`before`). Throws `conflict` if a copy
 * is missing or different.
 */
async function copiedObjects(
  assets: BucketAssets,
  attempt: Attempt,
  { before, signal }: { readonly before: AttemptRecord; readonly signal: AbortSignal },
): Promise<readonly StoredObject[]> {
  const { objects } = assets;
  const local = new Set(await namesOf(assets, attempt));
  const found: StoredObject[] = [];
  for (const file of before.files.filter(({ name }) => !local.has(name))) {
    const key = `${nameOf(attempt)}/${file.name}`;
    const info = await objects.head(key, signal);
    if (info?.bytes !== file.bytes || (await checksumOf(assets, info, signal)) !== file.crc32c)
      throw new DomainError('conflict', `${key} is only in ${before.bucket}. Copy it from there to ${objects.name}.`);
    found.push({ ...file, version: info.version });
  }
  return found;
}

/** Names of the files of an attempt that are in the folder. */
export async function namesOf({ folder }: BucketAssets, { runId, token }: Attempt): Promise<readonly string[]> {
  const entries = await unlessMissing(readdir(join(folder, runId, String(token)), { withFileTypes: true }));
  return (entries ?? [])
    .filter((entry) => entry.isFile() && parseAssetKey(`${runId}/${token}/${entry.name}`) !== undefined)
    .map(({ name }) => name)
    .toSorted();
}

interface FileUpload {
  readonly attempt: Attempt;
  readonly name: string;
  readonly signal: AbortSignal;
}

async function storeFile(
  assets: BucketAssets,
  { attempt, name, signal }: FileUpload,
): Promise<StoredObject | undefined> {
  const { folder, objects, records } = assets;
  const key = `${nameOf(attempt)}/${name}`;
  const opened = await assets.open(key);
  const file = opened && (await unlessMissing(open(join(folder, key))));
  if (opened === undefined || file === undefined) return undefined;
  try {
    const read: UploadSource['read'] = async (start, end) => {
      const bytes = new Uint8Array(end - start + 1);
      const { bytesRead } = await file.read(bytes, { position: start });
      if (bytesRead === bytes.length) return bytes;
      throw new DomainError(
        'unavailable',
        `${key}: the file became shorter while it was uploaded. The upload is tried again later.`,
      );
    };
    const source = { bytes: opened.bytes, crc32c: await checksum(opened.bytes, read), read };
    const journal = records.journal(attempt, name);
    const info = await objects.put({ key, mediaType: mediaTypeOfFile(name), source, journal }, signal);
    const { bytes, version } = info;
    return { name, bytes, version, crc32c: source.crc32c, etag: opened.etag, modified: opened.modified };
  } finally {
    await file.close();
  }
}

const CHUNK = 2 ** 20;

async function checksum(total: number, read: UploadSource['read']): Promise<string> {
  let crc = 0;
  for (let at = 0; at < total; at += CHUNK) crc = crc32c(await read(at, Math.min(at + CHUNK, total) - 1), crc);
  return crcText(crc);
}

/**
 * True if the folder of a stored attempt has files that are not in its record, such as formats that clients requested.
 */
export async function hasMore(assets: BucketAssets, attempt: Attempt): Promise<boolean> {
  const files = (await assets.records.read(attempt))?.files ?? [];
  return (await namesOf(assets, attempt)).some((name) => files.every((file) => file.name !== name));
}
