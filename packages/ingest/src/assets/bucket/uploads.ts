import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError, isDomainError } from '@headwater/core';
import { crc32c, crcText, type UploadSource } from '@headwater/object-storage';
import { parseAssetKey } from '../asset-keys.ts';
import { attemptsIn } from '../prune-attempts.ts';
import type { BucketAssets } from './bucket-assets.ts';
import { type Attempt, type AttemptRecord, type StoredObject, unlessMissing } from './records.ts';

/** Rules of the uploads. */
export interface UploadRules {
  /** True for an attempt that published, so that its files never change. */
  readonly isPublished: (attempt: Attempt) => Promise<boolean>;
  /** Total size above which copies of stored files are removed from the folder, bytes. */
  readonly cacheBytes: number;
  readonly now: () => Date;
}

/** Copies published files to the bucket and removes what is no longer needed. One process at a time calls it. */
export interface BucketUploads {
  /**
   * Makes the bucket equal to what is published. What must be done follows from folders and records, so nothing is lost if the bucket is away or
   * the process ends. Throws the first failure after it has tried the other attempts.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Adds records of objects that the bucket has and this folder lacks, for example after the loss of its disk. */
  recover(signal: AbortSignal): Promise<number>;
  /** Attempts whose files are not in the bucket yet, or not removed yet, as of the last run. */
  pending(): number;
}

/** Failures one after the other that end a run: the bucket is then away, and each further attempt would wait for it. */
const MOST_FAILURES = 3;
/** Time since the last use after which a copy may be removed: a run that reads it by its path may be in progress. */
const UNUSED_MS = 6 * 3_600_000;
/** Time between two removals of copies while nothing is uploaded: readers make copies, and all files are measured. */
const SWEEP_MS = 600_000;

