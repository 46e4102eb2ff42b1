import type { RunState, TaskInstance } from './orchestrator.ts';

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
