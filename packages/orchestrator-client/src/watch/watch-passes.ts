import { createLimit } from '@headwater/net/retry';
import type { RunIds, RunQuery } from '../api/orchestrator-api.ts';
import { type Page, pages } from '../api/paged.ts';
import { isOrchestratorError } from '../errors.ts';
import type { DagRun, RunState } from '../model/orchestrator.ts';
import { diagnose } from '../runs/diagnose.ts';
import { isEnded } from '../runs/follow.ts';
import { OrchestratorClock } from '../runs/orchestrator-clock.ts';
import type { Work } from '../runs/until-stored.ts';
import type { PassNote, WatcherEvent } from './watcher-events.ts';

/** A watched run. */
interface WatchedRun extends RunIds {
  /** Last reported state; null = not seen yet. */
  state: RunState | null;
  /** Our time since when it has not been running, ms. */
  queuedSince: number;
  isStallReported: boolean;
  /** Our time of the next stall check, ms, so that an unreadable run does not delay others. */
  nextStallCheck: number;
  /** Latest pass in which it could not be read; 0 = none. */
  failedPass: number;
  /** Last sweep that saw it unfinished; for a new run, the sweep during which it was added. */
  sweep: number;
}

/** The watched runs by their ids; a run is removed when its end is reported. */
class WatchedRuns {
  readonly #runs = new Map<string, WatchedRun>();
  readonly #perDag = new Map<string, number>();

  get size(): number {
    return this.#runs.size;
  }

  values(): IterableIterator<WatchedRun> {
    return this.#runs.values();
  }

  get(ids: RunIds): WatchedRun | undefined {
    return this.#runs.get(keyOf(ids));
  }

