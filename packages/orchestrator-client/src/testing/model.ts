import type { RunState } from '../model/orchestrator.ts';

/** Context of a task. */
export interface FakeContext {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  /** Number of the try, from 1. */
  readonly tryNumber: number;
  readonly conf: Readonly<Record<string, unknown>>;
  /** This instance's element of `mapped`; undefined if the task is not mapped. */
  readonly item: unknown;
  /** Aborts if the run is ended from outside. */
  readonly signal: AbortSignal;
  /** Writes a line to the task's log. */
  readonly print: (line: string) => void;
  /** POSTs JSON as a callback does; returns the JSON response. Throws from status 400 on. */
  readonly post: (url: string, body: unknown) => Promise<unknown>;
  /** Ends the task as `skipped`, like a branch that was not chosen; later tasks are executed. */
  readonly skip: () => never;
}

/** A task; `run` returns its result, or throws. */
export interface FakeTask {
  readonly id: string;
  readonly run: (context: FakeContext) => unknown;
  /** True for a task that runs a command: the log shows `subprocess.py` as the source of its printed lines. */
  readonly isCommand?: boolean;
  /** Further tries after a failure, each with its own log. Default: 0. */
  readonly retries?: number;
  /** Elements with one task instance each; absent: not mapped. */
  readonly mapped?: readonly unknown[];
}

/** A DAG with tasks in sequence. Tasks after a failed task are `upstream_failed`. */
export interface FakeDag {
  readonly id: string;
  readonly tasks: readonly FakeTask[];
  readonly isPaused?: boolean;
  /** Maximum number of active runs. Default: 16. */
  readonly maxActiveRuns?: number;
  /** False: the DAG's file is gone; triggers return 404. */
  readonly isActive?: boolean;
  /** Stack trace of the failed import; triggers return 400. */
  readonly importError?: string;
  /** True: runs keep the state of `setState`, and no task is run. */
  readonly isManual?: boolean;
}

/** A user of basic authentication (Airflow 2) or of `POST /auth/token` (Airflow 3); a `Viewer` may only read. */
export interface FakeUser {
  readonly password: string;
  readonly role: 'Admin' | 'User' | 'Viewer';
}

/** A fault of a request. */
export type Fault =
  /** Response with this status; the request is not executed. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** Connection breaks; the request is not executed. */
  | { readonly kind: 'reset' }
  /** The request is executed; the response is lost. */
  | { readonly kind: 'lost' }
  /** No response; the request is not executed. */
  | { readonly kind: 'hang' }
  /** The request is executed after this time, ms of the fake's clock, unless the caller disconnects before. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The request is executed after this time, ms of the fake's clock, even if the caller disconnects. */
  | { readonly kind: 'late'; readonly ms: number };

/** A recorded request. */
export interface RecordedRequest {
  readonly method: string;
  /** Path, decoded once: `/api/v1/dags/x/dagRuns`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A task instance of a run. */
export interface FakeTaskRun {
  readonly task: FakeTask;
  readonly mapIndex: number;
  state: string | null;
  tryNumber: number;
  startDate: number | null;
  endDate: number | null;
  result: unknown;
  /** The lines of each try. */
  readonly logs: string[][];
}

/** A run; times are ms of the fake's clock. */
export interface FakeRun {
  /** Sequence number for lists. */
  readonly number: number;
  readonly dagId: string;
  readonly runId: string;
  readonly conf: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly logicalDate: number;
  /** False: the trigger had no logical date, and Airflow 3 returns none. */
  readonly isDated: boolean;
  state: RunState;
  startDate: number | null;
  endDate: number | null;
  lastSchedulingDecision: number | null;
  updatedAt: number;
  /** Reads that still return 404, because Airflow 3 responds before it stores a run. */
  readsUntilStored: number;
  readonly tasks: FakeTaskRun[];
  readonly stop: AbortController;
}

/** A DAG with its state. */
export interface FakeDagState {
  readonly dag: FakeDag;
  isPaused: boolean;
  readonly runs: Map<string, FakeRun>;
}
