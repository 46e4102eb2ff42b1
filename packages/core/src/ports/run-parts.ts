import type { Run, RunFailure } from './runs.ts';

/** Parameters of a part of a run: one tehsil of the district or state that the run computes. */
export interface NewRunPart {
  readonly tehsilId: number;
  /** Expected work, in any unit that is the same for all parts of the run, such as km2. */
  readonly work: number;
  /** The run that already has the result of this part; absent = the part is not started. */
  readonly runId?: string;
}

/** The run that computes a part, or the reason why it could not be started. */
export type PartResult =
  | {
      readonly runId: string;
      /** True if the run is the stored result of an earlier request. */ readonly isReused: boolean;
    }
  | { readonly failure: RunFailure };

/** The part at a position, and its result. */
export interface PartChange {
  readonly position: number;
  readonly result: PartResult;
}

/** A stored part of a run. */
export interface RunPart extends Pick<NewRunPart, 'tehsilId' | 'work'> {
  /** Place in the order of computation, from 0. */
  readonly position: number;
  /** The run that computes this part; null before its start, and if it could not be started. */
  readonly runId: string | null;
  readonly isReused: boolean;
  /** True if the part must not be started. */
  readonly isPaused: boolean;
  /** Reason why the part could not be started. */
  readonly failure: RunFailure | null;
  /** Present state of the run `runId`; null if there is none, or if it was removed. */
  readonly run: PartRun | null;
}

/** Present state of the run that computes a part. */
export interface PartRun extends Pick<
  Run,
  'parentId' | 'state' | 'progress' | 'step' | 'error' | 'startedAt' | 'finishedAt'
> {
  /** True if a worker has claimed this run or a run that it requested. */
  readonly isBegun: boolean;
}
