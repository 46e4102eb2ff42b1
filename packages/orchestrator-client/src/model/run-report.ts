import type { RunState, TaskInstance, Wellness } from './orchestrator.ts';

/** Possible reasons why a run stays `queued`. */
export interface StallDiagnosis {
  readonly dagId: string;
  readonly runId: string;
  /** Time in the queue, ms. */
  readonly queuedMs: number;
  /** True if paused; null if the DAG could not be read. */
  readonly isPaused: boolean | null;
  readonly isActive: boolean | null;
  readonly hasImportErrors: boolean | null;
  /** State of the scheduler. It is only a hint: with a SequentialExecutor it is `unhealthy` during a long task. */
  readonly scheduler: Wellness;
  /** Running runs of the DAG, and their maximum; null if unknown. */
  readonly activeRuns: number | null;
  readonly maxActiveRuns: number | null;
  /** Remedies, the most likely first. */
  readonly advice: readonly string[];
}

/** Explanation of a run's state. */
export interface RunReport {
  readonly dagId: string;
  readonly runId: string;
  readonly state: RunState;
  /** Task that failed first; null if none failed. */
  readonly task: TaskInstance | null;
  /** Exception of the first failed task, or other known facts. */
  readonly reason: string;
  /** Lines of the task's log, if any. */
  readonly excerpt: string;
  /** Reason why the log could not be read, or why the orchestrator offers no tasks; otherwise null. */
  readonly logProblem: string | null;
  /** Tasks that failed, or did not start because another task failed. */
  readonly failed: readonly TaskInstance[];
}
