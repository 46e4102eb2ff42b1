import { DomainError } from '@headwater/core';
import type { InstallationStore, RunStore } from '@headwater/core/ports';

/** Name of the installation's text with the time until which no run is started. */
export const DRAINING_UNTIL = 'draining_until';

/** Time for which a process uses the text that it read last, ms. */
export const DRAIN_CACHE_MS = 1000;

/** Longest time after which a refused client retries, s. */
const RETRY_SECONDS = 60;

/** End of a drain; undefined if runs are started. */
export async function drainEnd(
  installation: Pick<InstallationStore, 'read'>,
  now: Date = new Date(),
): Promise<Date | undefined> {
  const end = new Date((await installation.read(DRAINING_UNTIL)) ?? 0);
  return end > now ? end : undefined;
}

/**
 * Wraps a run store: while the installation is drained, new runs are refused with `unavailable`, and queued runs are not claimed. Running runs
 * continue.
 */
export function drainedRuns(runs: RunStore, installation: Pick<InstallationStore, 'read'>): RunStore {
  let known: { readonly end: Promise<Date | undefined>; readonly atMs: number } | undefined;
  const drained = async (): Promise<Date | undefined> => {
    const atMs = performance.now();
    if (known === undefined || atMs - known.atMs >= DRAIN_CACHE_MS) known = { end: drainEnd(installation), atMs };
    try {
      return await known.end;
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  return {
    ...runs,
    enqueue: async (run, options) => {
      const end = await drained();
      if (end !== undefined) throw refusal(end);
      return await runs.enqueue(run, options);
    },
    claim: async (options) => ((await drained()) === undefined ? await runs.claim(options) : undefined),
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
