/** A unit of work for an orchestrator, which posts the result. Times are ISO 8601 UTC. */
export interface Job {
  /** Id that cannot be guessed, because any caller that has it may read the job. */
  readonly id: string;
  /** Kind of work, e.g. `export`. */
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Result of the job; null until it is posted. */
  readonly outcome: JobOutcome | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

/** Result or error of a job. */
export type JobOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: string };

/** Limits on stored jobs of one kind (`op`). */
export interface JobLimits {
  /** Maximum number of unfinished jobs. */
  readonly mostOpen: number;
  /** Maximum number of unfinished jobs that have the same parameters as the new job; default: no maximum. */
  readonly mostAlike?: number;
  /** Maximum number of ended jobs. When a job is added and there are more ended jobs, the jobs that ended first are removed. */
  readonly mostEnded: number;
  /** Maximum age of jobs of any kind, ms. Older jobs are removed when the next job is added. */
  readonly keepMs: number;
}

/**
 * Store of jobs that wait for their result, and of jobs that have a result. Every method is atomic; all times come from
 * the store's own clock.
 */
export interface JobStore {
  /**
   * Stores an unfinished job. Throws `throttled` and stores nothing if the `op` of the job would then have more jobs than `mostOpen` or
   * `mostAlike` allows. Concurrent calls cannot exceed these limits either.
   */
  add(job: Pick<Job, 'id' | 'op' | 'params'>, limits: JobLimits): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  /** Returns the unfinished jobs, oldest first, without their parameters. */
  open(): Promise<readonly Pick<Job, 'id' | 'op' | 'createdAt'>[]>;
  /** Changes the id of an unfinished job. Does nothing if there is no such job or the new id is in use. */
  rename(id: string, to: string): Promise<void>;
  /**
   * Stores the outcome of a job. Returns `finished` if the job already has an outcome, and `unknown` if there is no such job. If the ended
   * jobs of the same `op` then use more than `mostBytes` of storage (default: no limit), the jobs that ended first are removed, but never the
   * given job.
   */
  finish(id: string, outcome: JobOutcome, mostBytes?: number): Promise<'stored' | 'finished' | 'unknown'>;
}
