import { REGION_LIMITS } from '@headwater/core/places';
import { WORKER_DEFAULTS } from '@headwater/core/runs';
import { type AttemptDeps, createAttempts } from '@headwater/identity';
import type { WorkCaller } from './callers.ts';

/** A job for an orchestrator. The orchestrator posts the result to the service. */
export interface NewJob {
  /** Id of the job. The run at the orchestrator has the same id. */
  readonly id: string;
  /**
   * Secret id with which the workflow posts the result (`run_id` in its conf). Callers do not know it, so they cannot
   * end jobs.
   */
  readonly secretId: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Starts jobs at an orchestrator, and checks if they have ended. */
export interface JobTrigger {
  /** Resolves after the orchestrator has accepted the job. Throws `upstream_failed` and `upstream_timeout`. */
  trigger(job: NewJob, signal: AbortSignal): Promise<void>;
  /**
   * Returns the reason if no result will be posted; undefined while the run continues. Throws `not_found`,
   * `upstream_failed` and `upstream_timeout`.
   */
  ended(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Options of the work service, which computes regions for callers without an account. */
export interface WorkServiceOptions {
  /** Shared secret that callers without an account must send; default: none. */
  readonly secret?: string;
  /**
   * Addresses, or ranges of addresses, whose clients may call without an account. Default: all if `secret` is
   * set, otherwise loopback and private addresses.
   */
  readonly addresses?: readonly string[];
  /**
   * Maximum number of regions that the work service computes at the same time, summed over all servers of a database.
   */
  readonly atOnce?: number;
  /** Maximum number of waiting computations. Above this number, requests get 429. */
  readonly waiting?: number;
  /** Maximum number of unfinished computations of one address. Calls with the secret or an account do not count. */
  readonly perAddress?: number;
  /** Maximum area of a region, km2, for private addresses and for calls with the secret or an account. */
  readonly maxKm2?: number;
  /** Maximum area of a region for all other callers, km2; at most `maxKm2`. */
  readonly publicMaxKm2?: number;
  /** Orchestrator for jobs. If absent, jobs get 503. */
  readonly jobs?: JobTrigger;
  /** Maximum number of jobs of one address (IPv6: one /64) in ten minutes. Above this number, requests get 429. */
  readonly jobsPerAddress?: number;
  /** Maximum number of unfinished runs of `/api/dag/run`. Above this number, requests get 429. */
  readonly workflowRuns?: number;
  /** Members that the conf of a workflow run may have. Default: all members. */
  readonly confMembers?: readonly string[];
  /** Interval between two checks of unfinished jobs and workflow runs, ms. */
  readonly lookMs?: number;
  /** Time for which a region is stored after its last publication, ms; 0: for ever. */
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

/** Maximum numbers of waiting calls without an account: of all callers, and of one caller. A further call gets 202. */
export const WAITING_ANSWERS = { inAll: 50, perKey: 5 } as const;

/** Settings for handlers. */
export interface WorkService {
  /** Maximum number of unfinished runs of the work service, which have no owner. */
  readonly mostOpen: number;
  /**
   * Maximum number of unfinished runs of one address. Its workflow runs are counted separately, with the same limit.
   */
  readonly perAddress: number;
  readonly maxKm2: number;
  readonly publicMaxKm2: number;
  readonly jobs: JobTrigger | undefined;
  readonly jobsPerAddress: number;
  readonly workflowRuns: number;
  /** Members that the conf of a workflow run may have. If empty, all members. */
  readonly confMembers: readonly string[];
  readonly lookMs: number;
  readonly keepRegionsMs: number;
}

/** Fills in the default settings. Throws if a setting is not a valid number. */
export function workService({
  jobs,
  confMembers = [],
  ...options
}: WorkServiceOptions): WorkService & { readonly atOnce: number } {
  const settings = { ...WORK_SERVICE, ...options };
  const { atOnce, waiting, perAddress, maxKm2, publicMaxKm2, jobsPerAddress, workflowRuns, lookMs } = settings;
  for (const [name, most] of Object.entries({ atOnce, perAddress, jobsPerAddress, workflowRuns })) {
    if (!Number.isSafeInteger(most) || most < 1)
      throw new Error(`workService.${name}: ${most} is not allowed; give a whole number of 1 or more`);
  }
  if (!Number.isSafeInteger(waiting) || waiting < 0)
    throw new Error(`workService.waiting: ${waiting} is not allowed; give a whole number of 0 or more`);
  for (const [name, number] of Object.entries({ maxKm2, publicMaxKm2, lookMs })) {
    if (!(number > 0)) throw new Error(`workService.${name}: ${number} is not allowed; give a number above 0`);
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

/**
 * Creates a function that counts the jobs of a caller on all servers of a database. The function throws `throttled`
 * above `jobsPerAddress`.
 */
export function jobCount(
  { jobsPerAddress: most }: WorkService,
  deps: AttemptDeps,
): (caller: WorkCaller['key']) => Promise<void> {
  const count = createAttempts(deps, { windowMs: TEN_MINUTES_MS, most, problem: 'Too many jobs from this address' });
  return (caller) => count(`job ${caller}`);
}
