import { REGION_LIMITS } from '@headwater/core/places';
import { WORKER_DEFAULTS } from '@headwater/core/runs';
import { addressKey, type AttemptDeps, createAttempts } from '@headwater/identity';

/** A job for an orchestrator, which posts its result back. */
export interface NewJob {
  /** Id of the job, and of the run at the orchestrator. */
  readonly id: string;
  /** Id under which the workflow posts the result: `run_id` of its conf. Callers never receive it, so they cannot end jobs. */
  readonly secretId: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Gives jobs to an orchestrator. */
export interface JobTrigger {
  /** Resolves when the orchestrator has accepted the job; throws `upstream_failed` and `upstream_timeout`. */
  trigger(job: NewJob, signal: AbortSignal): Promise<void>;
  /**
   * Returns why no result will be posted, if the run at the orchestrator has ended; undefined while it continues. Throws
   * `not_found` if there is no such run, `upstream_failed` and `upstream_timeout`.
   */
  ended(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Options of the routes that compute regions for any caller. */
export interface WorkServiceOptions {
  /** Shared secret that callers must send; default: none. */
  readonly secret?: string;
  /** Addresses, and ranges of them such as 10.0.0.0/8, that may call; default: all. */
  readonly addresses?: readonly string[];
  /** Concurrency limit of computations without a run of ours, over all servers on one database. */
  readonly atOnce?: number;
  /** Number of computations that may wait before the next is refused (429). */
  readonly waiting?: number;
  /** Largest region, km2. */
  readonly maxKm2?: number;
  /** Orchestrator for jobs; absent: jobs are refused (503). */
  readonly jobs?: JobTrigger;
  /** Jobs that one address (IPv6: one /64) may start within ten minutes; one more is refused (429). */
  readonly jobsPerAddress?: number;
  /** Limit of unfinished runs of the workflow that callers of `/api/dag/run` started; one more is refused (429). */
  readonly workflowRuns?: number;
  /** Interval of checks of the runs of unfinished jobs, ms. */
  readonly lookMs?: number;
  /** Time for which a region stays after its last publication, ms; 0 = for ever. */
  readonly keepRegionsMs?: number;
}

/** Default options. */
export const WORK_SERVICE = {
  atOnce: 2,
  waiting: 20,
  maxKm2: REGION_LIMITS.maxKm2,
  jobsPerAddress: 30,
  workflowRuns: 20,
  lookMs: 4000,
  keepRegionsMs: WORKER_DEFAULTS.keepRegionsMs,
} as const;

/** Settings for handlers. */
export interface WorkService {
  /** Limit of runs without owner that are queued or running. */
  readonly mostOpen: number;
  readonly maxKm2: number;
  readonly jobs: JobTrigger | undefined;
  readonly jobsPerAddress: number;
  readonly workflowRuns: number;
  readonly lookMs: number;
  readonly keepRegionsMs: number;
}

/** Fills in the default settings. Throws if one is not a valid number. */
export function workService({ jobs, ...options }: WorkServiceOptions): WorkService & { readonly atOnce: number } {
  const { atOnce, waiting, maxKm2, jobsPerAddress, workflowRuns, lookMs, keepRegionsMs } = {
    ...WORK_SERVICE,
    ...options,
  };
  for (const [name, most] of Object.entries({ atOnce, jobsPerAddress, workflowRuns })) {
    if (!Number.isSafeInteger(most) || most < 1)
      throw new Error(`workService.${name}: ${most} is not a whole number of at least 1`);
  }
  if (!Number.isSafeInteger(waiting) || waiting < 0)
    throw new Error(`workService.waiting: ${waiting} is not a whole number of at least 0`);
  for (const [name, number] of Object.entries({ maxKm2, lookMs })) {
    if (!(number > 0)) throw new Error(`workService.${name}: ${number} is not a number above 0`);
  }
  return { atOnce, mostOpen: atOnce + waiting, maxKm2, jobs, jobsPerAddress, workflowRuns, lookMs, keepRegionsMs };
}

const TEN_MINUTES_MS = 600_000;

/** Creates the count of jobs that each address starts; all servers on one database share it. */
export function jobCount(
  { jobsPerAddress: most }: WorkService,
  deps: AttemptDeps,
): (remoteAddress: string | undefined) => Promise<void> {
  const count = createAttempts(deps, { windowMs: TEN_MINUTES_MS, most, problem: 'Too many jobs from this address' });
  return (address) => count(`job ${address === undefined ? '' : addressKey(address)}`);
}
