/** A piece of work that an orchestrator does and posts the result of. Times are ISO 8601 UTC. */
export interface Job {
  /** Unguessable: any caller that has the id may read the job. */
  readonly id: string;
  /** Kind of work, e.g. `export`. */
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Null until it is posted. */
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
  /** Maximum number of unfinished jobs with the parameters of the new one; default: no maximum. */
  readonly mostAlike?: number;
  /** Maximum number of ended jobs: those that ended first are removed when the next job is added. */
  readonly mostEnded: number;
  /** Maximum age of jobs of any kind, ms: older ones are removed when the next job is added. */
  readonly keepMs: number;
}

/** Jobs that wait for their result, and jobs that have one. Every method is atomic; times come from the store's own clock. */
export interface JobStore {
  /**
   * Stores an unfinished job. Throws `throttled` and stores nothing if its `op` would have more than `mostOpen` or `mostAlike`, also when several are
   * added at once.
   */
  add(job: Pick<Job, 'id' | 'op' | 'params'>, limits: JobLimits): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  /** Unfinished jobs, oldest first, without their parameters. */
  open(): Promise<readonly Pick<Job, 'id' | 'op' | 'createdAt'>[]>;
  /** Stores an unfinished job under another id from now on. Does nothing if there is no such job or the new id is taken. */
  rename(id: string, to: string): Promise<void>;
  /**
   * Stores the outcome of a job, once: returns `finished` if it already has one, `unknown` if there is no such job. If the ended jobs of its
   * `op` then take more than `mostBytes` as stored (default: no limit), those that ended first are removed, but never this one.
   */
  finish(id: string, outcome: JobOutcome, mostBytes?: number): Promise<'stored' | 'finished' | 'unknown'>;
}
