import type { RunState } from '../model/orchestrator.ts';

/** Context of a task of the fake. */
export interface FakeContext {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  /** Number of the try, from 1. */
  readonly tryNumber: number;
  readonly conf: Readonly<Record<string, unknown>>;
  /** Element of `mapped` for which this instance of the task runs; undefined if the task is not mapped. */
  readonly item: unknown;
  /** Aborts when the run is ended from outside. */
  readonly signal: AbortSignal;
  /** Writes a line to the task's log, as a `print` would. */
  readonly print: (line: string) => void;
  /** POSTs JSON through `fetch`, as the callback of API mode does, and returns the JSON response; throws for a status from 400. */
  readonly post: (url: string, body: unknown) => Promise<unknown>;
  /** Ends the task as `skipped`, as Airflow does with a task that a branch does not choose. The later tasks are still executed. */
  readonly skip: () => never;
}

/** A task. The value that `run` returns is the result of the task; if `run` throws, the task fails. */
export interface FakeTask {
  readonly id: string;
  readonly run: (context: FakeContext) => unknown;
  /**
   * True = the task runs a command, as a BashOperator does. The log then contains the lines that the command printed. These lines may
   * contain the reason of a failure.
   */
  readonly isCommand?: boolean;
  /** Number of further tries after a failed try; default: 0. No pause separates the tries. Each try has its own log. */
  readonly retries?: number;
  /** Elements for which the task is executed, one instance each; absent = the task is not mapped. */
  readonly mapped?: readonly unknown[];
}

/** A DAG. Its tasks run one after the other. After a failed task, all later tasks are `upstream_failed`. */
export interface FakeDag {
  readonly id: string;
  readonly tasks: readonly FakeTask[];
  readonly isPaused?: boolean;
  /** Maximum number of active runs; default: 16. */
  readonly maxActiveRuns?: number;
  /** False = the DAG's file is gone, and triggers return 404. */
  readonly isActive?: boolean;
  /** Stack trace of the failed import of the DAG's file; triggers return 400. */
  readonly importError?: string;
  /** True = runs keep the state that the test sets (`setState`); no task is run. */
  readonly isManual?: boolean;
}

/** A user of basic authentication. A `Viewer` may only read. */
export interface FakeUser {
  readonly password: string;
  readonly role: 'Admin' | 'User' | 'Viewer';
}

/** A fault of a request, instead of or in addition to its response. */
export type Fault =
  /** The response has this status and body, and the request is not executed. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The connection breaks before the request is executed. */
  | { readonly kind: 'reset' }
  /** The request is executed and its response is lost. */
  | { readonly kind: 'lost' }
  /** There is never a response, and the request is not executed. */
  | { readonly kind: 'hang' }
  /** The response comes after this time, in milliseconds of the fake's clock. */
  | { readonly kind: 'delay'; readonly ms: number }
  /**
   * The request is executed and answered after this time. The request is executed even if the caller disconnects, as on a web
   * server.
   */
  | { readonly kind: 'late'; readonly ms: number };

/** A recorded request. */
export interface RecordedRequest {
  readonly method: string;
  /** Path decoded once, as a server sees it: `/api/v1/dags/x/dagRuns`. */
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

/** A run; times are milliseconds of the fake's clock. */
export interface FakeRun {
  /** Sequence number, by which lists of runs are sorted. */
  readonly number: number;
  readonly dagId: string;
  readonly runId: string;
  readonly conf: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly logicalDate: number;
  /** True if the trigger contained a logical date. If the trigger contained none, Airflow 3 returns no logical date. */
  readonly isDated: boolean;
  state: RunState;
  startDate: number | null;
  endDate: number | null;
  lastSchedulingDecision: number | null;
  updatedAt: number;
  /** Number of reads that still return 404, because Airflow 3 responds to a trigger before it stores the run. */
  readsUntilStored: number;
  readonly tasks: FakeTaskRun[];
  readonly stop: AbortController;
}

/** A DAG with its changeable state. */
export interface FakeDagState {
  readonly dag: FakeDag;
  isPaused: boolean;
  readonly runs: Map<string, FakeRun>;
}
