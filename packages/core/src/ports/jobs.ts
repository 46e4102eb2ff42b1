/** A unit of work for an orchestrator, which posts the result. Times are ISO 8601 UTC. */
export interface Job {
  /** Unguessable id: any caller that has it may read the job. */
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
  /** Maximum number of unfinished jobs that have the same parameters as the new job. */
  readonly mostAlike?: number;
  /** Maximum number of ended jobs. If there are more, a new job removes the jobs that ended first. */
  readonly mostEnded: number;
  /** Maximum age of jobs of any kind, ms. A new job removes older jobs. */
  readonly keepMs: number;
}

/** Store of jobs. Every method is atomic; all times come from the store's own clock. */
export interface JobStore {
  /**
   * Stores an unfinished job. Throws `throttled` if the job would exceed `mostOpen` or `mostAlike`. Concurrent calls
   * cannot exceed these limits either.
   */
  add(job: Pick<Job, 'id' | 'op' | 'params'>, limits: JobLimits): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  /** Returns the unfinished jobs, oldest first, without their parameters. */
  open(): Promise<readonly Pick<Job, 'id' | 'op' | 'createdAt'>[]>;
  /** Changes the id of an unfinished job. Does nothing if there is no such job or the new id is in use. */
  rename(id: string, to: string): Promise<void>;
  /**
   * Stores the outcome of a job. Returns `finished` for an ended job, `unknown` for an unknown job. If the ended jobs
   * of this job's kind (`op`) have more than `mostBytes`, removes the oldest of them.
   */
  finish(id: string, outcome: JobOutcome, mostBytes?: number): Promise<'stored' | 'finished' | 'unknown'>;
}
