import type { RunIds, OrchestratorApi } from '../api/orchestrator-api.ts';
import { isOrchestratorError, isWorthWaiting } from '../errors.ts';
import { pauseUnlessAborted } from '../http/aborted.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { pauseOf, type Settings } from '../settings.ts';

/** What everything that is done with runs works with. */
export interface Work {
  readonly api: OrchestratorApi;
  readonly settings: Settings;
}

/** Pauses for one poll interval, or `most` ms where that is less; rejects with `aborted` when the signal aborts. */
export function pollPause({ settings }: Work, signal?: AbortSignal, most = Infinity): Promise<void> {
  const { clock, poll, random } = settings;
  return pauseUnlessAborted(clock.sleep(Math.min(pauseOf(poll, random), most), signal), signal);
}

/** Looks at a run whose change was answered, and the pause between them, ms: ten seconds in all. */
const LOOKS = 40;
const PAUSE_MS = 250;

/**
 * Airflow 3 answers before it has stored what it answers: looks until the run is there and as expected. False = it is not, after ten
 * seconds. True at once for Airflow 2, and where the orchestrator does not answer: then what it said before counts.
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
  for (let look = 1; look <= LOOKS; look++) {
    try {
      if (isAsExpected(await api.run(ids, signal))) return true;
    } catch (error) {
      if (isWorthWaiting(error)) return true;
      if (!isOrchestratorError(error, 'unknown_run')) throw error;
    }
    await pauseUnlessAborted(settings.clock.sleep(PAUSE_MS, signal), signal);
  }
  return false;
}