/** Creates the uploads of a store. */
export function createBucketUploads(assets: BucketAssets, rules: UploadRules): BucketUploads {
  const { records, folder, objects } = assets;
  let pending = 0;
  /** Time of the last removal of copies. */
  let sweptMs = -Infinity;
  const attempt = async (work: readonly (() => Promise<void>)[], signal: AbortSignal): Promise<void> => {
    pending = work.length;
    const failures: unknown[] = [];
    let inARow = 0;
    for (const each of work) {
      if (signal.aborted || inARow === MOST_FAILURES) break;
      try {
        await each();
        pending -= 1;
        inARow = 0;
      } catch (error) {
        failures.push(error);
        // A conflict concerns one file only.
        if (!isDomainError(error) || error.code !== 'conflict') inARow += 1;
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  return {
    pending: () => pending,
    async run(signal) {
      const now = rules.now().getTime();
      const isSwept = now - sweptMs >= SWEEP_MS;
      const noted = await records.list();
      const states = new Map<string, AttemptRecord['state'] | 'elsewhere'>();
      for (const each of noted) states.set(nameOf(each), await stateIn(assets, each));
      const work: (() => Promise<void>)[] = [];
      for (const each of await attemptsOf(assets, noted)) {
        const state = states.get(nameOf(each));
        if (state === 'removing' || (state === 'stored' && !(isSwept && (await hasMore(assets, each))))) continue;
        if (await rules.isPublished(each)) work.push(() => store(assets, each, signal));
      }
      for (const each of noted)
        if (states.get(nameOf(each)) === 'removing') work.push(() => removeObjects(assets, each, signal));
      await attempt(work, signal).catch(async (error: unknown) => {
        // Copies stay while the bucket is away, because they can be served. A full bucket can be read.
        if (!signal.aborted && isDomainError(error) && error.code !== 'unavailable') await removeCopies(assets, rules);
        throw error;
      });
      // The rest is not uploaded yet.
      if (signal.aborted) return;
      if (work.length === 0 && !isSwept) return;
      sweptMs = now;
      await removeCopies(assets, rules);
    },
    async recover(signal) {
      const known = new Set((await records.list()).map(nameOf));
      for (const { run, tokens } of await attemptsIn(folder)) for (const token of tokens) known.add(`${run}/${token}`);
      const found = new Map<string, { readonly attempt: Attempt; readonly keys: string[] }>();
      for await (const { key } of objects.list('', signal)) {
        const parts = parseAssetKey(key);
        if (parts === undefined || known.has(nameOf(parts))) continue;
        const entry = found.get(nameOf(parts)) ?? { attempt: parts, keys: [] };
        entry.keys.push(key);
        found.set(nameOf(parts), entry);
      }
      for (const { attempt: each, keys } of found.values()) {
        const files = await Promise.all(keys.map((key) => objectOf(assets, key, signal)));
        await records.write(each, { bucket: objects.name, state: 'stored', files: files.flat() });
      }
      return found.size;
    },
  };
}

/** State of a record; `elsewhere` if it is about another bucket, whose files this bucket needs too. */
async function stateIn({ records, objects }: BucketAssets, attempt: Attempt) {
  const record = await records.read(attempt);
  if (record === undefined || record.state === 'removing') return 'removing';
  return record.bucket === objects.name ? record.state : 'elsewhere';
}

/** True if the folder of a stored attempt has files that are not in the bucket: responses in other formats, which are built when they are needed. */
async function hasMore(assets: BucketAssets, attempt: Attempt): Promise<boolean> {
  const files = (await assets.records.read(attempt))?.files ?? [];
  return (await namesOf(assets, attempt)).some((name) => files.every((file) => file.name !== name));
}

/** Attempts with a folder or a record, each once. */
async function attemptsOf({ folder }: BucketAssets, noted: readonly Attempt[]): Promise<Iterable<Attempt>> {
  const all = new Map(noted.map((each) => [nameOf(each), each]));
  for (const { run, tokens } of await attemptsIn(folder))
    for (const token of tokens) all.set(`${run}/${token}`, { runId: run, token: Number(token) });
  return all.values();
}

const nameOf = ({ runId, token }: Attempt): string => `${runId}/${token}`;

async function objectOf({ objects }: BucketAssets, key: string, signal: AbortSignal): Promise<readonly StoredObject[]> {
  const info = await objects.head(key, signal);
  const { name = '' } = parseAssetKey(key) ?? {};
  if (info?.crc32c === undefined) return [];
  // The version is an ETag in quotes, or a number.
  return [{ ...info, crc32c: info.crc32c, name, etag: info.version.replaceAll('"', '') }];
}

/** Uploads each file of an attempt; the record is complete when all objects are verified. */
async function store(assets: BucketAssets, attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { records, objects } = assets;
  const before = await records.read(attempt);
  const isOther = before !== undefined && before.bucket !== objects.name;
  const known = isOther ? await copiedObjects(assets, attempt, { before, signal }) : before?.files;
  const files = [...(known ?? [])];
  for (const name of await namesOf(assets, attempt)) {
    if (files.some((file) => file.name === name)) continue;
    const stored = await storeFile(assets, { attempt, name, signal });
    if (stored === undefined) continue;
    files.push(stored);
    await writeUnlessRemoved(assets, attempt, { bucket: objects.name, state: 'uploading', files });
  }
  await writeUnlessRemoved(assets, attempt, { bucket: objects.name, state: 'stored', files });
}

/**
 * Objects of another bucket that are not in the folder and that the operator has copied to this bucket. Throws `conflict` for an object that is only in
 * the other bucket; its note stays.
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
    if (info?.bytes !== file.bytes || (info.crc32c ?? file.crc32c) !== file.crc32c)
      throw new DomainError('conflict', `${key} is only in ${before.bucket}. Copy it from there to ${objects.name}.`);
    found.push({ ...file, version: info.version });
  }
  return found;
}

/** Writes a record, unless the attempt was discarded meanwhile: then its objects are removed by the next run. */
async function writeUnlessRemoved({ records }: BucketAssets, attempt: Attempt, record: AttemptRecord): Promise<void> {
  const isRemoved = (await records.read(attempt))?.state === 'removing';
  await records.write(attempt, isRemoved ? { ...record, state: 'removing' } : record);
}

async function namesOf({ folder }: BucketAssets, { runId, token }: Attempt): Promise<readonly string[]> {
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

/** Uploads a file; undefined if it was removed meanwhile. */
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
      throw new DomainError('unavailable', `${key}: the file became shorter while it was uploaded.`);
    };
    const source = { bytes: opened.bytes, crc32c: await checksum(opened.bytes, read), read };
    const journal = records.journal(attempt, name);
    const info = await objects.put({ key, mediaType: mediaTypeOf(name), source, journal }, signal);
    const { bytes, version } = info;
    return { name, bytes, version, crc32c: source.crc32c, etag: opened.etag, modified: opened.modified };
  } finally {
    await file.close();
  }
}

/** Bytes that are read at once for a checksum. */
const CHUNK = 2 ** 20;

async function checksum(total: number, read: UploadSource['read']): Promise<string> {
  let crc = 0;
  for (let at = 0; at < total; at += CHUNK) crc = crc32c(await read(at, Math.min(at + CHUNK, total) - 1), crc);
  return crcText(crc);
}

/** Media types of objects, for clients that read the bucket. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  tif: 'image/tiff; application=geotiff; profile=cloud-optimized',
  geojson: 'application/geo+json',
  json: 'application/json',
  png: 'image/png',
  qml: 'application/xml',
  sld: 'application/vnd.ogc.sld+xml',
  csv: 'text/csv; charset=utf-8',
};

const mediaTypeOf = (name: string): string =>
  MEDIA_TYPES[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';

/** Removes all objects of an attempt, what its unfinished uploads left, and then its record. */
async function removeObjects(assets: BucketAssets, attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { records, objects } = assets;
  for (const name of await records.unfinished(attempt)) {
    const key = `${nameOf(attempt)}/${name}`;
    await objects.abandon(key, await records.journal(attempt, name).read(), signal);
  }
  for await (const { key } of objects.list(`${nameOf(attempt)}/`, signal)) await objects.remove(key, signal);
  await records.remove(attempt);
}

interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

/** Removes the copies of stored files that were not used for the longest time, while the files of all attempts are larger than the limit. */
async function removeCopies(assets: BucketAssets, { cacheBytes, now }: UploadRules): Promise<void> {
  const copies: LocalFile[] = [];
  let total = 0;
  for (const { run, tokens } of await attemptsIn(assets.folder))
    for (const attempt of tokens.map((token): Attempt => ({ runId: run, token: Number(token) }))) {
      const record = await assets.records.read(attempt);
      const isStored = record?.state === 'stored' && record.bucket === assets.objects.name;
      for (const name of await namesOf(assets, attempt)) {
        const path = join(assets.folder, nameOf(attempt), name);
        const status = await unlessMissing(stat(path));
        if (status === undefined) continue;
        total += status.size;
        const usedMs = Math.max(status.atimeMs, status.mtimeMs);
        // A copy may be removed only if this bucket has its object.
        if (isStored && record.files.some((file) => file.name === name))
          copies.push({ path, bytes: status.size, usedMs });
      }
    }
  for (const { path, bytes, usedMs } of copies.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (total <= cacheBytes || now().getTime() - usedMs < UNUSED_MS) return;
    await rm(path, { force: true });
    total -= bytes;
  }
}
