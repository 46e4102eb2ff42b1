import type { RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/host.ts';
import type { Timers } from '../timing/timers.ts';
import type { PipelineRegistry, WorkerSettings } from './types.ts';

/** Dependencies of the adoption of abandoned runs. */
export interface AdoptDeps {
  readonly runs: Pick<RunStore, 'adoptAbandoned'>;
  readonly pipelines: Pick<PipelineRegistry, 'list'>;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'queue'>;
}

/**
 * Time without activity after which a process counts as dead, ms. A living process claims its queued runs much
 * earlier.
 */
const SILENT_MS = 60_000;
const CHECK_INTERVAL_MS = 60_000;

/**
 * Moves runs of dead processes from the queues of these processes to the queue of the worker, once a minute until
 * `stop` aborts (decision 130). Never rejects.
 */
export async function adoptAbandonedRuns(
  { runs, pipelines, timers, logger, settings }: AdoptDeps,
  stop: AbortSignal,
): Promise<void> {
  const adoption = { queue: settings.queue, pipelines: pipelines.list.map(({ name }) => name), silentMs: SILENT_MS };
  while (!stop.aborted) {
    try {
      const adopted = await runs.adoptAbandoned(adoption);
      if (adopted > 0)
        logger.info({ adopted, queue: adoption.queue }, 'moved runs of dead processes to the queue of this worker');
    } catch (error) {
      logger.error(
        { error: String(error) },
        'could not move runs of dead processes to the queue of this worker; trying again at the next check',
      );
    }
    await timers.sleep(CHECK_INTERVAL_MS, stop);
  }
}
