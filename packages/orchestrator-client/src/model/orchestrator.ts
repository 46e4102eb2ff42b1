/** States of a run. */
export const RUN_STATES = ['queued', 'running', 'success', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A DAG run; times are of the orchestrator's clock, ISO 8601. */
export interface DagRun {
  readonly dagId: string;
  readonly runId: string;
  readonly state: RunState;
  readonly conf: Readonly<Record<string, unknown>>;
  readonly logicalDate: string | null;
  /** Queueing time on Airflow 3; logical date on Airflow 2. */
  readonly createdDate: string | null;
  /** `manual` for a triggered run. */
  readonly runType: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** Last check of an unfinished run by the scheduler. */
  readonly lastSchedulingDecision: string | null;
}

/** A task of a run. */
export interface TaskInstance {
  readonly taskId: string;
  /** -1 for a task that is not mapped. */
  readonly mapIndex: number;
  /** State of the task; null before the scheduler has handled the task. */
  readonly state: string | null;
  /** Last try, from 1; 0 if the task never started. */
  readonly tryNumber: number;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** Properties of a DAG. */
export interface Dag {
  readonly dagId: string;
  readonly isPaused: boolean;
  /** False if the DAG's file is gone; null if unknown. Airflow 3 sends the opposite, `is_stale`. */
  readonly isActive: boolean | null;
  readonly hasImportErrors: boolean;
  readonly maxActiveRuns: number | null;
  readonly lastParsedTime: string | null;
}

/** State of a part of the orchestrator; null if it is not reported, or if there is no such part. */
export type Wellness = 'healthy' | 'unhealthy' | null;

/** Health as the orchestrator reports it. */
export interface Health {
  readonly metadatabase: Wellness;
  /** State of the scheduler. It is also `unhealthy` while a SequentialExecutor runs a long task. */
  readonly scheduler: Wellness;
  readonly latestSchedulerHeartbeat: string | null;
  readonly triggerer: Wellness;
  readonly dagProcessor: Wellness;
}

/** A DAG file that could not be imported. */
export interface ImportFault {
  readonly filename: string;
  readonly stackTrace: string;
  readonly timestamp: string | null;
}
