import { isOrchestratorError } from '@headwater/orchestrator-client';
import { mayPass } from './failures.ts';
import type { HeldRuns } from './held-runs.ts';
import type { RunWork } from './run-work.ts';
import type { BackendDeps } from './settings.ts';

/** A shorter silence is a restart, and not worth a line in every run. */
const TOLD_AFTER_MS = 60_000;

/** What a watcher hears of the orchestrator as a whole. */
export interface Silence {
  /** A look at it that failed. */
  readonly failed: (error: unknown) => void;
  /** A look at it that did not. */
  readonly ended: () => void;
}

interface SilenceDeps extends Pick<BackendDeps, 'clock'> {
  readonly held: HeldRuns;
  readonly work: RunWork;
}

/** Notes in every watched run that the orchestrator stays away, once, and that it is back: such a run goes on, for all that is known. */
export function silenceOf({ clock, held, work }: SilenceDeps): Silence {
  let since: Date | undefined;
  return {
    failed: (error) => {
      if (!isOrchestratorError(error)) return;
      since ??= clock.now();
      if (clock.now().getTime() - since.getTime() < TOLD_AFTER_MS) return;
      const what = mayPass(error) ? 'has not answered' : 'could not be looked at';
      const step = `the orchestrator ${what} since ${since.toISOString()}`;
      for (const each of held.all()) {
        if (each.away === undefined || each.isSilenceTold) continue;
        each.isSilenceTold = true;
        work.silent(each, { step, log: `${step}; the run is looked at again as soon as it answers: ${error.message}` });
      }
    },
    ended: () => {
      if (since === undefined) return;
      since = undefined;
      for (const each of held.all()) {
        if (!each.isSilenceTold) continue;
        each.isSilenceTold = false;
        work.silent(each, { step: each.step, log: 'the orchestrator answers again' });
      }
    },
  };
}
