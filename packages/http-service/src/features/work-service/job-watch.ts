import { type Clock, isDomainError, type Logger, type Timers } from '@headwater/core';
import type { Job, JobStore } from '@headwater/core/ports';
import type { Workflow } from '@headwater/core/runs';
import { outcomeOf } from './schemas/jobs.ts';
import type { JobTrigger } from './settings.ts';
import { WORKFLOW_OP } from './workflow-places.ts';

/** What the watch looks at, and how often. */
export interface JobWatchDeps {
  readonly jobs: JobStore;
  /** Absent where no orchestrator takes jobs. */
  readonly trigger: JobTrigger | undefined;
  /** Absent where there is no orchestrator. */
  readonly workflow: Workflow | undefined;
  readonly lookMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Ends jobs whose runs ended at the orchestrator without a result, so that they are in nobody's way. */
export interface JobWatch {
  /** Safe to call twice. */
  start(): void;
  /** Resolves when nothing is looked at any more. Safe to call twice. */
  close(): Promise<void>;
}

type OpenJob = Pick<Job, 'id' | 'op' | 'createdAt'>;

/** Runs that one pass looks at: what is open takes turns, so that an orchestrator is asked as often whatever is open. */
const MOST_LOOKS = 10;
/** A run that is not there may be one whose trigger is still on its way, or is being tried again. */
const UNKNOWN_MS = 5 * 60_000;
const NOT_THERE = 'The orchestrator knows no run of it: it was never started, or somebody deleted it there.';

/** Builds the watch; nothing is looked at before `start`. Every process of a database may have one: a job ends once. */
export function createJobWatch(deps: JobWatchDeps): JobWatch {
  const { trigger, workflow, timers, lookMs, logger } = deps;
  const closing = new AbortController();
  const lastLooks = new Map<string, number>();
  let running: Promise<void> | undefined;
  let failures = 0;
  const run = async (): Promise<void> => {
    for (let pass = 1; !closing.signal.aborted; pass++) {
      await timers.sleep(lookMs, closing.signal);
      if (closing.signal.aborted) return;
      try {
        const due = nextOf(await deps.jobs.open(), lastLooks);
        for (const { id } of due) lastLooks.set(id, pass);
        const looks = await Promise.allSettled(due.map((job) => look(job, deps, closing.signal)));
        const failed = looks.find((each) => each.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
        failures = 0;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (failures++ === 0)
          logger.error({ error: String(error) }, 'runs of jobs could not be looked at; trying again');
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

/** Those whose turn it is: never looked at first, then those that were longest ago. Forgets what is open no more. */
function nextOf(open: readonly OpenJob[], lastLooks: Map<string, number>): readonly OpenJob[] {
  const ids = new Set(open.map(({ id }) => id));
  for (const id of lastLooks.keys()) if (!ids.has(id)) lastLooks.delete(id);
  const lookOf = ({ id }: OpenJob): number => lastLooks.get(id) ?? 0;
  return open.toSorted((a, b) => lookOf(a) - lookOf(b)).slice(0, MOST_LOOKS);
}

async function look(job: OpenJob, deps: JobWatchDeps, signal: AbortSignal): Promise<void> {
  const error = await endOf(job, deps, signal);
  if (error !== undefined) await deps.jobs.finish(job.id, outcomeOf({ ok: false, error }));
}

/** Why a job has ended; undefined while nobody knows that it has. */
async function endOf(job: OpenJob, deps: JobWatchDeps, signal: AbortSignal): Promise<string | undefined> {
  try {
    if (job.op !== WORKFLOW_OP) return await deps.trigger?.ended(job.id, signal);
    const state = (await deps.workflow?.status(job.id, signal))?.state;
    return state === 'success' || state === 'failed' ? 'The run has ended.' : undefined;
  } catch (error) {
    if (!isDomainError(error) || error.code !== 'not_found') throw error;
    const ageMs = deps.clock.now().getTime() - Date.parse(job.createdAt);
    return ageMs > UNKNOWN_MS ? NOT_THERE : undefined;
  }
}
