import { type Clock, isDomainError } from '@headwater/core';
import { newRunId, type Workflow, type WorkflowRun } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import type { WorkService } from './settings.ts';

/** Where places are counted, and how many there are. */
export interface PlaceDeps {
  readonly stores: Pick<Stores, 'jobs'>;
  readonly workService: Pick<WorkService, 'workflowRuns'>;
  readonly clock: Clock;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/** By which the places of workflow runs are told from jobs, among which they are counted. */
export const WORKFLOW_OP = 'workflow';

const WEEK_MS = 7 * 86_400_000;

/**
 * Runs the workflow for whoever asks, in one of a few places, which are counted in the store before anything is started. Throws
 * `throttled` where none is free, and what `Workflow.run` throws.
 */
export async function runInItsPlace(
  workflow: Workflow,
  conf: Readonly<Record<string, unknown>>,
  { stores: { jobs }, workService, clock, closing }: PlaceDeps,
): Promise<WorkflowRun> {
  const id = newRunId(clock.now());
  const limits = { mostOpen: workService.workflowRuns, mostEnded: 0, keepMs: WEEK_MS };
  await jobs.add({ id, op: WORKFLOW_OP, params: {} }, limits);
  try {
    // It is not the caller's signal: whoever leaves while the run is started would leave a run behind that has no place.
    const run = await workflow.run(conf, closing);
    await jobs.rename(id, run.dagRunId);
    return run;
  } catch (error) {
    // After a silence nobody knows whether the run was started: its place stays taken until the watch has seen that there is none.
    const isUnknown = isDomainError(error) && error.code === 'upstream_timeout';
    if (!isUnknown) await jobs.finish(id, { ok: false, error: 'The orchestrator did not take it.' });
    throw error;
  }
}

/** Gives the place of a run back that is seen to have ended. */
export async function seenEnded(dagRunId: string, { stores: { jobs } }: Pick<PlaceDeps, 'stores'>): Promise<void> {
  // Jobs may run through the same workflow: they end by their results.
  if ((await jobs.get(dagRunId))?.op !== WORKFLOW_OP) return;
  await jobs.finish(dagRunId, { ok: false, error: 'The run has ended.' });
}
