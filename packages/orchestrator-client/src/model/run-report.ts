import type { RunState, TaskInstance, Wellness } from './orchestrator.ts';

/** Why a run may stay `queued`. */
export interface StallDiagnosis {
  readonly dagId: string;
  readonly runId: string;
  /** How long it has been seen queued, ms. */
  readonly queuedMs: number;
  /** Null where the DAG could not be read. */
  readonly isPaused: boolean | null;
  readonly isActive: boolean | null;
  readonly hasImportErrors: boolean | null;
  /** A hint only: a SequentialExecutor is `unhealthy` while it runs one long task. */
  readonly scheduler: Wellness;
  /** Runs of the DAG that run now, and how many may; null where not known. */
  readonly activeRuns: number | null;
  readonly maxActiveRuns: number | null;
  /** What a person can do, the likeliest first. */
  readonly advice: readonly string[];
}

/** Why a run is as it is: which task failed, why, and an excerpt of its log. */
export interface RunReport {
  readonly dagId: string;
  readonly runId: string;
  readonly state: RunState;
  /** The task whose failure came first; null where none failed. */
  readonly task: TaskInstance | null;
  /** One line or a few: the exception of that task, or what else is known. */
  readonly reason: string;
  /** Lines of its log; empty where there is none. */
  readonly excerpt: string;
  /** Why its log could not be read; null where it was read, or where no task failed. */
  readonly logProblem: string | null;
  /** Every task that failed, or could not start because another had failed. */
  readonly failed: readonly TaskInstance[];
}
