import { isOrchestratorError } from '@headwater/orchestrator-client';
import { isRetryable } from './failures.ts';
import type { HeldRuns } from './held-runs.ts';
import type { RunWork } from './run-work.ts';
import type { BackendDeps } from './settings.ts';

/** Minimum duration of a logged outage, ms. A shorter outage is probably a restart. */
const NOTED_AFTER_MS = 60_000;

/** Receives the outcome of each pass of a watcher: one update of the states of its runs. */
export interface OutageNotes {
  /** A pass failed. */
  readonly failed: (error: unknown) => void;
  /** A pass succeeded. */
  readonly succeeded: () => void;
}

interface OutageNotesDeps extends Pick<BackendDeps, 'clock'> {
  readonly held: HeldRuns;
  readonly work: RunWork;
}

/**
 * Logs an outage and its end once in every watched run. Runs do not fail, because they probably continue at the
 * orchestrator.
 */
export function outageNotes({ clock, held, work }: OutageNotesDeps): OutageNotes {
  let since: Date | undefined;
  return {
    failed: (error) => {
      if (!isOrchestratorError(error)) return;
      since ??= clock.now();
      if (clock.now().getTime() - since.getTime() < NOTED_AFTER_MS) return;
      const problem = isRetryable(error) ? 'has not responded' : 'has not sent readable responses';
      const step = `the orchestrator ${problem} since ${since.toISOString()}`;
      for (const each of held.all()) {
        if (each.remote === undefined || each.isOutageNoted) continue;
        each.isOutageNoted = true;
        work.noteOutage(each, {
          step,
          log: `${step}; the run is read again as soon as the orchestrator responds: ${error.message}`,
        });
      }
    },
    succeeded: () => {
      if (since === undefined) return;
      since = undefined;
      for (const each of held.all()) {
        if (!each.isOutageNoted) continue;
        each.isOutageNoted = false;
        work.noteOutage(each, { step: each.step, log: 'the orchestrator responds again' });
      }
    },
  };
}
