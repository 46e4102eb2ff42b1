import { REGION_LIMITS } from '@headwater/core/places';

/** A piece of work that is handed to an orchestrator, which posts its result back. */
export interface NewJob {
  /** Also the id of the run at the orchestrator. */
  readonly id: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Hands jobs to an orchestrator. */
export interface JobTrigger {
  /** Resolves once the orchestrator has the job; throws `upstream_failed` and `upstream_timeout`. */
  trigger(job: NewJob, signal: AbortSignal): Promise<void>;
  /**
   * Why nobody posts the result of a job any more, once its run at the orchestrator has ended; undefined while that goes on. Throws
   * `not_found` where there is no such run, `upstream_failed` and `upstream_timeout`.
   */
  ended(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/** How the routes are kept that compute regions for whoever asks. */
export interface WorkServiceOptions {
  /** Callers have to send this text; default: none is asked for. */
  readonly secret?: string;
  /** Addresses, and ranges of them such as 10.0.0.0/8, that may call; default: all. */
  readonly addresses?: readonly string[];
  /** Computations at a time of calls that no run of ours stands behind; those of all servers on one database together. */
  readonly atOnce?: number;
  /** How many further ones wait for their turn before the next is refused (429). */
  readonly waiting?: number;
  /** Largest region, km2. */
  readonly maxKm2?: number;
  /** Where jobs are handed to; absent: none is taken (503). */
  readonly jobs?: JobTrigger;
  /** Runs of the workflow that callers of `/api/dag/run` may have unfinished, all together; one more is refused (429). */
  readonly workflowRuns?: number;
  /** Pause between looks at the runs of jobs that are unfinished, ms. */
  readonly lookMs?: number;
}

/** What holds where nothing else is set. */
export const WORK_SERVICE = {
  atOnce: 2,
  waiting: 20,
  maxKm2: REGION_LIMITS.maxKm2,
  workflowRuns: 20,
  lookMs: 4000,
} as const;

/** What handlers go by. */
export interface WorkService {
  /** Runs without owner that may be queued or running. */
  readonly mostOpen: number;
  readonly maxKm2: number;
  readonly jobs: JobTrigger | undefined;
  readonly workflowRuns: number;
  readonly lookMs: number;
}

/** The settings with defaults filled in. Throws where one is no number that it could be. */
export function workService({ jobs, ...given }: WorkServiceOptions): WorkService & { readonly atOnce: number } {
  const { atOnce, waiting, maxKm2, workflowRuns, lookMs } = { ...WORK_SERVICE, ...given };
  for (const [name, most] of Object.entries({ atOnce, workflowRuns })) {
    if (!Number.isSafeInteger(most) || most < 1)
      throw new Error(`workService.${name}: ${most} is not a whole number of at least 1`);
  }
  if (!Number.isSafeInteger(waiting) || waiting < 0)
    throw new Error(`workService.waiting: ${waiting} is not a whole number of at least 0`);
  for (const [name, number] of Object.entries({ maxKm2, lookMs })) {
    if (!(number > 0)) throw new Error(`workService.${name}: ${number} is not a number above 0`);
  }
  return { atOnce, mostOpen: atOnce + waiting, maxKm2, jobs, workflowRuns, lookMs };
}
