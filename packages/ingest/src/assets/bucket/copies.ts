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
 * Creates a function that tests the bucket before copies are removed. Each call looks up one object of the next
 * attempt. It throws `unavailable` if the object is missing or has another size.
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
    // Grows only after a success, so that a missing object is looked up again.
    probed += 1;
  };
}

/** Minimum time since the last use of a copy, ms, because a run may still be reading its path. */
const UNUSED_MS = 6 * 3_600_000;

interface LocalFile {
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
}

const usedAt = ({ atimeMs, mtimeMs }: Pick<Stats, 'atimeMs' | 'mtimeMs'>): number => Math.max(atimeMs, mtimeMs);

/**
 * Removes the least recently used copies until all files together have at most `cacheBytes`. Copies that were used
 * within the last `UNUSED_MS` stay.
 */
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
    // The time of use is read again, because a run may have requested this copy meanwhile.
    const status = await unlessMissing(stat(path));
    if (status !== undefined && now().getTime() - usedAt(status) < UNUSED_MS) continue;
    await rm(path, { force: true });
    total -= bytes;
  }
}
