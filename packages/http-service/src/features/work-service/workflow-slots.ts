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

/** Value of `op` of a slot. */
export const WORKFLOW_OP = 'workflow';

const WEEK_MS = 7 * 86_400_000;

/** Runs the workflow in a free slot. Throws `throttled` if no slot is free, and the errors of `Workflow.run`. */
export async function runInSlot(
  { workflow, conf, caller }: SlotRun,
  { stores: { jobs }, workService, clock, closing }: SlotDeps,
): Promise<WorkflowRun> {
  const id = newRunId(clock.now());
  const { workflowRuns, perAddress } = workService;
  const limits = { mostOpen: workflowRuns, mostEnded: 0, keepMs: WEEK_MS };
  // The store limits entries with equal parameters, so the parameters are only the address.
  if (caller.isCounted)
    await jobs.add({ id, op: WORKFLOW_OP, params: { caller: caller.key } }, { ...limits, mostAlike: perAddress });
  else await jobs.add({ id, op: WORKFLOW_OP, params: {} }, limits);
  try {
    // The caller's signal is not used, because a started run could lose its slot if the caller aborts.
    const run = await workflow.run(conf, closing);
    await jobs.rename(id, run.dagRunId);
    return run;
  } catch (error) {
    // After a timeout the run may exist, so `job-watch.ts` checks the slot later.
    const isUnknown = isDomainError(error) && error.code === 'upstream_timeout';
    if (!isUnknown) await jobs.finish(id, { ok: false, error: 'The orchestrator refused the run.' });
    throw error;
  }
}

/** Frees the slot of a run that has ended. */
export async function freeSlot(dagRunId: string, { stores: { jobs } }: Pick<SlotDeps, 'stores'>): Promise<void> {
  // If the id belongs to a job instead of a slot, nothing is freed: a job ends when its result is posted.
  if ((await jobs.get(dagRunId))?.op !== WORKFLOW_OP) return;
  await jobs.finish(dagRunId, { ok: false, error: 'The run has ended.' });
}
