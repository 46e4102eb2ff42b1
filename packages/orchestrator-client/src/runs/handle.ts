import type { RunIds } from '../api/orchestrator-api.ts';
import { allEntries } from '../api/paged.ts';
import type { DagRun, RunState, TaskInstance } from '../model/orchestrator.ts';
import { keySegment, runSegment } from '../ids.ts';
import { readPrinted, readTaskLog, type TaskLog } from '../logs/task-log.ts';
import type { MarkedResult } from '../markers/parse-markers.ts';
import { type Cancellation, cancelRun } from './cancel.ts';
import { type RunEvent, type WaitOptions, waitForRun, watchRun } from './follow.ts';
import { makeReport } from './make-report.ts';
import { readResult, RETURN_VALUE } from './result.ts';
import type { RunReport } from '../model/run-report.ts';
import type { Work } from './until-stored.ts';

type Signalled = { readonly signal?: AbortSignal | undefined };

/** Which try of which task. */
export interface TaskChoice extends Signalled {
  readonly taskId: string;
  /** Of a mapped task. */
  readonly mapIndex?: number;
}

/** Most tasks of a run that are listed. */
const MOST_TASKS = 10_000;

/** A run by its ids: it can be taken up again in another process from what `toJSON` answers. */
export class RunHandle {
  readonly dagId: string;
  readonly runId: string;
  readonly #work: Work;

  /** Throws `invalid_request` for ids that no address can carry. */
  constructor(work: Work, { dagId, runId }: RunIds) {
    keySegment('dagId', dagId);
    runSegment(runId);
    [this.dagId, this.runId] = [dagId, runId];
    this.#work = work;
  }

  toJSON(): RunIds {
    return { dagId: this.dagId, runId: this.runId };
  }

  /** The run as it is now. */
  read({ signal }: Signalled = {}): Promise<DagRun> {
    return this.#work.api.run(this, signal);
  }

  async state(options: Signalled = {}): Promise<RunState> {
    return (await this.read(options)).state;
  }

  /** The run once it is `success`; throws `run_failed` with task, reason and excerpt, `stalled`, `deadline`, `aborted`. */
  wait(options: WaitOptions = {}): Promise<DagRun> {
    return waitForRun(this.#work, this, options);
  }

  /** Each change of state up to the end; `failed` is told, not thrown. */
  watch(options: WaitOptions = {}): AsyncGenerator<RunEvent, void> {
    return watchRun(this.#work, this, options);
  }

  /** Ends an unfinished run as `failed`; a run that has ended stays as it is. */
  cancel({ signal }: Signalled = {}): Promise<Cancellation> {
    return cancelRun(this.#work, this, signal);
  }

  /** Which task failed, why, and an excerpt of its log. */
  async logs({ signal }: Signalled = {}): Promise<RunReport> {
    return makeReport(this.#work.api, await this.read({ signal }), signal);
  }

  /** The log of one try of one task, its last 2 MiB. */
  taskLog({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<TaskLog> {
    return readTaskLog(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  /** What one try of one task printed between the markers, wherever in its log; `none` with the reason where there is nothing. */
  printed({ signal, ...task }: TaskChoice & { readonly tryNumber: number }): Promise<MarkedResult> {
    return readPrinted(this.#work.api, { ...this.toJSON(), ...task }, signal);
  }

  tasks({ signal }: Signalled = {}): Promise<readonly TaskInstance[]> {
    return allEntries((offset) => this.#work.api.tasks(this, offset, signal), MOST_TASKS);
  }

  /** What a task returned (its XCom `return_value`), or stored under `key`; `not_found` where there is none. */
  result({ signal, key = RETURN_VALUE, ...task }: TaskChoice & { readonly key?: string }): Promise<unknown> {
    return readResult(this.#work, { ...this.toJSON(), ...task }, { key, signal });
  }
}
