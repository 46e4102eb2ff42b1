import { type Clock, isDomainError } from '@headwater/core';
import { newRunId, type Workflow, type WorkflowRun } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import type { WorkService } from './settings.ts';

/** Store and limit of the slots for workflow runs. */
export interface SlotDeps {
  readonly stores: Pick<Stores, 'jobs'>;
  readonly workService: Pick<WorkService, 'workflowRuns'>;
  readonly clock: Clock;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/** Operation that marks the slots of workflow runs among the stored jobs, with which they are counted. */
export const WORKFLOW_OP = 'workflow';

const WEEK_MS = 7 * 86_400_000;

/**
 * Runs the workflow in one of a limited number of slots, which are counted in the store before anything is started. Throws
 * `throttled` if none is free, and the errors of `Workflow.run`.
 */
export async function runInSlot(
  workflow: Workflow,
  conf: Readonly<Record<string, unknown>>,
  { stores: { jobs }, workService, clock, closing }: SlotDeps,
): Promise<WorkflowRun> {
  const id = newRunId(clock.now());
  const limits = { mostOpen: workService.workflowRuns, mostEnded: 0, keepMs: WEEK_MS };
  await jobs.add({ id, op: WORKFLOW_OP, params: {} }, limits);
  try {
    // Not the caller's signal: if the caller disconnected during the start, the run would have no slot.
    const run = await workflow.run(conf, closing);
    await jobs.rename(id, run.dagRunId);
    return run;
  } catch (error) {
    // After a timeout it is unknown if the run was started: the slot stays taken until the watch finds that there is no run.
    const isUnknown = isDomainError(error) && error.code === 'upstream_timeout';
    if (!isUnknown) await jobs.finish(id, { ok: false, error: 'The orchestrator refused the run.' });
    throw error;
  }
}

/** Frees the slot of a run that has ended. */
export async function freeSlot(dagRunId: string, { stores: { jobs } }: Pick<SlotDeps, 'stores'>): Promise<void> {
  // Jobs may run through the same workflow; they finish with their results.
  if ((await jobs.get(dagRunId))?.op !== WORKFLOW_OP) return;
  await jobs.finish(dagRunId, { ok: false, error: 'The run has ended.' });
}
