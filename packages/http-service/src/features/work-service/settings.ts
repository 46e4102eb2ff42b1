import { REGION_LIMITS } from '@headwater/core/places';
import { WORKER_DEFAULTS } from '@headwater/core/runs';
import { type AttemptDeps, createAttempts } from '@headwater/identity';
import type { WorkCaller } from './callers.ts';

/** A job for an orchestrator, which posts the result to the service. */
export interface NewJob {
  /** Id of the job, and of the run at the orchestrator. */
  readonly id: string;
  /** Id under which the workflow posts the result (`run_id` in its conf). Callers never receive this id. */
  readonly secretId: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Starts jobs at an orchestrator, and checks if they have ended. */
export interface JobTrigger {
  /** Resolves after the orchestrator has accepted the job. Throws `upstream_failed` and `upstream_timeout`. */
  trigger(job: NewJob, signal: AbortSignal): Promise<void>;
  /**
   * Reason why no result will be posted; undefined while the run continues. Throws `not_found`, `upstream_failed` and
   * `upstream_timeout`.
   */
  ended(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Options of the work service: the routes that compute regions for callers without an account. */
export interface WorkServiceOptions {
  /** Shared secret that callers must send; default: none. */
  readonly secret?: string;
  /**
   * Addresses and ranges of clients. Default: all with a secret, otherwise loopback and private addresses. Accounts
   * that may compute can always call.
   */
  readonly addresses?: readonly string[];
  /** Maximum number of regions at a time without account, on all servers of a database. */
  readonly atOnce?: number;
  /** Maximum number of waiting computations; above it, requests get 429. */
  readonly waiting?: number;
  /** Maximum number of unfinished computations of one address, without trusted calls (secret or account). */
  readonly perAddress?: number;
  /** Maximum area of a region, km2, for trusted calls and private addresses. */
  readonly maxKm2?: number;
  /** Maximum area of a region for all other callers, km2; at most `maxKm2`. */
  readonly publicMaxKm2?: number;
  /** Orchestrator for jobs. If absent, jobs get 503. */
  readonly jobs?: JobTrigger;
  /** Jobs of one address (IPv6: one /64) within ten minutes; above it, requests get 429. */
  readonly jobsPerAddress?: number;
  /** Maximum number of unfinished workflow runs of `/api/dag/run`; above it, requests get 429. */
  readonly workflowRuns?: number;
  /** Permitted members of a workflow run's conf; empty (default): all. */
  readonly confMembers?: readonly string[];
  /** Interval of the checks of unfinished jobs, ms. */
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

/** Maximum number of calls without account that wait for a run. A further call gets 202 at once. */
export const WAITING_ANSWERS = { inAll: 50, perKey: 5 } as const;

/** Settings for handlers. */
export interface WorkService {
  /** Maximum number of unfinished runs without owner. */
  readonly mostOpen: number;
  /** Maximum number of unfinished runs and workflow runs of one address. */
  readonly perAddress: number;
  readonly maxKm2: number;
  readonly publicMaxKm2: number;
  readonly jobs: JobTrigger | undefined;
  readonly jobsPerAddress: number;
  readonly workflowRuns: number;
  /** Permitted members of a workflow run's conf; empty: all. */
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

/** Creates a function that counts the jobs of each caller on all servers of a database. */
export function jobCount(
  { jobsPerAddress: most }: WorkService,
  deps: AttemptDeps,
): (caller: WorkCaller['key']) => Promise<void> {
  const count = createAttempts(deps, { windowMs: TEN_MINUTES_MS, most, problem: 'Too many jobs from this address' });
  return (caller) => count(`job ${caller}`);
}
