import { REGION_LIMITS } from '@headwater/core/places';
import { WORKER_DEFAULTS } from '@headwater/core/runs';
import { type AttemptDeps, createAttempts } from '@headwater/identity';
import type { WorkCaller } from './callers.ts';

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
  /**
   * Addresses, and ranges of them such as 10.0.0.0/8, that may call; default: all with the secret if one is set, otherwise loopback and
   * private addresses. Accounts that may compute can always call, with their bearer token.
   */
  readonly addresses?: readonly string[];
  /** Maximum number of regions that are computed at a time for calls without an account, over all servers on one database. */
  readonly atOnce?: number;
  /** Number of computations that may wait before the next is refused (429). */
  readonly waiting?: number;
  /**
   * Limit of running and waiting computations of one address; calls with the secret, or with the token of an account that may compute, do
   * not count.
   */
  readonly perAddress?: number;
  /** Largest region, km2, of callers at loopback and private addresses, with the secret, or with such a token. */
  readonly maxKm2?: number;
  /** Largest region of all other callers, km2; at most `maxKm2`. */
  readonly publicMaxKm2?: number;
  /** Orchestrator for jobs; absent: jobs are refused (503). */
  readonly jobs?: JobTrigger;
  /** Jobs that one address (IPv6: one /64) may start within ten minutes; one more is refused (429). */
  readonly jobsPerAddress?: number;
  /**
   * Limit of unfinished runs of the workflow that callers of `/api/dag/run` started; one more is refused (429). Those of one address have
   * the limit `perAddress`.
   */
  readonly workflowRuns?: number;
  /** Names of the members that the conf of such a run may have; default, and if empty: any. */
  readonly confMembers?: readonly string[];
  /** Interval of checks of the runs of unfinished jobs, ms. */
  readonly lookMs?: number;
  /** Time for which a region stays after its last publication, ms; 0 = for ever. */
  readonly keepRegionsMs?: number;
}

/** Default options. */
export const WORK_SERVICE = {
  atOnce: 2,
  waiting: 20,
  perAddress: 5,
  maxKm2: REGION_LIMITS.maxKm2,
  publicMaxKm2: 500,
  jobsPerAddress: 30,
  workflowRuns: 20,
  lookMs: 4000,
  keepRegionsMs: WORKER_DEFAULTS.keepRegionsMs,
} as const;

/** Limits of calls that wait for the end of a run without an account, in this process; further calls get 202 at once. */
export const WAITING_ANSWERS = { inAll: 50, perKey: 5 } as const;

/** Settings for handlers. */
export interface WorkService {
  /** Limit of runs without owner that are queued or running. */
  readonly mostOpen: number;
  /** Limit of such runs from one address, and of unfinished workflow runs from one address. */
  readonly perAddress: number;
  readonly maxKm2: number;
  readonly publicMaxKm2: number;
  readonly jobs: JobTrigger | undefined;
  readonly jobsPerAddress: number;
  readonly workflowRuns: number;
  /** Names of the members that the conf of a workflow run may have; empty: any. */
  readonly confMembers: readonly string[];
  readonly lookMs: number;
  readonly keepRegionsMs: number;
}

/** Fills in the default settings. Throws if one is not a valid number. */
export function workService({
  jobs,
  confMembers = [],
  ...options
}: WorkServiceOptions): WorkService & { readonly atOnce: number } {
  const settings = { ...WORK_SERVICE, ...options };
  const { atOnce, waiting, perAddress, maxKm2, publicMaxKm2, jobsPerAddress, workflowRuns, lookMs } = settings;
  for (const [name, most] of Object.entries({ atOnce, perAddress, jobsPerAddress, workflowRuns })) {
    if (!Number.isSafeInteger(most) || most < 1)
      throw new Error(`workService.${name}: ${most} is not a whole number of at least 1`);
  }
  if (!Number.isSafeInteger(waiting) || waiting < 0)
    throw new Error(`workService.waiting: ${waiting} is not a whole number of at least 0`);
  for (const [name, number] of Object.entries({ maxKm2, publicMaxKm2, lookMs })) {
    if (!(number > 0)) throw new Error(`workService.${name}: ${number} is not a number above 0`);
  }
  return {
    atOnce,
    mostOpen: atOnce + waiting,
    perAddress,
    maxKm2,
    publicMaxKm2,
    jobs,
    jobsPerAddress,
    workflowRuns,
    confMembers,
    lookMs,
    keepRegionsMs: settings.keepRegionsMs,
  };
}

const TEN_MINUTES_MS = 600_000;

/** Creates the count of jobs that each caller starts; all servers on one database share it. */
export function jobCount(
  { jobsPerAddress: most }: WorkService,
  deps: AttemptDeps,
): (caller: WorkCaller['key']) => Promise<void> {
  const count = createAttempts(deps, { windowMs: TEN_MINUTES_MS, most, problem: 'Too many jobs from this address' });
  return (caller) => count(`job ${caller}`);
}
