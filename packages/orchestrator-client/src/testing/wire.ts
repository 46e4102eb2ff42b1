import type { FakeDagState, FakeRun, FakeTaskRun } from './model.ts';
import { pythonRepr } from './python-repr.ts';
import { isoMicros } from './world.ts';

/** A response before encoding. */
export interface FakeAnswer {
  readonly status: number;
  /** A text is sent unchanged, other values as JSON. */
  readonly body: unknown;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const DOCS = 'https://airflow.apache.org/docs/apache-airflow/2.10.3/stable-rest-api-ref.html#section/Errors/';
const KINDS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthenticated',
  403: 'PermissionDenied',
  404: 'NotFound',
  409: 'AlreadyExists',
};

/** An error before it gets the format of v1 or v2. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string | null;
}

/** A log, or a part of it. */
export interface FakeLog {
  readonly lines: readonly string[];
  /** Remarks of the web server above the log, or instead of it. */
  readonly remarks: string;
  readonly accept: string;
  /** Token for the next part; v2 returns none. */
  readonly token: string;
}

/** Format of one of the two interfaces, v1 or v2. */
export interface Wire {
  readonly api: 'v1' | 'v2';
  readonly pages: { readonly usual: number; readonly most: number };
  readonly problem: (problem: Problem) => FakeAnswer;
  /** Response to an invalid body or query: 400 (v1) or 422 (v2). */
  readonly invalid: (field: string, message: string) => FakeAnswer;
  readonly run: (run: FakeRun) => object;
  readonly dag: (state: FakeDagState) => object;
  readonly task: (run: FakeRun, task: FakeTaskRun) => object;
  readonly log: (log: FakeLog) => FakeAnswer;
  readonly xcom: (value: unknown, query: URLSearchParams) => unknown;
}

const time = (value: number | null): string | null => (value === null ? null : isoMicros(value));
const zulu = (value: number | null): string | null => (value === null ? null : new Date(value).toISOString());

/** Host name in the first line of a log; an empty log has only this name. */
export const HOST = 'fake-worker';

function plainLog(lines: readonly string[], remarks: string): string {
  return [HOST, remarks, ...lines, ''].filter((line, index) => line !== '' || index > 1).join('\n');
}

export const V1: Wire = {
  api: 'v1',
  pages: { usual: 100, most: 100 },
  problem: ({ status, title, detail }) => ({
    status,
    type: 'application/problem+json',
    body: { detail, status, title, type: `${DOCS}${KINDS[status] ?? 'Unknown'}` },
  }),
  invalid: (field, message) => V1.problem({ status: 400, title: 'Bad Request', detail: `${message} - '${field}'` }),
  run: (run) => ({
    conf: run.conf,
    dag_id: run.dagId,
    dag_run_id: run.runId,
    data_interval_end: time(run.logicalDate),
    data_interval_start: time(run.logicalDate),
    end_date: time(run.endDate),
    execution_date: time(run.logicalDate),
    external_trigger: true,
    last_scheduling_decision: time(run.lastSchedulingDecision),
    logical_date: time(run.logicalDate),
    note: null,
    run_type: 'manual',
    start_date: time(run.startDate),
    state: run.state,
  }),
  dag: ({ dag, isPaused }) => ({
    dag_id: dag.id,
    is_paused: isPaused,
    is_active: dag.isActive ?? true,
    has_import_errors: dag.importError !== undefined,
    max_active_runs: dag.maxActiveRuns ?? 16,
    last_parsed_time: null,
  }),
  task: (run, { task, mapIndex, state, tryNumber, startDate, endDate }) => ({
    dag_id: run.dagId,
    dag_run_id: run.runId,
    task_id: task.id,
    map_index: mapIndex,
    state,
    try_number: tryNumber,
    max_tries: task.retries ?? 0,
    start_date: time(startDate),
    end_date: time(endDate),
    executor_config: '{}',
    sla_miss: null,
    trigger: null,
  }),
  log: ({ lines, remarks, accept, token }) => {
    const text = plainLog(lines, remarks);
    // Airflow selects the type with `best_match(["text/plain", "application/json"])`: plain text for `*/*`.
    if (!/application\/json/.test(accept) || /\*\/\*|text\/plain/.test(accept))
      return { status: 200, type: 'text/plain', body: text };
    const pair = [HOST, text.slice(HOST.length + 1)].map((each) => pythonRepr(each));
    return {
      status: 200,
      body: { content: `[(${pair.join(', ')})]`, continuation_token: token },
    };
  },
  xcom: (value, query) =>
    query.get('stringify') === 'false' ? value : typeof value === 'string' ? value : pythonRepr(value),
};

