import type { OrchestratorApi, RunIds } from '../api/orchestrator-api.ts';
import { allEntries } from '../api/paged.ts';
import { isOrchestratorError, isWorthRetrying, OrchestratorError } from '../errors.ts';
import { excerptOf } from '../logs/excerpt.ts';
import { readTaskLog, type TaskLog } from '../logs/task-log.ts';
import type { DagRun, TaskInstance } from '../model/orchestrator.ts';
import type { RunReport } from '../model/run-report.ts';

/** Names of conf members with secret values. A job's `run_id` is secret: it permits to post the job's result. */
const SECRET = /^run_id$|token|secret|password|passwd|credential|api_?key|authorization/i;
/** Minimum length of a replaced value. Replacing shorter values would hide ordinary words. */
const SHORTEST = 6;

/** Returns a function that replaces secret values of a conf by `***` in a log, because a task may have printed them. */
export function withoutSecretsOf(conf: unknown): (text: string) => string {
  const secrets = [...secretsIn(conf, 0)].sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

function* secretsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > 8) return;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'string') {
      if (SECRET.test(name) && member.length >= SHORTEST) yield member;
    } else yield* secretsIn(member, depth + 1);
  }
}

const MOST_TASKS = 10_000;

const NO_FAILED_TASK =
  'no task of the run failed: it was ended from outside (marked failed or cancelled), or exceeded the time limit of the DAG (dagrun_timeout)';

/**
 * Reads the failed task, the reason and an excerpt of the log. `logProblem` reports a log that cannot be read, and
 * tasks that are not offered. Throws if the tasks cannot be read for another reason, such as an outage.
 */
export async function makeReport(api: OrchestratorApi, run: DagRun, signal?: AbortSignal): Promise<RunReport> {
  const tasks = await offeredTasks(api, run, signal);
  if (!Array.isArray(tasks)) return withoutLog(run, tasks.problem);
  const failed = tasks.filter(({ state }) => state === 'failed' || state === 'upstream_failed');
  const base = { dagId: run.dagId, runId: run.runId, state: run.state, failed };
  const task = rootCause(failed);
  if (task === undefined) {
    const reason = run.state === 'failed' ? NO_FAILED_TASK : `the run is ${run.state} and none of its tasks failed`;
    return { ...base, task: null, reason, excerpt: '', logProblem: null };
  }
  const log = await logOf(api, { ...run, ...task }, signal);
  const hide = withoutSecretsOf(run.conf);
  const { reason, lines } = excerptOf(hide(log.text));
  const fallback = log.problem === null ? 'its log contains no reason' : `its log could not be read: ${log.problem}`;
  return {
    ...base,
    task,
    reason: reason ?? `task ${nameOf(task)} failed; ${fallback}`,
    excerpt: lines,
    logProblem: log.problem,
  };
}

/**
 * Tasks of a run, or the reason if the orchestrator offers no tasks. An outage may cause the same error. So the
 * run is read before the reason is returned: during an outage, this read throws.
 */
export async function offeredTasks(
  api: OrchestratorApi,
  run: RunIds,
  signal?: AbortSignal,
): Promise<TaskInstance[] | { readonly problem: string }> {
  try {
    return await allEntries((offset) => api.tasks(run, offset, signal), MOST_TASKS);
  } catch (error) {
    if (!(await api.mayLack('tasks', error))) throw error;
    await api.run(run, { signal });
    return { problem: isOrchestratorError(error, 'forbidden') ? MAY_NOT_READ : NO_TASKS };
  }
}

const NO_TASKS = 'it does not offer the tasks of a run';
const MAY_NOT_READ = 'this user may not read the tasks of a run; give it the role "User"';

/** Report without a log. An orchestrator that offers no tasks offers no logs. */
function withoutLog({ dagId, runId, state }: DagRun, problem: string): RunReport {
  const remedy = `Open run ${runId} of DAG ${dagId} in the orchestrator itself and read there why it failed; then start it again`;
  const reason =
    state === 'failed'
      ? `the log is not available from this orchestrator (${problem}). ${remedy}`
      : `the run is ${state}, and its log is not available from this orchestrator (${problem})`;
  return { dagId, runId, state, task: null, reason, excerpt: '', logProblem: problem, failed: [] };
}

/** The task that failed first. Tasks that never started are only a consequence. */
function rootCause(failed: readonly TaskInstance[]): TaskInstance | undefined {
  const own = failed.filter(({ state }) => state === 'failed');
  const time = ({ endDate }: TaskInstance): number => (endDate === null ? Infinity : Date.parse(endDate));
  const order = (a: TaskInstance, b: TaskInstance): number =>
    time(a) === time(b) ? a.taskId.localeCompare(b.taskId) || a.mapIndex - b.mapIndex : time(a) - time(b);
  return own.toSorted(order)[0];
}

async function logOf(
  api: OrchestratorApi,
  task: RunIds & TaskInstance,
  signal: AbortSignal | undefined,
): Promise<TaskLog> {
  try {
    return await readTaskLog(api, task, signal);
  } catch (error) {
    if (!isOrchestratorError(error) || isOrchestratorError(error, 'aborted')) throw error;
    const problem = isOrchestratorError(error, 'forbidden')
      ? 'this user may not read task logs; give it the role "User"'
      : error.message;
    return { text: '', problem, leftOut: 0 };
  }
}

/** `task` or `task[2]`. */
export const nameOf = ({ taskId, mapIndex }: TaskInstance): string =>
  mapIndex >= 0 ? `${taskId}[${mapIndex}]` : taskId;

/** Error of a failed run, even if its tasks cannot be read. */
export async function runFailed(
  api: OrchestratorApi,
  run: DagRun,
  signal?: AbortSignal,
): Promise<OrchestratorError<'run_failed'>> {
  const report = await makeReport(api, run, signal).catch((error: unknown): RunReport => {
    if (
      !isWorthRetrying(error) &&
      !isOrchestratorError(error, 'forbidden') &&
      !isOrchestratorError(error, 'unknown_run')
    )
      throw error;
    return emptyReport(run, `its tasks could not be read: ${error.message}`);
  });
  return reportedFailure(run, report);
}

/** Error of a failed run whose tasks were not read. `why`: the reason for this, as part of the message. */
export function failedWithoutReport(run: DagRun, why: string): OrchestratorError<'run_failed'> {
  return reportedFailure(run, emptyReport(run, why));
}

function emptyReport({ dagId, runId, state }: DagRun, why: string): RunReport {
  const reason = `the reason is unknown, because ${why}`;
  return { dagId, runId, state, task: null, reason, excerpt: '', logProblem: null, failed: [] };
}

function reportedFailure(run: DagRun, report: RunReport): OrchestratorError<'run_failed'> {
  const where = report.task === null ? '' : ` in task ${nameOf(report.task)} (try ${report.task.tryNumber})`;
  const message = `run ${run.runId} of DAG ${run.dagId} failed${where}: ${report.reason}`;
  return new OrchestratorError('run_failed', message, { details: report });
}
