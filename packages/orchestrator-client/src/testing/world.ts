import type { Clock } from '../clock.ts';
import type { RunState } from '../model/orchestrator.ts';
import { executeRun, newTasks } from './execute-run.ts';
import type { FakeDag, FakeDagState, FakeRun } from './model.ts';

/** Dependencies of a `World`. */
export interface WorldParts {
  readonly clock: Clock;
  /** Orchestrator's clock minus the test's clock, ms. */
  readonly skewMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/** A run that a trigger or a test adds. */
export interface NewRun {
  readonly runId?: string;
  readonly conf?: Readonly<Record<string, unknown>>;
  readonly state?: RunState;
  /** Milliseconds of the orchestrator's clock. Default: now. */
  readonly logicalDate?: number;
}

const MAX_ACTIVE_RUNS = 16;

/** DAGs, runs and scheduler of a fake orchestrator. */
export class World {
  readonly dags = new Map<string, FakeDagState>();
  /** False: no run starts, and the scheduler is unhealthy. */
  isSchedulerUp = true;
  /** Delays, ms, after which the scheduler replaces a run's end by the state before it; each is used for one run. */
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

  /** All runs by DAG; the oldest run of a DAG first. */
  *runs(): Generator<FakeRun> {
    for (const { runs } of this.dags.values()) yield* runs.values();
  }

  run(dagId: string, runId: string): FakeRun | undefined {
    return this.dags.get(dagId)?.runs.get(runId);
  }

  /** Adds a run (default: queued) and schedules a pass of the scheduler. */
  addRun(dagId: string, { runId, conf = {}, state = 'queued', logicalDate }: NewRun): FakeRun {
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
      readsUntilStored: 0,
      tasks: newTasks(owner.dag),
      stop: new AbortController(),
    };
    owner.runs.set(run.runId, run);
    if (state !== 'queued') this.setState(run, state);
    else this.schedule();
    return run;
  }

  /** Different microseconds in each call, so that run ids are unique. */
  #uniqueTime(now: number): string {
    return isoMicros(now + Math.floor(this.#runs / 1000), this.#runs);
  }

  /** Sets a run's state and its times. */
  setState(run: FakeRun, state: RunState): void {
    const now = this.now();
    run.state = state;
    run.updatedAt = now;
    run.lastSchedulingDecision = now;
    if (state === 'queued') [run.startDate, run.endDate] = [null, null];
    else run.startDate ??= now;
    run.endDate = state === 'success' || state === 'failed' ? now : null;
  }

  /** Ends a run from outside: running tasks become `failed`; tasks that never started become `skipped`. */
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

  /** Queues a run again. Tasks do not change, so a run with ended tasks ends at once. */
  queueAgain(run: FakeRun): void {
    this.setState(run, 'queued');
    this.schedule();
  }

  setPaused(dagId: string, isPaused: boolean): void {
    this.dagOf(dagId).isPaused = isPaused;
    this.schedule();
  }

  /** Schedules a pass of the scheduler after the current response, so that this response has the state `queued`. */
  schedule(): void {
    queueMicrotask(() => this.#startQueued());
  }

  /** Starts queued runs of unpaused DAGs, up to their maximum. */
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

/** ISO 8601 with microseconds; `micros`: last three digits. */
export function isoMicros(time: number, micros = 0): string {
  return new Date(time).toISOString().replace('Z', `${String(micros % 1000).padStart(3, '0')}+00:00`);
}

/** Like Python's `isoformat`, without the fraction of a whole second. */
const isoformat = (time: number): string => isoMicros(time).replace('.000000', '');
