import { isDomainError } from '@headwater/core';
import { parseAssetKey } from '../asset-keys.ts';
import { attemptsIn } from '../prune-attempts.ts';
import type { BucketAssets } from './bucket-assets.ts';
import { createProbe, removeCopies } from './copies.ts';
import type { Attempt, AttemptRecord } from './records.ts';
import { hasMore, nameOf, namesOf, objectsOf, storeAttempt, type UploadRules } from './store-attempt.ts';

/** Copies published files to the bucket, and removes unneeded objects and copies. For one process at a time. */
export interface BucketUploads {
  /**
   * Uploads missing objects, and removes unneeded objects and copies. Continues the work of earlier calls. After a
   * failure, tries the other attempts, and then throws the first failure.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * For each published attempt that has objects in the bucket but no record, writes the record, for example after the
   * loss of the disk. Returns the number of written records.
   */
  recover(signal: AbortSignal): Promise<number>;
  /** Number of attempts with unfinished work after the last `run`. */
  pending(): number;
}

/**
 * Consecutive failures of the bucket after which `run` stops, because otherwise each further attempt would wait for a
 * timeout.
 */
const MOST_FAILURES = 3;
/** Time between two removals of copies while nothing is uploaded, ms. Each removal reads the sizes of all files. */
const SWEEP_MS = 600_000;

/** Creates the uploads of a store to its bucket. */
export function createBucketUploads(assets: BucketAssets, rules: UploadRules): BucketUploads {
  const { records, objects } = assets;
  const probe = createProbe(assets);
  let pending = 0;
  let turn = 0;
  let sweptMs = -Infinity;
  const attempt = async (work: readonly (() => Promise<void>)[], signal: AbortSignal): Promise<void> => {
    pending = work.length;
    const failures: unknown[] = [];
    let inARow = 0;
    // After failures, the next call begins with another attempt, because otherwise attempts that always fail would
    // block the others.
    const first = work.length === 0 ? 0 : turn % work.length;
    for (const each of [...work.slice(first), ...work.slice(0, first)]) {
      if (signal.aborted || inARow === MOST_FAILURES) break;
      try {
        await each();
        pending -= 1;
        inARow = 0;
      } catch (error) {
        failures.push(error);
        if (isAboutBucket(error)) inARow += 1;
      }
    }
    if (failures.length > 0) turn += failures.length;
    if (failures.length > 0) throw failures[0];
  };
  return {
    pending: () => pending,
    async run(signal) {
      const now = rules.now().getTime();
      const isSweepDue = now - sweptMs >= SWEEP_MS;
      const noted = await records.list();
      const states = new Map<string, AttemptRecord['state'] | 'elsewhere'>();
      for (const each of noted) states.set(nameOf(each), await stateIn(assets, each));
      const work: (() => Promise<void>)[] = [];
      for (const each of await attemptsOf(assets, noted)) {
        const state = states.get(nameOf(each));
        if (state === 'removing' || (state === 'stored' && !(isSweepDue && (await hasMore(assets, each))))) continue;
        if (await rules.isPublished(each)) work.push(() => storeAttempt(assets, each, { rules, signal }));
      }
      for (const each of noted)
        if (states.get(nameOf(each)) === 'removing') work.push(() => removeObjects(assets, each, signal));
      // Uploaded files become copies, so copies are removed after the uploads, even after failed uploads.
      if (work.length > 0) sweptMs = -Infinity;
      let failure: unknown;
      await attempt(work, signal).catch((error: unknown) => {
        failure = error;
      });
      // After an abort, some attempts are not uploaded yet, so no copy is removed.
      if (signal.aborted) return;
      // If the bucket is unavailable, no copy is removed, because clients can get only local copies. From a full
      // bucket, objects can still be read, so copies are removed.
      if (failure !== undefined && !(isDomainError(failure) && failure.code !== 'unavailable')) throw failure;
      await probe(signal);
      if (now - sweptMs >= SWEEP_MS) {
        sweptMs = now;
        await removeCopies(assets, rules);
      }
      if (failure !== undefined) throw failure;
    },
    async recover(signal) {
      const known = new Set((await records.list()).map(nameOf));
      const found = new Map<string, Attempt>();
      for await (const { key } of objects.list('', signal)) {
        const parts = parseAssetKey(key);
        if (parts !== undefined && !known.has(nameOf(parts))) found.set(nameOf(parts), parts);
      }
      let recovered = 0;
      for (const { runId, token } of found.values()) {
        const each = { runId, token };
        // Objects of attempts that did not publish are skipped, because they may belong to another installation.
        if (!(await rules.isPublished(each))) continue;
        const files = await objectsOf(assets, each, { except: await namesOf(assets, each), signal });
        // The next `run` uploads local files and reports lost ones.
        await records.write(each, { bucket: objects.name, state: 'uploading', files: [...files] });
        recovered += 1;
      }
      return recovered;
    },
  };
}

/** True for an error that all attempts would get: no response, no permission, or a full bucket. */
const isAboutBucket = (error: unknown): boolean =>
  isDomainError(error) && error.code !== 'conflict' && error.cause === undefined;

/**
 * State of an attempt. `elsewhere`: the record is missing, damaged or of another bucket, so the files must be uploaded
 * again.
 */
async function stateIn({ records, objects }: BucketAssets, attempt: Attempt) {
  const record = await records.read(attempt);
  if (record === undefined) return 'elsewhere';
  if (record.state === 'removing') return 'removing';
  return record.bucket === objects.name ? record.state : 'elsewhere';
}

async function attemptsOf({ folder }: BucketAssets, noted: readonly Attempt[]): Promise<Iterable<Attempt>> {
  const all = new Map(noted.map((each) => [nameOf(each), each]));
  for (const { run, tokens } of await attemptsIn(folder))
    for (const token of tokens) all.set(`${run}/${token}`, { runId: run, token: Number(token) });
  return all.values();
}

async function removeObjects(assets: BucketAssets, attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { records, objects } = assets;
  for (const name of await records.unfinished(attempt)) {
    const key = `${nameOf(attempt)}/${name}`;
    await objects.abandon(key, await records.journal(attempt, name).read(), signal);
  }
  for await (const { key } of objects.list(`${nameOf(attempt)}/`, signal)) await objects.remove(key, signal);
  await records.remove(attempt);
}
