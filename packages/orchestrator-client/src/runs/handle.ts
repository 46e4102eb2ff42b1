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

/** Maximum number of tasks of a run that are listed. */
const MOST_TASKS = 10_000;

/** A handle of a run. `toJSON` returns the ids of the run, from which another process can create the handle again. */
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

  /** Reads the current state of the run. */
  read({ signal, attempts }: ReadOptions = {}): Promise<DagRun> {
    return this.#work.api.run(this, { signal, attempts });
  }

  async state(options: Signalled = {}): Promise<RunState> {
    return (await this.read(options)).state;
  }

  /** Waits until the run is `success`; throws `run_failed` with task, reason and excerpt, `stalled`, `deadline`, `aborted`. */
  wait(options: WaitOptions = {}): Promise<DagRun> {
    return waitForRun(this.#work, this, options);
  }

  /** Yields each change of state up to the end; `failed` is an event, not an error. */
  watch(options: WaitOptions = {}): AsyncGenerator<RunEvent, void> {
    return watchRun(this.#work, this, options);
  }

  /** Ends an unfinished run as `failed`; does not change a run that has ended. */
  cancel({ signal }: Signalled = {}): Promise<Cancellation> {
    return cancelRun(this.#work, this, signal);
  }

  /** Reads which task failed and why, with an excerpt of the task's log. */
  async logs({ signal }: Signalled = {}): Promise<RunReport> {
    return makeReport(this.#work.api, await this.read({ signal }), signal);
  }

  /** Reads the log of one try of one task. If the log is larger than 2 MiB, only its end is kept. */
  taskLog({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<TaskLog> {
    return readTaskLog(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  /**
   * Reads the result that one try of a task printed between the markers in its log. If there is no result, returns the kind `none` with the
   * reason.
   */
  printed({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<MarkedResult> {
    return readPrinted(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  tasks({ signal }: Signalled = {}): Promise<readonly TaskInstance[]> {
    return allEntries((offset) => this.#work.api.tasks(this, offset, signal), MOST_TASKS);
  }

  /** Reads the tasks. If the orchestrator does not offer the tasks of runs, returns the reason. */
  offeredTasks({ signal }: Signalled = {}): Promise<readonly TaskInstance[] | { readonly problem: string }> {
    return offeredTasks(this.#work.api, this, signal);
  }

  /** Reads the return value of a task (its XCom `return_value`), or the value under `key`; throws `not_found` if there is none. */
  result({ signal, key = RETURN_VALUE, ...task }: TaskChoice & { readonly key?: string }): Promise<unknown> {
    return readResult(this.#work, { ...this.toJSON(), ...task }, { key, signal });
  }
}

/** Key under which a task's return value is stored. */
const RETURN_VALUE = 'return_value';

/** Map index of a task that is not mapped. */
const UNMAPPED = -1;

/**
 * Reads the value that a task returned, as JSON. Airflow before 2.10 sends Python's repr: from the repr, a dictionary or list
 * is parsed; any other value stays a text.
 */
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

/** Adds the explanation to a `not_found` error if the run has no such task, or the task has no such result. */
async function explained(notFound: OrchestratorError<'not_found'>, missing: Missing): Promise<OrchestratorError> {
  const why = await whyMissing(missing).catch(() => undefined);
  if (why === undefined) return notFound;
  return new OrchestratorError('not_found', `${why} ${notFound.message}`, {
    details: notFound.details,
    cause: notFound,
  });
}

/** Explains a missing result from one page of the run's tasks; undefined if the task may be on a further page. */
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
