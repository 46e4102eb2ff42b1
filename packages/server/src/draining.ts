import { DomainError } from '@headwater/core';
import type { InstallationStore, RunStore } from '@headwater/core/ports';
import { DRAINING_UNTIL } from '@headwater/core/runs';

/** Time for which the last read of the drain's end is used, ms. */
export const DRAIN_CACHE_MS = 1000;

const RETRY_SECONDS = 60;

/** End of the present drain; undefined without a drain. */
export async function drainEnd(
  installation: Pick<InstallationStore, 'read'>,
  now: Date = new Date(),
): Promise<Date | undefined> {
  const end = new Date((await installation.read(DRAINING_UNTIL)) ?? 0);
  return end > now ? end : undefined;
}

/** Maximum number of reads for one `claim` or `enqueue`. In a slow database, each may be outdated when it ends. */
const MOST_READS = 3;

/**
 * A read of the drain's end. `isOld`: the read is older than `DRAIN_CACHE_MS`, so a drain may have begun since then.
 */
interface Answer {
  readonly end: Date | undefined;
  readonly isOld: boolean;
}

/**
 * Wraps a run store. During a drain, new runs are refused with `unavailable`, and queued runs are not claimed. A claim
 * needs a read that is less than `DRAIN_CACHE_MS` old. The command `drain` waits for twice this time before it first
 * counts the workers that compute, so that it also counts runs that were claimed with an older read.
 */
export function drainedRuns(runs: RunStore, installation: Pick<InstallationStore, 'read'>): RunStore {
  let known: { readonly end: Promise<Date | undefined>; readonly atMs: number } | undefined;
  const isOld = (atMs: number): boolean => performance.now() - atMs >= DRAIN_CACHE_MS;
  const ask = async (): Promise<Answer> => {
    if (known === undefined || isOld(known.atMs)) known = { end: drainEnd(installation), atMs: performance.now() };
    const { end, atMs } = known;
    try {
      return { end: await end, isOld: isOld(atMs) };
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  const drained = async (): Promise<Answer> => {
    let answer = await ask();
    for (let reads = 1; reads < MOST_READS && answer.end === undefined && answer.isOld; reads += 1)
      answer = await ask();
    return answer;
  };
  return {
    ...runs,
    enqueue: async (run, options) => {
      const { end } = await drained();
      if (end !== undefined) throw refusal(end);
      return await runs.enqueue(run, options);
    },
    claim: async (options) => {
      const answer = await drained();
      return answer.end === undefined && !answer.isOld ? await runs.claim(options) : undefined;
    },
  };
}

function refusal(end: Date): DomainError {
  const left = Math.ceil((end.getTime() - Date.now()) / 1000);
  const message =
    'The service starts no new runs at present, because it is being prepared for maintenance; try again later.';
  return new DomainError('unavailable', message, {
    details: { retryAfterSeconds: Math.max(1, Math.min(RETRY_SECONDS, left)) },
  });
}
