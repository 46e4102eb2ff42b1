import type { FakeContext, FakeDag, FakeRun, FakeTaskRun } from './model.ts';

const stamp = (time: number): string => new Date(time).toISOString().replace('Z', '+0000');

function logLine(time: number, place: string, text: string): string {
  return `[${stamp(time)}] {${place}} ${text}`;
}

/** Log lines of a failure. Airflow 2.10 prints two tracebacks of it. */
function failureLines(
  time: number,
  error: unknown,
  { taskId, state }: { readonly taskId: string; readonly state: 'failed' | 'up_for_retry' },
): string[] {
  const traceback = tracebackOf(error);
  return [
    `${logLine(time, 'taskinstance.py:3311', 'ERROR - Task failed with exception')}\n${traceback}`,
    logLine(time, 'taskinstance.py:1225', `INFO - Marking task as ${state.toUpperCase()}. task_id=${taskId}`),
    logLine(time, 'taskinstance.py:340', 'INFO - ::group::Post task execution logs'),
    `${logLine(time, 'standard_task_runner.py:124', `ERROR - Failed to execute job 1 for task ${taskId} (${messageOf(error)}; 1)`)}\n${traceback}`,
    logLine(time, 'local_task_job_runner.py:266', 'INFO - Task exited with return code 1'),
  ];
}

/** Formats an error as Python does; the class is the error's `name`. */
function tracebackOf(error: unknown): string {
  const own = `Traceback (most recent call last):\n  File "/opt/airflow/dags/dag.py", line 1, in run\n    run()\n${nameOf(error)}: ${messageOf(error)}`;
  if (!(error instanceof Error) || error.cause === undefined) return own;
  return `${tracebackOf(error.cause)}\nThe above exception was the direct cause of the following exception:\n${own}`;
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Exception');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Executor {
  readonly now: () => number;
  readonly fetch: typeof globalThis.fetch;
}

/** Thrown by a task that skips itself. */
const SKIPPED = new Error('the task is skipped');

/** Creates the tasks of a new run. */
export function newTasks(dag: FakeDag): FakeTaskRun[] {
  return dag.tasks.flatMap((task) => {
    const indexes = task.mapped === undefined ? [-1] : task.mapped.map((_item, index) => index);
    return indexes.map((mapIndex): FakeTaskRun => {
      return { task, mapIndex, state: null, tryNumber: 0, startDate: null, endDate: null, result: undefined, logs: [] };
    });
  });
}

/** Runs the tasks in sequence; returns the final state. */
export async function executeRun(run: FakeRun, executor: Executor): Promise<'success' | 'failed'> {
  let failedTask: string | null = null;
  for (const task of run.tasks) {
    if (run.stop.signal.aborted) return 'failed';
    // After the run was queued again, tasks that ended are not repeated.
    if (task.state === 'success' || task.state === 'skipped') continue;
    if (task.state === 'failed') failedTask ??= task.task.id;
    if (task.state !== null) continue;
    if (failedTask !== null && task.task.id !== failedTask) {
      Object.assign(task, { state: 'upstream_failed', startDate: executor.now(), endDate: executor.now() });
      continue;
    }
    if (!(await executeTask(run, task, executor))) failedTask = task.task.id;
  }
  return failedTask === null ? 'success' : 'failed';
}

async function executeTask(run: FakeRun, instance: FakeTaskRun, executor: Executor): Promise<boolean> {
  const tries = 1 + (instance.task.retries ?? 0);
  for (let tryNumber = 1; tryNumber <= tries; tryNumber++) {
    if (await executeTry(run, instance, { ...executor, tryNumber, isLast: tryNumber === tries })) return true;
    if (run.stop.signal.aborted) return false;
  }
  return false;
}

interface Try extends Executor {
  readonly tryNumber: number;
  readonly isLast: boolean;
}

async function executeTry(
  run: FakeRun,
  instance: FakeTaskRun,
  { now, fetch, tryNumber, isLast }: Try,
): Promise<boolean> {
  const { task, mapIndex } = instance;
  const log: string[] = [];
  instance.logs.push(log);
  Object.assign(instance, { state: 'running', tryNumber, startDate: now(), endDate: null });
  log.push(logLine(now(), 'local_task_job_runner.py:123', 'INFO - ::group::Pre task execution logs'));
  const printer = task.isCommand === true ? 'subprocess.py:106' : 'logging_mixin.py:190';
  const context: FakeContext = {
    dagId: run.dagId,
    runId: run.runId,
    taskId: task.id,
    tryNumber,
    conf: run.conf,
    item: task.mapped?.[mapIndex],
    signal: run.stop.signal,
    print: (line) => void log.push(logLine(now(), printer, `INFO - ${line}`)),
    post: (url, body) => post(fetch, url, body),
    skip: () => {
      throw SKIPPED;
    },
  };
  try {
    const result: unknown = await task.run(context);
    if (run.stop.signal.aborted) return false;
    log.push(logLine(now(), 'taskinstance.py:1225', `INFO - Marking task as SUCCESS. task_id=${task.id}`));
    Object.assign(instance, { state: 'success', endDate: now(), result });
    return true;
  } catch (error) {
    if (run.stop.signal.aborted) return false;
    if (error === SKIPPED) {
      Object.assign(instance, { state: 'skipped', endDate: now() });
      return true;
    }
    const state = isLast ? 'failed' : 'up_for_retry';
    log.push(...failureLines(now(), error, { taskId: task.id, state }));
    Object.assign(instance, { state, endDate: now() });
    return false;
  }
}

async function post(fetch: typeof globalThis.fetch, url: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (answer.ok) return JSON.parse(text);
  throw Object.assign(new Error(`HTTP Error ${answer.status}: ${text.slice(0, 500)}`), {
    name: 'urllib.error.HTTPError',
  });
}
