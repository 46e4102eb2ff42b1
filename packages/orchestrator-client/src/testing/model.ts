import type { RunState } from '../model/orchestrator.ts';

/** What a task of the fake is given. */
export interface FakeContext {
  readonly dagId: string;
  readonly runId: string;
  readonly taskId: string;
  /** From 1. */
  readonly tryNumber: number;
  readonly conf: Readonly<Record<string, unknown>>;
  /** Element of `mapped`; undefined where the task is not mapped. */
  readonly item: unknown;
  /** Aborts when the run is ended from outside. */
  readonly signal: AbortSignal;
  /** Writes a line to the task's log, as a `print` would. */
  readonly print: (line: string) => void;
  /** POSTs JSON for real, as the callback of API mode does, and answers the JSON that came back; throws for a status from 400. */
  readonly post: (url: string, body: unknown) => Promise<unknown>;
  /** Ends the task as `skipped`, as a branch does those that it did not choose; the tasks after it go on. */
  readonly skip: () => never;
}

/** A task: what it returns becomes its result, what it throws its failure. */
export interface FakeTask {
  readonly id: string;
  readonly run: (context: FakeContext) => unknown;
  /** True = it runs a command, as a BashOperator does: what it prints is logged as a command's lines, which may tell its reason. */
  readonly isCommand?: boolean;
  /** Further tries after one that failed, each at once and with a log of its own; 0. */
  readonly retries?: number;
  /** One instance for each element; absent = not mapped. */
  readonly mapped?: readonly unknown[];
}

/** A DAG: its tasks run one after the other; after a failure the rest is `upstream_failed`. */
export interface FakeDag {
  readonly id: string;
  readonly tasks: readonly FakeTask[];
  readonly isPaused?: boolean;
  /** 16. */
  readonly maxActiveRuns?: number;
  /** False = its file has gone: triggers are 404. */
  readonly isActive?: boolean;
  /** Stack trace of its file's import; triggers are 400. */
  readonly importError?: string;
  /** True = runs stay as the test sets them (`setState`); no task is run. */
  readonly isManual?: boolean;
}

/** A user of basic authentication. A `Viewer` reads only. */
export interface FakeUser {
  readonly password: string;
  readonly role: 'Admin' | 'User' | 'Viewer';
}

/** What goes wrong with a request instead of, or beside, its answer. */
export type Fault =
  /** This answer; the request is not carried out. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The connection breaks before the request is carried out. */
  | { readonly kind: 'reset' }
  /** The request is carried out and its answer is lost. */
  | { readonly kind: 'lost' }
  /** No answer ever, and nothing is carried out. */
  | { readonly kind: 'hang' }
  /** An answer after so many milliseconds of the fake's clock. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Carried out after so many milliseconds, also where the caller has gone by then, as a web server does; answered then. */
  | { readonly kind: 'late'; readonly ms: number };

/** A request that the fake has received. */
export interface RecordedRequest {
  readonly method: string;
  /** Decoded once, as a server sees it: `/api/v1/dags/x/dagRuns`. */
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
  /** Counts up; lists are ordered by it. */
  readonly number: number;
  readonly dagId: string;
  readonly runId: string;
  readonly conf: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly logicalDate: number;
  /** True where the trigger named its logical date: Airflow 3 gives it none otherwise. */
  readonly isDated: boolean;
  state: RunState;
  startDate: number | null;
  endDate: number | null;
  lastSchedulingDecision: number | null;
  updatedAt: number;
  /** Looks at it that are still answered 404: Airflow 3 answers a trigger before it stores the run. */
  looksUntilStored: number;
  readonly tasks: FakeTaskRun[];
  readonly stop: AbortController;
}

/** A DAG and what can change of it. */
export interface FakeDagState {
  readonly dag: FakeDag;
  isPaused: boolean;
  readonly runs: Map<string, FakeRun>;
}
