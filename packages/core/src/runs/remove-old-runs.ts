import type { RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/host.ts';
import type { WorkerSettings } from './types.ts';

/** Dependencies of the removal by age. */
export interface RemovalDeps {
  readonly runs: Pick<RunStore, 'removeOld'>;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'keepEventsMs' | 'keepRunsMs' | 'keepReplacedMs'>;
}

/** Pause between two removals of old runs, ms. */
export const REMOVAL_INTERVAL_MS = 3_600_000;

/** State of one removal. */
export interface Removal {
  /**
   * True if no folder of a dead attempt is left. Otherwise no run is removed. The check of the folders keeps folders
   * of unknown runs, so the folders of a removed run would stay for ever.
   */
  readonly filesAreGone: boolean;
  readonly stop: AbortSignal;
}

/** Maximum number of runs per transaction. It is small, so that other queries run between the transactions. */
const BATCH = 100;

/** Removes old events and runs until none is left or `stop` aborts. Never rejects. */
export async function removeOldRuns(
  { runs, logger, settings }: RemovalDeps,
  { filesAreGone, stop }: Removal,
): Promise<void> {
  const { keepEventsMs: eventsMs, keepRunsMs, keepReplacedMs } = settings;
  // A run must stay until its files are removed. The first check of the folders after `keepReplacedMs` removes the
  // files.
  const runsMs = keepRunsMs === 0 || !filesAreGone ? 0 : Math.max(keepRunsMs, keepReplacedMs + REMOVAL_INTERVAL_MS);
  const removed = { events: 0, runs: 0 };
  try {
    for (let isMore = true; isMore && !stop.aborted;) {
      const step = await runs.removeOld({ eventsMs, runsMs, most: BATCH });
      removed.events += step.events;
      removed.runs += step.runs;
      isMore = step.isMore;
    }
  } catch (error) {
    logger.error({ error: String(error) }, 'old runs could not be removed; retrying at the next check');
  }
  if (removed.events + removed.runs > 0) logger.info(removed, 'old events and runs removed');
}