  /** Adds a run; no effect if it is already watched. */
  add(run: WatchedRun): void {
    if (this.#runs.has(keyOf(run))) return;
    this.#runs.set(keyOf(run), run);
    this.#perDag.set(run.dagId, (this.#perDag.get(run.dagId) ?? 0) + 1);
  }

  /** Removes a run; true if it was watched. */
  delete(ids: RunIds): boolean {
    if (!this.#runs.delete(keyOf(ids))) return false;
    const left = (this.#perDag.get(ids.dagId) ?? 1) - 1;
    if (left === 0) this.#perDag.delete(ids.dagId);
    else this.#perDag.set(ids.dagId, left);
    return true;
  }

  /** The DAG of all runs; null = they belong to several DAGs, whose lists are read together. */
  get dagId(): string | null {
    const [only] = this.#perDag.keys();
    return this.#perDag.size === 1 && only !== undefined ? only : null;
  }
}

const keyOf = ({ dagId, runId }: RunIds): string => `${dagId}/${runId}`;

interface PassOptions {
  readonly overlapMs: number;
  readonly listBudget: number;
  readonly sweepEveryMs: number;
}

/** GETs of single runs in parallel. */
const PARALLEL = 8;
/** Maximum diagnoses of one pass; each takes several calls. */
const MOST_DIAGNOSES = 10;
/** Result of a run that could not be read. */
const FAILED = Symbol('failed');
const UNFINISHED = ['queued', 'running'] as const;
const ENDED = ['success', 'failed'] as const;

/** A sweep over the list of unfinished runs, which may take several passes. */
interface Sweep {
  readonly number: number;
  readonly dagId: string | null;
  offset: number;
}

/**
 * The passes of a watcher. Each pass lists the runs that ended or started since the last one, by the orchestrator's clock. A run that a
 * list shows as ended, or that a whole sweep of the unfinished runs did not show, is read by itself: only that response ends its watch.
 * The next pass repeats the failed parts; a run that cannot be read does not delay the end of others.
 */
export class WatchPasses {
  readonly runs = new WatchedRuns();
  readonly #work: Work;
  readonly #options: PassOptions;
  readonly #emit: (...event: WatcherEvent) => void;
  readonly #orchestrator = new OrchestratorClock();
  readonly #toConfirm = new Set<WatchedRun>();
  /** Start of the next list of changes, ISO 8601 by the orchestrator's clock; null = that clock is unknown. */
  #since: string | null = null;
  #sweep: Sweep | undefined;
  #sweeps = 0;
  #lastSweep = -Infinity;
  #calls = { lists: 0, runs: 0 };
  #passes = 0;
  /** Errors of single runs in this pass. */
  #failures: unknown[] = [];

  constructor(work: Work, options: PassOptions, emit: (...event: WatcherEvent) => void) {
    this.#work = work;
    this.#options = options;
    this.#emit = emit;
  }

  add(ids: RunIds): void {
    const { clock } = this.#work.settings;
    this.runs.add({
      ...ids,
      state: null,
      queuedSince: clock.now(),
      isStallReported: false,
      nextStallCheck: -Infinity,
      failedPass: 0,
      sweep: this.#sweeps,
    });
  }

  /** Runs one pass; throws the first error after all other runs were handled. */
  async pass(signal?: AbortSignal): Promise<PassNote> {
    this.#calls = { lists: 0, runs: 0 };
    this.#failures = [];
    this.#passes += 1;
    const began = this.#work.settings.clock.now();
    const before = this.runs.size;
    if (this.#since !== null) {
      await this.#readChanges(this.#since, signal);
      this.#since = this.#orchestrator.atLeast(began, this.#options.overlapMs);
    }
    await this.#confirm(signal);
    await this.#continueSweep(before - this.runs.size, signal);
    await this.#confirm(signal);
    this.#since ??= this.#orchestrator.atLeast(began, this.#options.overlapMs);
    await this.#findStalled(signal);
    if (this.#failures.length > 0) throw this.#failures[0];
    return { listCalls: this.#calls.lists, runCalls: this.#calls.runs };
  }

  async #readChanges(since: string, signal: AbortSignal | undefined): Promise<void> {
    const { dagId } = this.runs;
    await this.#readList(dagId, { states: ENDED, updatedSince: since }, signal);
    await this.#readList(dagId, { states: ['running'], startedSince: since }, signal);
  }

  async #readList(dagId: string | null, query: RunQuery, signal: AbortSignal | undefined): Promise<void> {
    for await (const { entries } of pages((offset) => this.#list(dagId, { ...query, offset }, signal))) {
      for (const run of entries) this.#see(run);
    }
  }

  async #list(dagId: string | null, query: RunQuery, signal: AbortSignal | undefined): Promise<Page<DagRun>> {
    const now = this.#work.settings.clock.now();
    this.#calls.lists += 1;
    const page = await this.#runs(dagId, { order: 'id', ...query }, signal);
    for (const run of page.entries) this.#orchestrator.observe(run, now);
    return page;
  }

  /** Reads a list; Airflow 3 has none for an unknown DAG, so each of its runs is then read by itself. */
  async #runs(dagId: string | null, query: RunQuery, signal: AbortSignal | undefined): Promise<Page<DagRun>> {
    try {
      return await this.#work.api.runs(dagId, query, signal);
    } catch (error) {
      if (isOrchestratorError(error, 'unknown_dag')) return { entries: [], total: 0 };
      throw error;
    }
  }

  /** Handles a run of a list; an end is only noted, to be confirmed. */
  #see(run: DagRun): WatchedRun | undefined {
    const watched = this.runs.get(run);
    if (watched === undefined) return undefined;
    if (isEnded(run.state)) this.#toConfirm.add(watched);
    else this.#takeUnfinished(watched, run);
    return watched;
  }

  #takeUnfinished(watched: WatchedRun, run: DagRun): void {
    const before = watched.state;
    watched.state = run.state;
    if (run.state === 'running') watched.queuedSince = Infinity;
    else if (before === 'running') watched.queuedSince = this.#work.settings.clock.now();
    if (before !== null && before !== run.state)
      this.#emit('change', { dagId: run.dagId, runId: run.runId, state: run.state, run });
    else if (before === null && run.state === 'running')
      this.#emit('change', { dagId: run.dagId, runId: run.runId, state: run.state, run });
  }

