import { isDomainError } from '@headwater/core';
import { parseAssetKey } from '../asset-keys.ts';
import { attemptsIn } from '../prune-attempts.ts';
import type { BucketAssets } from './bucket-assets.ts';
import { createProbe, removeCopies } from './copies.ts';
import type { Attempt, AttemptRecord } from './records.ts';
import { hasMore, nameOf, namesOf, objectsOf, storeAttempt, type UploadRules } from './store-attempt.ts';

/** Copies published files to the bucket and removes what is no longer needed. One process at a time calls it. */
export interface BucketUploads {
  /**
   * Uploads missing files of published attempts, and removes objects and copies that are no longer needed. Folders and records show what
   * must be done, so nothing is lost if the bucket is unavailable or the process ends. Throws the first failure after it has tried the
   * other attempts.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Adds records of objects that are in the bucket, but not in this folder, for example after the loss of the folder's disk. */
  recover(signal: AbortSignal): Promise<number>;
  /** Attempts with files that the last call of `run` did not upload or remove yet. */
  pending(): number;
}

/** Number of consecutive failures that end a call of `run`. The bucket is then unavailable, and each further attempt would wait for it. */
const MOST_FAILURES = 3;
/**
 * Time between two removals of copies while nothing is uploaded. Reads make new copies meanwhile. Each removal measures all files, so it is not
 * repeated more often.
 */
const SWEEP_MS = 600_000;

/** Creates the uploads of a store. */
export function createBucketUploads(assets: BucketAssets, rules: UploadRules): BucketUploads {
  const { records, objects } = assets;
  const probe = createProbe(assets);
  let pending = 0;
  let turn = 0;
  /** Time of the last removal of copies. */
  let sweptMs = -Infinity;
  const attempt = async (work: readonly (() => Promise<void>)[], signal: AbortSignal): Promise<void> => {
    pending = work.length;
    const failures: unknown[] = [];
    let inARow = 0;
    // Each pass begins with a different attempt. Otherwise attempts that always fail could end each pass before all
    // other attempts are uploaded.
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
      // This time is set first: if the work below fails, the next pass removes copies.
      if (work.length > 0) sweptMs = -Infinity;
      let failure: unknown;
      await attempt(work, signal).catch((error: unknown) => {
        failure = error;
      });
      // The attempts below are not uploaded yet.
      if (signal.aborted) return;
      // Copies stay while the bucket is unavailable, because the service can send them. If the bucket is only full,
      // copies can be removed, because it can be read.
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
        // Other installations may also have objects in the bucket.
        if (!(await rules.isPublished(each))) continue;
        const files = await objectsOf(assets, each, { except: await namesOf(assets, each), signal });
        // The next pass uploads files that are only on the disk, and reports lost files.
        await records.write(each, { bucket: objects.name, state: 'uploading', files: [...files] });
        recovered += 1;
      }
      return recovered;
    },
  };
}

/**
 * True for an error that uploads of other attempts would also get: no response, no permission, or a full bucket. Any
 * other error concerns one file: a conflict, or a response with a cause.
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

/** Attempts with a folder or a record, each once. */
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
