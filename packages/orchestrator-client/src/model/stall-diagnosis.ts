import type { Wellness } from './orchestrator.ts';

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
