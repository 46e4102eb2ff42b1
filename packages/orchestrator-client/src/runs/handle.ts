import { parseRepr } from '@headwater/net/python-literal';
import type { ReadOptions, RunIds, TaskKey } from '../api/orchestrator-api.ts';
import { allEntries } from '../api/paged.ts';
import type { DagRun, RunState, TaskInstance } from '../model/orchestrator.ts';
import { keySegment, runSegment } from '../ids.ts';
import { readPrinted, readTaskLog, type TaskLog } from '../logs/task-log.ts';
import type { MarkedResult } from '../markers/parse-markers.ts';
import { type Cancellation, cancelRun } from './cancel.ts';
import { type RunEvent, type WaitOptions, waitForRun, watchRun } from './follow.ts';
import { makeReport, offeredTasks } from './make-report.ts';
import type { RunReport } from '../model/run-report.ts';
import type { Work } from './until-stored.ts';
import { isAtLeast } from '../api/dialect.ts';
import { isOrchestratorError, OrchestratorError } from '../errors.ts';

type Signalled = { readonly signal?: AbortSignal | undefined };

/** Selects a task of a run. */
export interface TaskChoice extends Signalled {
  readonly taskId: string;
  /** Index of a mapped task. */
  readonly mapIndex?: number;
}

const MOST_TASKS = 10_000;

/** A handle of a run. `toJSON` returns its ids, which recreate the handle in another process. */
export class RunHandle {
  readonly dagId: string;
  readonly runId: string;
  readonly #work: Work;

  /** Throws `invalid_request` for ids that an address cannot contain. */
  constructor(work: Work, { dagId, runId }: RunIds) {
    keySegment('dagId', dagId);
    runSegment(runId);
    [this.dagId, this.runId] = [dagId, runId];
    this.#work = work;
  }

  toJSON(): RunIds {
    return { dagId: this.dagId, runId: this.runId };
  }

  /** Current state of the run. */
  read({ signal, attempts }: ReadOptions = {}): Promise<DagRun> {
    return this.#work.api.run(this, { signal, attempts });
  }

  async state(options: Signalled = {}): Promise<RunState> {
    return (await this.read(options)).state;
  }

  /** Waits for `success`; throws `run_failed` with task, reason and excerpt, `stalled`, `deadline` or `aborted`. */
  wait(options: WaitOptions = {}): Promise<DagRun> {
    return waitForRun(this.#work, this, options);
  }

  /** Yields each change of state; `failed` is an event, not an error. */
  watch(options: WaitOptions = {}): AsyncGenerator<RunEvent, void> {
    return watchRun(this.#work, this, options);
  }

  /** Ends an unfinished run as `failed`. */
  cancel({ signal }: Signalled = {}): Promise<Cancellation> {
    return cancelRun(this.#work, this, signal);
  }

  /** Failed task, reason and excerpt of the log. */
  async logs({ signal }: Signalled = {}): Promise<RunReport> {
    return makeReport(this.#work.api, await this.read({ signal }), signal);
  }

  /** Log of one try of a task. Of a plain log (Airflow 2), only the last 2 MiB; a JSON log above 32 MiB is not read. */
  taskLog({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<TaskLog> {
    return readTaskLog(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  /** Result that a try printed between the markers; kind `none` with the reason if there is none. */
  printed({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<MarkedResult> {
    return readPrinted(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  tasks({ signal }: Signalled = {}): Promise<readonly TaskInstance[]> {
    return allEntries((offset) => this.#work.api.tasks(this, offset, signal), MOST_TASKS);
  }

  /** Tasks, or the reason if the orchestrator does not offer tasks. */
  offeredTasks({ signal }: Signalled = {}): Promise<readonly TaskInstance[] | { readonly problem: string }> {
    return offeredTasks(this.#work.api, this, signal);
  }

  /** Return value of a task, or the value under `key`; throws `not_found` if there is none. */
  result({ signal, key = RETURN_VALUE, ...task }: TaskChoice & { readonly key?: string }): Promise<unknown> {
    return readResult(this.#work, { ...this.toJSON(), ...task }, { key, signal });
  }
}

const RETURN_VALUE = 'return_value';

const UNMAPPED = -1;

/** Reads a result. Airflow before 2.10 sends Python's repr; dictionaries, lists and tuples are parsed. */
async function readResult(
  work: Work,
  task: TaskKey,
  options: { readonly key: string; readonly signal?: AbortSignal | undefined },
): Promise<unknown> {
  const { api } = work;
  const value = await api.xcom(task, options.key, options.signal).catch(async (error: unknown) => {
    throw isOrchestratorError(error, 'not_found') ? await explained(error, { work, task, ...options }) : error;
  });
  if (typeof value !== 'string' || isAtLeast(await api.knownVersion(), [2, 10])) return value;
  if (!/^\s*[[{(]/.test(value)) return value;
  const literal = parseRepr(value);
  return literal === undefined ? value : literal.value;
}

interface Missing {
  readonly work: Work;
  readonly task: TaskKey;
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
}

/** Explains a `not_found` error: no such task, or no such result. */
async function explained(notFound: OrchestratorError<'not_found'>, missing: Missing): Promise<OrchestratorError> {
  const why = await whyMissing(missing).catch(() => undefined);
  if (why === undefined) return notFound;
  return new OrchestratorError('not_found', `${why} ${notFound.message}`, {
    details: notFound.details,
    cause: notFound,
  });
}

/** Explanation from one page of tasks; undefined if the task may be on a further page. */
async function whyMissing({ work, task, key, signal }: Missing): Promise<string | undefined> {
  const { taskId, mapIndex = UNMAPPED, runId } = task;
  const { entries, total } = await work.api.tasks(task, 0, signal);
  const named = entries.filter((each) => each.taskId === taskId);
  const name = JSON.stringify(taskId);
  const found = named.find((each) => each.mapIndex === mapIndex);
  if (found !== undefined) {
    const what = key === RETURN_VALUE ? 'returned nothing' : `stored nothing under ${JSON.stringify(key)}`;
    return `Task ${name} is ${found.state ?? 'not started'} and ${what}.`;
  }
  if (entries.length < total) return undefined;
  if (named.length > 0)
    return `Task ${name} has no mapIndex ${mapIndex}; it has: ${named.map((each) => each.mapIndex).join(', ')}.`;
  const known = [...new Set(entries.map((each) => each.taskId))].toSorted().join(', ');
  return `There is no task ${name} in run ${runId}; it has: ${known === '' ? 'none' : known}.`;
}