/** Detail of a conflict: Airflow 3 returns the error of its database. */
const conflictOf = (detail: string | null): object => ({
  reason: 'Unique constraint violation',
  statement: 'hidden',
  orig_error: detail,
});

export const V2: Wire = {
  api: 'v2',
  pages: { usual: 50, most: 100 },
  problem: ({ status, title, detail }) => ({
    status,
    body: { detail: status === 409 ? conflictOf(detail) : (detail ?? title) },
  }),
  invalid: (field, message) => ({
    status: 422,
    body: { detail: [{ type: 'value_error', loc: ['body', field], msg: message, input: null }] },
  }),
  run: (run) => ({
    dag_run_id: run.runId,
    dag_id: run.dagId,
    logical_date: run.isDated ? zulu(run.logicalDate) : null,
    queued_at: zulu(run.createdAt),
    start_date: zulu(run.startDate),
    end_date: zulu(run.endDate),
    duration: null,
    data_interval_start: null,
    data_interval_end: null,
    run_after: zulu(run.createdAt),
    last_scheduling_decision: zulu(run.lastSchedulingDecision),
    run_type: 'manual',
    state: run.state,
    triggered_by: 'rest_api',
    conf: run.conf,
    note: null,
    dag_versions: [],
    bundle_version: null,
  }),
  dag: ({ dag, isPaused }) => ({
    dag_id: dag.id,
    is_paused: isPaused,
    is_stale: !(dag.isActive ?? true),
    has_import_errors: dag.importError !== undefined,
    max_active_runs: dag.maxActiveRuns ?? 16,
    last_parsed_time: null,
  }),
  task: (run, task) => ({ ...V1.task(run, task), start_date: zulu(task.startDate), end_date: zulu(task.endDate) }),
  log: ({ lines, remarks }) => {
    const [first, ...rest] = [remarks, ...lines];
    const event = (text: string): object => ({ timestamp: null, event: text });
    const content =
      lines.length === 0
        ? [event(first ?? '')]
        : [event('::group::Log message source details'), event('::endgroup::'), ...rest.map(structured)];
    return { status: 200, body: { content, continuation_token: null } };
  },
  xcom: (value, query) => (query.get('stringify') === 'true' ? pythonRepr(value) : value),
};

function structured(line: string): object {
  const parts = /^\[([^\]]*)\] \{[^}]*\} ([A-Z]+) - ([^\n]*)\n?([\s\S]*)$/.exec(line);
  if (parts === null) return { timestamp: null, event: line };
  const [, timestamp = null, level = 'INFO', event = line, traceback = ''] = parts;
  const details = [...traceback.matchAll(/File "([^"]*)", line (\d+), in (\S+)\n.*\n([\w.]+): (.*)/g)].map(
    ([, filename, lineno, name, kind, value]) => {
      return {
        exc_type: kind,
        exc_value: value,
        syntax_error: null,
        is_cause: false,
        frames: [{ filename, lineno: Number(lineno), name }],
      };
    },
  );
  return {
    timestamp,
    level: level.toLowerCase(),
    event,
    ...(details.length === 0 ? {} : { error_detail: details.toReversed() }),
  };
}
