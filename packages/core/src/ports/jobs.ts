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

/** How many jobs of one kind (`op`) are kept. */
export interface JobLimits {
  /** Unfinished ones. */
  readonly mostOpen: number;
  /** Ended ones: those that ended earliest go when the next job comes. */
  readonly mostEnded: number;
  /** Jobs of any kind that came longer ago go when the next one comes, ms. */
  readonly keepMs: number;
}

/** Jobs that wait for their result, and those that have it. Every method is atomic; times come from the store's own clock. */
export interface JobStore {
  /**
   * Stores an unfinished job. Throws `throttled`, and stores nothing, where it would be one more of its `op` than `mostOpen`, also of
   * several at once.
   */
  add(job: Pick<Job, 'id' | 'op' | 'params'>, limits: JobLimits): Promise<void>;
  get(id: string): Promise<Job | undefined>;
  /** Those that are unfinished, oldest first, without what was asked of them. */
  open(): Promise<readonly Pick<Job, 'id' | 'op' | 'createdAt'>[]>;
  /** Keeps an unfinished job under another id from now on; nothing happens where there is none, or where that id is taken. */
  rename(id: string, to: string): Promise<void>;
  /** Stores how a job ended, once: `finished` where that is known already, `unknown` where there is no such job. */
  finish(id: string, outcome: JobOutcome): Promise<'stored' | 'finished' | 'unknown'>;
}
