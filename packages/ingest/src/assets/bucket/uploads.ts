import { isDomainError } from '@headwater/core';
import { parseAssetKey } from '../asset-keys.ts';
import { attemptsIn } from '../prune-attempts.ts';
import type { BucketAssets } from './bucket-assets.ts';
import { createProbe, removeCopies } from './copies.ts';
import type { Attempt, AttemptRecord } from './records.ts';
import { hasMore, nameOf, namesOf, objectsOf, storeAttempt, type UploadRules } from './store-attempt.ts';

/**
 * Copies published files to the bucket, and removes objects and local copies that are no longer needed. Only one
 * process at a time may use these methods.
 */
export interface BucketUploads {
  /**
   * Uploads missing files of published attempts, and removes objects and copies that are no longer needed. The remaining work follows
   * from the folders and records. So the next call continues if the bucket was unavailable or the process ended. If the upload of an
   * attempt fails, tries the other attempts, and then throws the first failure.
   */
  run(signal: AbortSignal): Promise<void>;
  /**
   * Writes a record for each published attempt that has objects in the bucket but no record, for example after the loss of the
   * disk. Returns the number of these attempts.
   */
  recover(signal: AbortSignal): Promise<number>;
  /** Number of attempts whose files the last call of `run` has not uploaded or removed. */
  pending(): number;
}

/**
 * Number of consecutive failures of the bucket after which `run` stops. The bucket is then probably unavailable, and each further attempt
 * would wait for a timeout.
 */
const MOST_FAILURES = 3;
/**
 * Time between two removals of copies while nothing is uploaded, ms. Removals are necessary even then, because reads create new copies.
 * Removals are not more frequent, because each of them reads the sizes of all files.
 */
const SWEEP_MS = 600_000;

/** Creates the uploads from a store to its bucket. */
export function createBucketUploads(assets: BucketAssets, rules: UploadRules): BucketUploads {
  const { records, objects } = assets;
  const probe = createProbe(assets);
  let pending = 0;
  let turn = 0;
  /** Time of the last removal of copies, ms; -Infinity if copies must be removed in the next call. */
  let sweptMs = -Infinity;
  const attempt = async (work: readonly (() => Promise<void>)[], signal: AbortSignal): Promise<void> => {
    pending = work.length;
    const failures: unknown[] = [];
    let inARow = 0;
    // After failures, the next call of `run` begins with a different attempt. Otherwise attempts that always fail could
    // end each call before the other attempts are uploaded.
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
      const isSwept = now - sweptMs >= SWEEP_MS;
      const noted = await records.list();
      const states = new Map<string, AttemptRecord['state'] | 'elsewhere'>();
      for (const each of noted) states.set(nameOf(each), await stateIn(assets, each));
      const work: (() => Promise<void>)[] = [];
      for (const each of await attemptsOf(assets, noted)) {
        const state = states.get(nameOf(each));
        if (state === 'removing' || (state === 'stored' && !(isSwept && (await hasMore(assets, each))))) continue;
        if (await rules.isPublished(each)) work.push(() => storeAttempt(assets, each, { rules, signal }));
      }
      for (const each of noted)
        if (states.get(nameOf(each)) === 'removing') work.push(() => removeObjects(assets, each, signal));
      // The uploads below create new copies to remove. The time is reset before the work: if the work fails, the next
      // call of `run` removes the copies.
      if (work.length > 0) sweptMs = -Infinity;
      let failure: unknown;
      await attempt(work, signal).catch((error: unknown) => {
        failure = error;
      });
      // After an abort, some attempts are not uploaded yet, so no copy is removed.
      if (signal.aborted) return;
      // While the bucket is unavailable, copies are not removed, because the service can then send only files that are
      // on the disk. If the bucket is only full, copies are removed, because the objects can still be read.
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
        // The bucket may also have objects of other installations; attempts that are not published here are skipped.
        if (!(await rules.isPublished(each))) continue;
        const files = await objectsOf(assets, each, { except: await namesOf(assets, each), signal });
        // The next call of `run` uploads files that are only on the disk, and reports lost files.
        await records.write(each, { bucket: objects.name, state: 'uploading', files: [...files] });
        recovered += 1;
      }
      return recovered;
    },
  };
}

/**
 * True for an error that uploads of other attempts would also get: no response, no permission, or a full bucket. Any
 * other error concerns one file: a conflict, or an error with a `cause`.
 */
const isAboutBucket = (error: unknown): boolean =>
  isDomainError(error) && error.code !== 'conflict' && error.cause === undefined;

/** State of a record. `elsewhere`: the record is damaged, or belongs to another bucket, so the files must be uploaded to this bucket. */
async function stateIn({ records, objects }: BucketAssets, attempt: Attempt) {
  const record = await records.read(attempt);
  if (record === undefined) return 'elsewhere';
  if (record.state === 'removing') return 'removing';
  return record.bucket === objects.name ? record.state : 'elsewhere';
}

/** Attempts that have a folder or a record; each attempt occurs once. */
async function attemptsOf({ folder }: BucketAssets, noted: readonly Attempt[]): Promise<Iterable<Attempt>> {
  const all = new Map(noted.map((each) => [nameOf(each), each]));
  for (const { run, tokens } of await attemptsIn(folder))
    for (const token of tokens) all.set(`${run}/${token}`, { runId: run, token: Number(token) });
  return all.values();
}

/** Removes all objects of an attempt, and the parts of its unfinished uploads. Then removes the record of the attempt. */
async function removeObjects(assets: BucketAssets, attempt: Attempt, signal: AbortSignal): Promise<void> {
  const { records, objects } = assets;
  for (const name of await records.unfinished(attempt)) {
    const key = `${nameOf(attempt)}/${name}`;
    await objects.abandon(key, await records.journal(attempt, name).read(), signal);
  }
  for await (const { key } of objects.list(`${nameOf(attempt)}/`, signal)) await objects.remove(key, signal);
  await records.remove(attempt);
}
