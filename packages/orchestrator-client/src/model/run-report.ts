import type { RunState, TaskInstance, Wellness } from './orchestrator.ts';

/** Possible reasons why a run stays `queued`. */
export interface StallDiagnosis {
  readonly dagId: string;
  readonly runId: string;
  /** Time since the run was first seen queued, ms. */
  readonly queuedMs: number;
  /** True if the DAG is paused; null if the DAG could not be read. */
  readonly isPaused: boolean | null;
  readonly isActive: boolean | null;
  readonly hasImportErrors: boolean | null;
  /** Only a hint, because a SequentialExecutor is `unhealthy` while it runs one long task. */
  readonly scheduler: Wellness;
  /** Number of the DAG's running runs, and their maximum; null if unknown. */
  readonly activeRuns: number | null;
  readonly maxActiveRuns: number | null;
  /** Remedies, the most likely first. */
  readonly advice: readonly string[];
}

/** Explanation of a run's state: the failed task, its error and an excerpt of its log. */
export interface RunReport {
  readonly dagId: string;
  readonly runId: string;
  readonly state: RunState;
  /** The task that failed first; null if none failed. */
  readonly task: TaskInstance | null;
  /** One or a few lines: the exception of the task that failed first, or other known facts. */
  readonly reason: string;
  /** Lines of the task's log; empty without a log. */
  readonly excerpt: string;
  /** Error of reading the tasks or the task's log; null if the log was read, or if no task failed. */
  readonly logProblem: string | null;
  /** Every task that failed, or could not start because another task had failed. */
  readonly failed: readonly TaskInstance[];
}