  /** Reads every run that may have ended. */
  async #confirm(signal: AbortSignal | undefined): Promise<void> {
    const unconfirmed = [...this.#toConfirm].filter((watched) => watched.failedPass !== this.#passes);
    const limit = createLimit(PARALLEL);
    const confirm = async (watched: WatchedRun): Promise<void> => {
      const run = await this.#tryRead(watched, signal);
      if (run === FAILED) return;
      this.#toConfirm.delete(watched);
      if (run === undefined) this.#end(watched, ['gone', { dagId: watched.dagId, runId: watched.runId }]);
      else if (isEnded(run.state))
        this.#end(watched, ['finished', { dagId: run.dagId, runId: run.runId, state: run.state, run }]);
      else this.#takeUnfinished(watched, run);
    };
    // All reads finish before the first error is thrown.
    const outcomes = await Promise.allSettled(unconfirmed.map((watched) => limit(() => confirm(watched))));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  /** Reads a run; its error is stored until the end of the pass. */
  async #tryRead(watched: WatchedRun, signal: AbortSignal | undefined): Promise<DagRun | typeof FAILED | undefined> {
    try {
      return await this.#read(watched, signal);
    } catch (error) {
      if (isOrchestratorError(error, 'aborted')) throw error;
      watched.failedPass = this.#passes;
      this.#failures.push(error);
      return FAILED;
    }
  }

  /** Reads a run; undefined = the orchestrator does not know it. */
  async #read(ids: RunIds, signal: AbortSignal | undefined): Promise<DagRun | undefined> {
    const now = this.#work.settings.clock.now();
    this.#calls.runs += 1;
    try {
      const run = await this.#work.api.run(ids, signal);
      this.#orchestrator.observe(run, now);
      return run;
    } catch (error) {
      if (isOrchestratorError(error, 'unknown_run')) return undefined;
      throw error;
    }
  }

  /** Reports an end once: not if the run was removed or reported in the meantime. */
  #end(watched: WatchedRun, event: WatcherEvent): void {
    if (this.runs.get(watched) === watched && this.runs.delete(watched)) this.#emit(...event);
  }

  /** Continues the list of unfinished runs; `ended` of them have left it since the last pass, so the rest has moved up. */
  async #continueSweep(ended: number, signal: AbortSignal | undefined): Promise<void> {
    const { listBudget } = this.#options;
    const sweep = this.#sweep ?? this.#beginSweep();
    if (sweep === undefined) return;
    sweep.offset = Math.max(0, sweep.offset - ended);
    do {
      const now = this.#work.settings.clock.now();
      const { entries, total } = await this.#list(sweep.dagId, { states: UNFINISHED, offset: sweep.offset }, signal);
      for (const run of entries) {
        const watched = this.#see(run);
        if (watched !== undefined) watched.sweep = sweep.number;
        if (watched !== undefined) this.#orchestrator.observeCreation(run, now);
      }
      sweep.offset += entries.length;
      if (entries.length === 0 || sweep.offset >= total) {
        this.#endSweep(sweep);
        return;
      }
    } while (this.#calls.lists < listBudget);
  }

  #beginSweep(): Sweep | undefined {
    const now = this.#work.settings.clock.now();
    if (this.runs.size === 0 || now - this.#lastSweep < this.#options.sweepEveryMs) return undefined;
    this.#lastSweep = now;
    this.#sweeps += 1;
    this.#sweep = { number: this.#sweeps, dagId: this.runs.dagId, offset: 0 };
    return this.#sweep;
  }

  /** Marks the runs that were watched at the start of the sweep but not listed; absence is no proof of an end. */
  #endSweep({ number, dagId }: Sweep): void {
    this.#sweep = undefined;
    for (const watched of this.runs.values()) {
      const isOfSweep = dagId === null || watched.dagId === dagId;
      if (isOfSweep && watched.sweep < number) this.#toConfirm.add(watched);
    }
  }

  async #findStalled(signal: AbortSignal | undefined): Promise<void> {
    const { clock, stalledAfterMs } = this.#work.settings;
    const isDue = ({ isStallReported, nextStallCheck, queuedSince }: WatchedRun): boolean =>
      !isStallReported && clock.now() >= nextStallCheck && clock.now() - queuedSince >= stalledAfterMs;
    let left = MOST_DIAGNOSES;
    for (const watched of this.runs.values()) {
      if (!isDue(watched)) continue;
      if (left === 0) return;
      left -= 1;
      const queuedMs = clock.now() - watched.queuedSince;
      const run = await this.#tryRead(watched, signal);
      watched.nextStallCheck = clock.now() + this.#options.sweepEveryMs;
      if (run === FAILED) continue;
      if (run?.state !== 'queued') {
        this.#toConfirm.add(watched);
        continue;
      }
      const facts = await diagnose(this.#work.api, { dagId: watched.dagId, runId: watched.runId }, signal);
      watched.isStallReported = true;
      this.#emit('stalled', { ...facts, queuedMs });
    }
  }
}
