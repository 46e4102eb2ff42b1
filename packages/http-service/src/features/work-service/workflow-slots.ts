import { type Clock, isDomainError } from '@headwater/core';
import { newRunId, type Workflow, type WorkflowRun } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import type { WorkCaller } from './callers.ts';
import type { WorkService } from './settings.ts';

/** Store and limit of the slots. A slot is a stored entry that counts one run of the workflow. */
export interface SlotDeps {
  readonly stores: Pick<Stores, 'jobs'>;
  readonly workService: Pick<WorkService, 'perAddress' | 'workflowRuns'>;
  readonly clock: Clock;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/** A run of the workflow for a caller. */
export interface SlotRun {
  readonly workflow: Workflow;
  readonly conf: Readonly<Record<string, unknown>>;
  readonly caller: Pick<WorkCaller, 'isCounted' | 'key'>;
}

/** Value of `op` of stored jobs that are slots. */
export const WORKFLOW_OP = 'workflow';

const WEEK_MS = 7 * 86_400_000;

/** Runs the workflow in a free slot. Throws `throttled` without one, and the errors of `Workflow.run`. */
export async function runInSlot(
  { workflow, conf, caller }: SlotRun,
  { stores: { jobs }, workService, clock, closing }: SlotDeps,
): Promise<WorkflowRun> {
  const id = newRunId(clock.now());
  const { workflowRuns, perAddress } = workService;
  const limits = { mostOpen: workflowRuns, mostEnded: 0, keepMs: WEEK_MS };
  // The store counts the slots with equal parameters.
  if (caller.isCounted)
    await jobs.add({ id, op: WORKFLOW_OP, params: { caller: caller.key } }, { ...limits, mostAlike: perAddress });
  else await jobs.add({ id, op: WORKFLOW_OP, params: {} }, limits);
  try {
    // Not the caller's signal, because an abort could free the slot of a started run.
    const run = await workflow.run(conf, closing);
    await jobs.rename(id, run.dagRunId);
    return run;
  } catch (error) {
    // The run may have been started, so the slot stays occupied until a check of `job-watch.ts`.
    const isUnknown = isDomainError(error) && error.code === 'upstream_timeout';
    if (!isUnknown) await jobs.finish(id, { ok: false, error: 'The orchestrator refused the run.' });
    throw error;
  }
}

/** Frees the slot of a run that has ended. */
export async function freeSlot(dagRunId: string, { stores: { jobs } }: Pick<SlotDeps, 'stores'>): Promise<void> {
  // The run may belong to a job, which ends only when its result is posted.
  if ((await jobs.get(dagRunId))?.op !== WORKFLOW_OP) return;
  await jobs.finish(dagRunId, { ok: false, error: 'The run has ended.' });
}
