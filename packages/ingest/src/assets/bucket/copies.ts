import type { Stats } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '@headwater/core';
import { unlessMissing } from '@headwater/net/files';
import { attemptsIn } from '../prune-attempts.ts';
import type { BucketAssets } from './bucket-assets.ts';
import { type Attempt } from './records.ts';
import { nameOf, namesOf, type UploadRules } from './store-attempt.ts';

/**
 * Creates a function that looks up one stored object; each call takes an object of another attempt. Throws `unavailable` if the bucket does not
 * have the object.
 */
export function createProbe({ records, objects }: BucketAssets): (signal: AbortSignal) => Promise<void> {
  let probed = 0;
  return async (signal) => {
    const stored: { readonly key: string; readonly bytes: number }[] = [];
    for (const each of await records.list()) {
      const record = await records.read(each);
      const file = record?.state === 'stored' && record.bucket === objects.name ? record.files[0] : undefined;
      if (file !== undefined) stored.push({ key: `${nameOf(each)}/${file.name}`, bytes: file.bytes });
    }
    const one = stored[probed % stored.length];
    if (one === undefined) return;
    const info = await objects.head(one.key, signal);
    if (info?.bytes !== one.bytes)
      throw new DomainError(
        'unavailable',
        `${objects.name}: ${one.key} is ${info === undefined ? 'missing' : 'of another size'}, although it was stored. Restore the bucket or the object; no copy is removed until then.`,
      );
    // A missing object is looked up again by each pass.
    probed += 1;
  };
}

/** Shortest time between the last use of a copy and its removal: a run may still be reading the copy by its path. */
const UNUSED_MS = 6 * 3_600_000;

interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

const usedAt = ({ atimeMs, mtimeMs }: Pick<Stats, 'atimeMs' | 'mtimeMs'>): number => Math.max(atimeMs, mtimeMs);

/** Removes copies of stored files, those with the oldest access time first, until the files of all attempts are below the limit. */
export async function removeCopies(assets: BucketAssets, { cacheBytes, now }: UploadRules): Promise<void> {
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
        const usedMs = usedAt(status);
        // A copy may be removed only if this bucket has its object.
        if (isStored && record.files.some((file) => file.name === name))
          copies.push({ path, bytes: status.size, usedMs });
      }
    }
  for (const { path, bytes, usedMs } of copies.toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (total <= cacheBytes || now().getTime() - usedMs < UNUSED_MS) return;
    // Meanwhile a run may have got the path of this copy.
    const status = await unlessMissing(stat(path));
    if (status !== undefined && now().getTime() - usedAt(status) < UNUSED_MS) continue;
    await rm(path, { force: true });
    total -= bytes;
  }
}
