import type { RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/system.ts';
import type { Timers } from '../timing/timers.ts';
import type { PipelineRegistry, WorkerSettings } from './types.ts';

/** What adoption stands on. */
export interface AdoptDeps {
  readonly runs: Pick<RunStore, 'adoptAbandoned'>;
  readonly pipelines: Pick<PipelineRegistry, 'list'>;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'queue'>;
}

/** A process claims what it has queued within moments; ms. */
const SILENT_MS = 60_000;
/** Pause between two looks, ms. */
const LOOK_MS = 60_000;

/**
 * Takes up what a killed process has left in a queue of its own, again and again until `stop` aborts: equal requests join such a run, and
 * would wait for it for ever. Never rejects.
 */
export async function adoptAbandonedRuns(
  { runs, pipelines, timers, logger, settings }: AdoptDeps,
  stop: AbortSignal,
): Promise<void> {
  const by = { queue: settings.queue, pipelines: pipelines.list.map(({ name }) => name), silentMs: SILENT_MS };
  while (!stop.aborted) {
    try {
      const adopted = await runs.adoptAbandoned(by);
      if (adopted > 0) logger.info({ adopted, queue: by.queue }, 'runs of processes that died were taken up');
    } catch (error) {
      logger.error({ error: String(error) }, 'runs of processes that died could not be looked for; the next look will');
    }
    await timers.sleep(LOOK_MS, stop);
  }
}
