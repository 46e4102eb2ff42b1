import type { RunIds, OrchestratorApi } from '../api/orchestrator-api.ts';
import { isOrchestratorError, isWorthRetrying } from '../errors.ts';
import { pauseUnlessAborted } from '../http/aborted.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { pauseOf, type Settings } from '../settings.ts';

/** API and settings of operations on runs. */
export interface Work {
  readonly api: OrchestratorApi;
  readonly settings: Settings;
}

/** Pauses for one poll interval, at most `most` ms; rejects with `aborted` if the signal aborts. */
export function pollPause({ settings }: Work, signal?: AbortSignal, most = Infinity): Promise<void> {
  const { clock, poll, random } = settings;
  return pauseUnlessAborted(clock.sleep(Math.min(pauseOf(poll, random), most), signal), signal);
}

/** Maximum number of reads. Their pauses take ten seconds together. */
const READS = 40;
const PAUSE_MS = 250;

/**
 * Waits until a change is stored; false if it is not stored after ten seconds of pauses. Does not wait on Airflow 2,
 * because only Airflow 3 responds before it stores a change. Returns true if a read fails with an error that is worth a
 * retry, because the change was confirmed.
 */
export async function untilStored(
  { api, settings }: Work,
  ids: RunIds,
  {
    isAsExpected,
    signal,
  }: { readonly isAsExpected: (run: DagRun) => boolean; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  const { dialect } = await api.connect();
  if (!dialect.answersBeforeStoring) return true;
  for (let attempt = 1; attempt <= READS; attempt++) {
    try {
      if (isAsExpected(await api.run(ids, { signal }))) return true;
    } catch (error) {
      if (isWorthRetrying(error)) return true;
      if (!isOrchestratorError(error, 'unknown_run')) throw error;
    }
    await pauseUnlessAborted(settings.clock.sleep(PAUSE_MS, signal), signal);
  }
  return false;
}
