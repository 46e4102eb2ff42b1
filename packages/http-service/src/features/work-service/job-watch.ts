import { type Clock, isDomainError, type Logger, type Timers } from '@headwater/core';
import type { Job, JobStore } from '@headwater/core/ports';
import type { Workflow } from '@headwater/core/runs';
import { outcomeOf } from './schemas/jobs.ts';
import type { JobTrigger } from './settings.ts';
import { WORKFLOW_OP } from './workflow-slots.ts';

/** Dependencies of the watch. `lookMs`: interval between two checks, ms. */
export interface JobWatchDeps {
  readonly jobs: JobStore;
  readonly trigger: JobTrigger | undefined;
  readonly workflow: Workflow | undefined;
  readonly lookMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/**
 * Ends jobs without a result if their runs at the orchestrator have ended or are missing, or after a day. Entries of
 * workflow runs (`WORKFLOW_OP`) do not end after a day.
 */
export interface JobWatch {
  /** Starts the checks. May be called twice. */
  start(): void;
  /** Stops the watch. Resolves when no check is running. May be called twice. */
  close(): Promise<void>;
}

type OpenJob = Pick<Job, 'id' | 'op' | 'createdAt'>;

/** Maximum number of runs that a pass checks, to limit the requests to the orchestrator. */
const CHECKS_PER_PASS = 10;
/**
 * Age of a job from which a missing run counts as lost, ms. Before this age, the trigger of the run may still be
 * retried.
 */
const LOST_AFTER_MS = 5 * 60_000;
/**
 * Age at which a job without a result fails, ms. The orchestrator may have created another id for the run of the job,
 * and then the watch cannot see its end. Entries of workflow runs have no such limit.
 */
const LONGEST_JOB_MS = 24 * 3_600_000;
const NO_RESULT =
  'The workflow posted no result within 24 hours. Look for the run at the orchestrator, then start the job again.';
const LOST =
  'The orchestrator has no run of this job: it was never started, or it was deleted there. Start the job again.';

/** Creates the watch. Nothing is checked before `start`. Several processes may have a watch. */
export function createJobWatch(deps: JobWatchDeps): JobWatch {
  const { trigger, workflow, timers, lookMs, logger } = deps;
  const closing = new AbortController();
  const lastPasses = new Map<string, number>();
  let running: Promise<void> | undefined;
  let failures = 0;
  const run = async (): Promise<void> => {
    for (let pass = 1; !closing.signal.aborted; pass++) {
      await timers.sleep(lookMs, closing.signal);
      if (closing.signal.aborted) return;
      try {
        const due = nextOf(await deps.jobs.open(), lastPasses);
        for (const { id } of due) lastPasses.set(id, pass);
        const checks = await Promise.allSettled(due.map((job) => check(job, deps, closing.signal)));
        const failed = checks.find((each) => each.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
        failures = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (failures++ === 0)
          logger.error({ error: String(error) }, 'could not check the runs of jobs; the next check tries again');
      }
    }
  };
  return {
    start: () => {
      if (trigger === undefined && workflow === undefined) return;
      running ??= run();
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

/** Jobs to check next: unchecked jobs, then the jobs with the oldest check. Removes ended jobs from `lastPasses`. */
function nextOf(open: readonly OpenJob[], lastPasses: Map<string, number>): readonly OpenJob[] {
  const ids = new Set(open.map(({ id }) => id));
  for (const id of lastPasses.keys()) if (!ids.has(id)) lastPasses.delete(id);
  const passOf = ({ id }: OpenJob): number => lastPasses.get(id) ?? 0;
  return open.toSorted((a, b) => passOf(a) - passOf(b)).slice(0, CHECKS_PER_PASS);
}

async function check(job: OpenJob, deps: JobWatchDeps, signal: AbortSignal): Promise<void> {
  const isTooOld = job.op !== WORKFLOW_OP && ageOf(job, deps) > LONGEST_JOB_MS;
  const error = isTooOld ? NO_RESULT : await endOf(job, deps, signal);
  if (error !== undefined) await deps.jobs.finish(job.id, outcomeOf({ ok: false, error }));
}

async function endOf(job: OpenJob, deps: JobWatchDeps, signal: AbortSignal): Promise<string | undefined> {
  try {
    if (job.op !== WORKFLOW_OP) return await deps.trigger?.ended(job.id, signal);
    const state = (await deps.workflow?.status(job.id, signal))?.state;
    return state === 'success' || state === 'failed' ? 'The run has ended.' : undefined;
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'not_found') throw error;
    return ageOf(job, deps) > LOST_AFTER_MS ? LOST : undefined;
  }
}

const ageOf = ({ createdAt }: OpenJob, { clock }: JobWatchDeps): number =>
  clock.now().getTime() - Date.parse(createdAt);
