import type { Run, RunFailure, RunStore } from '../ports/runs.ts';
import type { WorkerSettings } from './types.ts';

/** What parking stands on. */
export interface ParkDeps {
  readonly runs: Pick<RunStore, 'park' | 'appendEvent'>;
  readonly settings: Pick<WorkerSettings, 'maxAttempts' | 'retryMs'>;
}

/**
 * Leaves a run alone for a pause, after which any worker takes it up for its next attempt: `retryMs` after the first
 * attempt, twice that after the second. The pause outlives this process. A cancelled run ends at once.
 */
export async function parkRun({ runs, settings }: ParkDeps, run: Run, failure: RunFailure): Promise<void> {
  const { id, token, attempt } = run;
  const pauseMs = settings.retryMs * 2 ** (attempt - 1);
  if ((await runs.park(id, token, pauseMs)) !== 'ok') return;
  const message = `Attempt ${attempt} of ${settings.maxAttempts} ended: ${failure.message} The run is tried again in ${Math.round(pauseMs / 1000)} s.`;
  await runs.appendEvent(id, { kind: 'log', data: { message } });
}
