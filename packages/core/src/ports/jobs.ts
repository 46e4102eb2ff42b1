/** A piece of work that an orchestrator does and posts the result of. Times are ISO 8601 UTC. */
export interface Job {
  /** Nobody can guess it: whoever knows it may post the result. */
  readonly id: string;
  /** What is done, e.g. `export`. */
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Null until it is posted. */
  readonly outcome: JobOutcome | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

/** How a job ended. */
export type JobOutcome =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: string };

/** How many jobs are kept. */
export interface JobLimits {
  /** Unfinished ones. */
  readonly mostOpen: number;
  /** Ended ones: those that ended earliest go when the next job comes. */
  readonly mostEnded: number;
  /** Jobs that came longer ago go when the next one comes, ms. */
  readonly keepMs: number;
}

/** Jobs that wait for their result, and those that have it. Every method is atomic; times come from the store's own clock. */
export interface JobStore {
  /** Stores an unfinished job. Throws `throttled`, and stores nothing, where it would be one more than `mostOpen`, also of several at once. */
  add(job: Pick<Job, 'id' | 'op' | 'params'>, limits: JobLimits): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  /** Stores how a job ended, once: `finished` where that is known already, `unknown` where there is no such job. */
  finish(id: string, outcome: JobOutcome): Promise<'stored' | 'finished' | 'unknown'>;
}
