/** States of a run. */
export const RUN_STATES = ['queued', 'running', 'success', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** A DAG run as the orchestrator tells it; times are its own, ISO 8601. */
export interface DagRun {
  readonly dagId: string;
  readonly runId: string;
  readonly state: RunState;
  readonly conf: Readonly<Record<string, unknown>>;
  readonly logicalDate: string | null;
  /** When it was made: Airflow 3 tells when it was queued, of Airflow 2 the logical date is the nearest. */
  readonly createdDate: string | null;
  /** `manual` for a run that was triggered. */
  readonly runType: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** Last look of the scheduler at an unfinished run. */
  readonly lastSchedulingDecision: string | null;
}

/** A task of a run. */
export interface TaskInstance {
  readonly taskId: string;
  /** -1 for a task that is not mapped. */
  readonly mapIndex: number;
  /** Null before the scheduler has looked at it. */
  readonly state: string | null;
  /** Last try, from 1; 0 for a task that never started. */
  readonly tryNumber: number;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/** A DAG's own facts. */
export interface Dag {
  readonly dagId: string;
  readonly isPaused: boolean;
  /** False where its file has gone; null where the orchestrator does not tell (Airflow 3 tells `is_stale`). */
  readonly isActive: boolean | null;
  readonly hasImportErrors: boolean;
  readonly maxActiveRuns: number | null;
  readonly lastParsedTime: string | null;
}

/** The state of one part of the orchestrator; null = it has no such part or does not tell. */
export type Wellness = 'healthy' | 'unhealthy' | null;

/** Health as the orchestrator tells it. */
export interface Health {
  readonly metadatabase: Wellness;
  /** Also `unhealthy` while a SequentialExecutor runs one long task. */
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
