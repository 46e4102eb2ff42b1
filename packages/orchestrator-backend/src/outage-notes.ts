import { isOrchestratorError } from '@headwater/orchestrator-client';
import { isRetryable } from './failures.ts';
import type { HeldRuns } from './held-runs.ts';
import type { RunWork } from './run-work.ts';
import type { BackendDeps } from './settings.ts';

/** A shorter outage is a restart, and not worth a line in every run. */
const NOTED_AFTER_MS = 60_000;

/** Outcomes of a watcher's passes, for the notes about outages. */
export interface OutageNotes {
  /** A pass has failed. */
  readonly failed: (error: unknown) => void;
  /** A pass has succeeded. */
  readonly succeeded: () => void;
}

interface OutageNotesDeps extends Pick<BackendDeps, 'clock'> {
  readonly held: HeldRuns;
  readonly work: RunWork;
}

/** Notes an outage of the orchestrator in every watched run, once, and its end; the runs presumably continue. */
export function outageNotes({ clock, held, work }: OutageNotesDeps): OutageNotes {
  let since: Date | undefined;
  return {
    failed: (error) => {
      if (!isOrchestratorError(error)) return;
      since ??= clock.now();
      if (clock.now().getTime() - since.getTime() < NOTED_AFTER_MS) return;
      const problem = isRetryable(error) ? 'has not responded' : 'could not be read';
      const step = `the orchestrator ${problem} since ${since.toISOString()}`;
      for (const each of held.all()) {
        if (each.remote === undefined || each.isOutageNoted) continue;
        each.isOutageNoted = true;
        work.noteOutage(each, { step, log: `${step}; the run is read again as soon as it responds: ${error.message}` });
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
