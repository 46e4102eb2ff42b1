import type { RunIds } from '../api/orchestrator-api.ts';
import type { DagRun, RunState } from '../model/orchestrator.ts';
import type { StallDiagnosis } from '../model/run-report.ts';

/** Numbers of requests in one pass over the watched runs. */
export interface PassNote {
  readonly listCalls: number;
  /** GETs of single runs. */
  readonly runCalls: number;
}

/** A change of a run's state. */
export interface RunChange extends RunIds {
  readonly state: RunState;
  readonly run: DagRun;
}

/** Events of a watcher. */
export interface WatcherEvents {
  /** A run has started or was queued again. */
  readonly change: (change: RunChange) => void;
  /** A run has ended and is no longer watched. */
  readonly finished: (change: RunChange) => void;
  /** The run does not exist and is no longer watched. */
  readonly gone: (ids: RunIds) => void;
  /** A run stays `queued`. The event is emitted once, and the run is still watched. */
  readonly stalled: (diagnosis: StallDiagnosis) => void;
  /** The first error of a pass, or an error of a listener. The next pass repeats the failed requests. */
  readonly problem: (error: unknown) => void;
  /** End of a complete pass. */
  readonly pass: (note: PassNote) => void;
}

/** Name and arguments of an event. */
export type WatcherEvent = {
  [Name in keyof WatcherEvents]: [Name, ...Parameters<WatcherEvents[Name]>];
}[keyof WatcherEvents];
