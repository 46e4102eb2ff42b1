import type { RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/system.ts';
import type { WorkerSettings } from './types.ts';

/** What removal by age stands on. */
export interface TidyDeps {
  readonly runs: Pick<RunStore, 'removeOld'>;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'keepEventsMs' | 'keepRunsMs' | 'keepReplacedMs'>;
}

/** Pause between two looks for what is old, ms. */
export const TIDY_MS = 3_600_000;

/** One removal. */
export interface Tidying {
  /** No folder of an attempt that is dead is left. Where one may be, no run goes: nobody would know any more whose files they are. */
  readonly filesAreGone: boolean;
  readonly stop: AbortSignal;
}

/** Runs looked at in one step: the step's transaction stays short, and others get their turn in between. */
const BATCH = 100;

/** Removes events and runs that are old enough, step by step until none is left or `stop` aborts. Never rejects. */
export async function removeOldRuns(
  { runs, logger, settings }: TidyDeps,
  { filesAreGone, stop }: Tidying,
): Promise<void> {
  const { keepEventsMs: eventsMs, keepRunsMs, keepReplacedMs } = settings;
  // Whose files became old after they were looked for is not old enough here for as long again as lies between two looks.
  const runsMs = keepRunsMs === 0 || !filesAreGone ? 0 : Math.max(keepRunsMs, keepReplacedMs + TIDY_MS);
  const removed = { events: 0, runs: 0 };
  try {
    for (let isMore = true; isMore && !stop.aborted;) {
      const step = await runs.removeOld({ eventsMs, runsMs, most: BATCH });
      removed.events += step.events;
      removed.runs += step.runs;
      isMore = step.isMore;
    }
  } catch (error) {
    logger.error({ error: String(error) }, 'old runs could not be removed; the next look tries again');
  }
  if (removed.events + removed.runs > 0) logger.info(removed, 'old events and runs removed');
}
