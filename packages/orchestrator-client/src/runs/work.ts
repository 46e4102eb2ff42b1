import type { OrchestratorApi } from '../api/orchestrator-api.ts';
import { pauseUnlessAborted } from '../http/aborted.ts';
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
