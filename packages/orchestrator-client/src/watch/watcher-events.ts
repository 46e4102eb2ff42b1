import type { RunIds } from '../api/orchestrator-api.ts';
import type { DagRun, RunState } from '../model/orchestrator.ts';
import type { StallDiagnosis } from '../model/run-report.ts';

/** What one pass cost. */
export interface PassNote {
  readonly listCalls: number;
  /** GETs of single runs. */
  readonly runCalls: number;
}

/** A run whose state is another than was last told. */
export interface RunChange extends RunIds {
  readonly state: RunState;
  readonly run: DagRun;
}

/** What a watcher tells. */
export interface WatcherEvents {
  /** A run has begun, or was put back into the queue. */
  readonly change: (change: RunChange) => void;
  /** A run has ended, `success` or `failed`: told once, and the run is not watched any more. */
  readonly finished: (change: RunChange) => void;
  /** A run that the orchestrator does not know (any more); it is not watched any more. */
  readonly gone: (ids: RunIds) => void;
  /** A run that stays `queued`, told once; it is still watched. */
  readonly stalled: (diagnosis: StallDiagnosis) => void;
  /** A pass, a run of it, or a listener that failed, the first of a pass; the next pass makes up for it. */
  readonly problem: (error: unknown) => void;
  /** The end of a pass that looked at everything it had to. */
  readonly pass: (note: PassNote) => void;
}

/** An event with what it carries. */
export type WatcherEvent = {
  [Name in keyof WatcherEvents]: [Name, ...Parameters<WatcherEvents[Name]>];
}[keyof WatcherEvents];
