import type { RunIds } from '../api/orchestrator-api.ts';
import type { DagRun, RunState } from '../model/orchestrator.ts';
import type { StallDiagnosis } from '../model/run-report.ts';

/** Number of requests of one pass. */
export interface PassNote {
  readonly listCalls: number;
  /** Number of GETs of single runs. */
  readonly runCalls: number;
}

/** A change of a run's state. */
export interface RunChange extends RunIds {
  readonly state: RunState;
  readonly run: DagRun;
}

/** Events of a watcher. */
export interface WatcherEvents {
  /** A run has started, or was queued again. */
  readonly change: (change: RunChange) => void;
  /** A run has ended, `success` or `failed`; emitted once, and the run is no longer watched. */
  readonly finished: (change: RunChange) => void;
  /** The run does not exist at the orchestrator, or no longer exists. The run is no longer watched. */
  readonly gone: (ids: RunIds) => void;
  /** A run stays `queued`; emitted once, and the run is still watched. */
  readonly stalled: (diagnosis: StallDiagnosis) => void;
  /** The first error of a pass, of one of its runs, or of a listener; the next pass repeats the failed part. */
  readonly problem: (error: unknown) => void;
  /** The end of a complete pass. */
  readonly pass: (note: PassNote) => void;
}

/** Name and arguments of an event. */
export type WatcherEvent = {
  [Name in keyof WatcherEvents]: [Name, ...Parameters<WatcherEvents[Name]>];
}[keyof WatcherEvents];
