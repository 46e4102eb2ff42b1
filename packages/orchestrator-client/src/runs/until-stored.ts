import type { RunIds, OrchestratorApi } from '../api/orchestrator-api.ts';
import { isOrchestratorError, isWorthRetrying } from '../errors.ts';
import { pauseUnlessAborted } from '../http/aborted.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { pauseOf, type Settings } from '../settings.ts';

/** API and settings that every operation on runs needs. */
export interface Work {
  readonly api: OrchestratorApi;
  readonly settings: Settings;
}

/** Pauses for one poll interval, at most `most` ms; rejects with `aborted` when the signal aborts. */
export function pollPause({ settings }: Work, signal?: AbortSignal, most = Infinity): Promise<void> {
  const { clock, poll, random } = settings;
  return pauseUnlessAborted(clock.sleep(Math.min(pauseOf(poll, random), most), signal), signal);
}

/**
 * Maximum number of reads of a run after a change. All reads together, with the pauses between them, take ten seconds.
 */
const READS = 40;
const PAUSE_MS = 250;

/**
 * Waits until Airflow 3, which responds before it stores a change, has stored the run as expected. Returns false if the run is not stored
 * within ten seconds. Returns true immediately for Airflow 2, which stores a change before it responds. Also returns true if the
 * orchestrator no longer responds, because the orchestrator has already confirmed the change.
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
