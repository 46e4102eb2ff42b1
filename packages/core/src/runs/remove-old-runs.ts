import type { RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/system.ts';
import type { WorkerSettings } from './types.ts';

/** What removal by age stands on. */
export interface TidyDeps {
  readonly runs: Pick<RunStore, 'removeOld'>;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'keepEventsMs' | 'keepRunsMs' | 'keepReplacedMs'>;
}

/** Runs looked at in one step: the step's transaction stays short, and others get their turn in between. */
const BATCH = 100;

/** Removes events and runs that are old enough, step by step until none is left or `stop` aborts. Never rejects. */
export async function removeOldRuns({ runs, logger, settings }: TidyDeps, stop: AbortSignal): Promise<void> {
  const { keepEventsMs: eventsMs, keepRunsMs, keepReplacedMs } = settings;
  // The files of a run go first: once its row is gone, nobody would know whose they are.
  const runsMs = keepRunsMs === 0 ? 0 : Math.max(keepRunsMs, keepReplacedMs);
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
