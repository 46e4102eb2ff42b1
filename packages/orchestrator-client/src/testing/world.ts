import type { Clock } from '../clock.ts';
import type { RunState } from '../model/orchestrator.ts';
import { executeRun, newTasks } from './execute-run.ts';
import type { FakeDag, FakeDagState, FakeRun } from './model.ts';

/** What a world is made of. */
export interface WorldParts {
  readonly clock: Clock;
  /** Orchestrator's clock minus ours, ms. */
  readonly skewMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/** A run that a test puts in place. */
export interface GivenRun {
  readonly runId?: string;
  readonly conf?: Readonly<Record<string, unknown>>;
  readonly state?: RunState;
  /** Milliseconds of the orchestrator's clock; absent = now. */
  readonly logicalDate?: number;
}

const MAX_ACTIVE_RUNS = 16;

/** The DAGs and runs of a fake orchestrator, and its scheduler. */
export class World {
  readonly dags = new Map<string, FakeDagState>();
  /** False = nothing starts, and health says so. */
  isSchedulerUp = true;
  /**
   * How long after each of the next ends from outside, ms, the scheduler writes the state over it that it had read before, as a busy
   * scheduler of Airflow does; the first is taken for the next end. Empty = none is overwritten.
   */
  overwritesEndsAfter: number[] = [];
  readonly #parts: WorldParts;
  #runs = 0;

  constructor(parts: WorldParts, dags: readonly FakeDag[]) {
    this.#parts = parts;
    for (const dag of dags) this.addDag(dag);
  }

  /** Time of the orchestrator's clock. */
  now(): number {
    return this.#parts.clock.now() + this.#parts.skewMs;
  }

  addDag(dag: FakeDag): void {
    this.dags.set(dag.id, { dag, isPaused: dag.isPaused ?? false, runs: this.dags.get(dag.id)?.runs ?? new Map() });
  }

  dagOf(dagId: string): FakeDagState {
    const dag = this.dags.get(dagId);
    if (dag === undefined) throw new Error(`the fake has no DAG ${dagId}`);
    return dag;
  }

  /** Every run, oldest first. */
  *runs(): Generator<FakeRun> {
    for (const { runs } of this.dags.values()) yield* runs.values();
  }

  run(dagId: string, runId: string): FakeRun | undefined {
    return this.dags.get(dagId)?.runs.get(runId);
  }

  /** Makes a run, queued unless told otherwise, and lets the scheduler see it. */
  addRun(dagId: string, { runId, conf = {}, state = 'queued', logicalDate }: GivenRun): FakeRun {
    const owner = this.dagOf(dagId);
    const now = this.now();
    this.#runs += 1;
    const run: FakeRun = {
      number: this.#runs,
      dagId,
      runId: runId ?? `manual__${logicalDate === undefined ? this.#uniqueTime(now) : isoformat(logicalDate)}`,
      conf,
      createdAt: now,
      logicalDate: logicalDate ?? now,
      isDated: logicalDate !== undefined,
      state: 'queued',
      startDate: null,
      endDate: null,
      lastSchedulingDecision: null,
      updatedAt: now,
      looksUntilStored: 0,
      tasks: newTasks(owner.dag),
      stop: new AbortController(),
    };
    owner.runs.set(run.runId, run);
    if (state !== 'queued') this.setState(run, state);
    else this.schedule();
    return run;
  }

  /** Each a microsecond later than the last, so that no two of one moment are alike. */
  #uniqueTime(now: number): string {
    return isoMicros(now + Math.floor(this.#runs / 1000), this.#runs);
  }

  /** Sets a run's state with the times that the orchestrator would write. */
  setState(run: FakeRun, state: RunState): void {
    const now = this.now();
    run.state = state;
    run.updatedAt = now;
    run.lastSchedulingDecision = now;
    if (state === 'queued') [run.startDate, run.endDate] = [null, null];
    else run.startDate ??= now;
    run.endDate = state === 'success' || state === 'failed' ? now : null;
  }

  /** Ends a run from outside: what runs is `failed`, what has not begun `skipped`. */
  end(run: FakeRun, state: 'success' | 'failed'): void {
    const before = run.state;
    for (const task of run.tasks) {
      if (task.state === 'running') [task.state, task.endDate] = ['failed', this.now()];
      else if (task.state === null) task.state = 'skipped';
    }
    this.setState(run, state);
    run.stop.abort(new Error('ended from outside'));
    const ms = this.overwritesEndsAfter.shift();
    if (ms !== undefined) void this.#parts.clock.sleep(ms).then(() => this.setState(run, before));
    this.schedule();
  }

  /** Puts a run back into the queue. Its tasks stay as they are, so one whose tasks have all ended ends again at once. */
  queueAgain(run: FakeRun): void {
    this.setState(run, 'queued');
    this.schedule();
  }

  setPaused(dagId: string, isPaused: boolean): void {
    this.dagOf(dagId).isPaused = isPaused;
    this.schedule();
  }

  /** The scheduler's next look: not within the request that made a run, whose answer says `queued`. */
  schedule(): void {
    queueMicrotask(() => this.#startQueued());
  }

  /** Starts what is queued, of DAGs that are not paused, within their slots. */
  #startQueued(): void {
    if (!this.isSchedulerUp) return;
    for (const { dag, isPaused, runs } of this.dags.values()) {
      if (isPaused || dag.isManual === true) continue;
      const all = [...runs.values()];
      const free = (dag.maxActiveRuns ?? MAX_ACTIVE_RUNS) - all.filter(({ state }) => state === 'running').length;
      for (const run of all.filter(({ state }) => state === 'queued').slice(0, Math.max(free, 0))) this.#start(run);
    }
  }

  #start(run: FakeRun): void {
    this.setState(run, 'running');
    void this.#execute(run);
  }

  async #execute(run: FakeRun): Promise<void> {
    const state = await executeRun(run, { now: () => this.now(), fetch: this.#parts.fetch });
    if (run.state === 'running') this.setState(run, state);
    this.schedule();
  }
}

/** ISO 8601 with microseconds: the last three digits of `micros`. */
export function isoMicros(time: number, micros = 0): string {
  return new Date(time).toISOString().replace('Z', `${String(micros % 1000).padStart(3, '0')}+00:00`);
}

/** As Python's `isoformat` writes it: without the fraction of a whole second. */
const isoformat = (time: number): string => isoMicros(time).replace('.000000', '');
