import type { ReadOptions, RunIds } from '../api/orchestrator-api.ts';
import { allEntries } from '../api/paged.ts';
import type { DagRun, RunState, TaskInstance } from '../model/orchestrator.ts';
import { keySegment, runSegment } from '../ids.ts';
import { readPrinted, readTaskLog, type TaskLog } from '../logs/task-log.ts';
import type { MarkedResult } from '../markers/parse-markers.ts';
import { type Cancellation, cancelRun } from './cancel.ts';
import { type RunEvent, type WaitOptions, waitForRun, watchRun } from './follow.ts';
import { makeReport, offeredTasks } from './make-report.ts';
import { readResult, RETURN_VALUE } from './result.ts';
import type { RunReport } from '../model/run-report.ts';
import type { Work } from './until-stored.ts';

type Signalled = { readonly signal?: AbortSignal | undefined };

/** Selects a task of a run. */
export interface TaskChoice extends Signalled {
  readonly taskId: string;
  /** Index of a mapped task. */
  readonly mapIndex?: number;
}

/** Maximum number of tasks of a run that are listed. */
const MOST_TASKS = 10_000;

/** A handle of a run by its ids; `toJSON` returns them, so that another process can create the handle again. */
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

  /** Reads which task failed, why, and an excerpt of its log. */
  async logs({ signal }: Signalled = {}): Promise<RunReport> {
    return makeReport(this.#work.api, await this.read({ signal }), signal);
  }

  /** Reads the log of one try of one task, its last 2 MiB. */
  taskLog({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<TaskLog> {
    return readTaskLog(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  /** Reads the result that one try of a task printed between the markers in its log; `none` with the reason if there is none. */
  printed({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<MarkedResult> {
    return readPrinted(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  tasks({ signal }: Signalled = {}): Promise<readonly TaskInstance[]> {
    return allEntries((offset) => this.#work.api.tasks(this, offset, signal), MOST_TASKS);
  }

  /** Reads the tasks, or the reason why this orchestrator does not offer them. */
  offeredTasks({ signal }: Signalled = {}): Promise<readonly TaskInstance[] | { readonly problem: string }> {
    return offeredTasks(this.#work.api, this, signal);
  }

  /** Reads the return value of a task (its XCom `return_value`), or the value under `key`; throws `not_found` if there is none. */
  result({ signal, key = RETURN_VALUE, ...task }: TaskChoice & { readonly key?: string }): Promise<unknown> {
    return readResult(this.#work, { ...this.toJSON(), ...task }, { key, signal });
  }
}
