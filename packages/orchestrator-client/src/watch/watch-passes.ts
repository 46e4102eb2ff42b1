import { createLimit } from '@headwater/net/retry';
import type { RunIds, RunQuery } from '../api/orchestrator-api.ts';
import { type Page, pages } from '../api/paged.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { diagnose } from '../runs/diagnose.ts';
import { isEnded } from '../runs/follow.ts';
import { OrchestratorClock } from '../runs/orchestrator-clock.ts';
import type { Work } from '../runs/until-stored.ts';
import { FAILED, SingleReads } from './single-reads.ts';
import { type WatchedRun, WatchedRuns } from './watched-runs.ts';
import type { PassNote, WatcherEvent } from './watcher-events.ts';

interface PassOptions {
  readonly overlapMs: number;
  readonly listBudget: number;
  readonly sweepEveryMs: number;
}

/** Maximum number of simultaneous GETs of single runs. */
const PARALLEL = 8;
/** Maximum number of runs that a pass without lists reads separately, least recently read first. */
const MOST_SINGLE = 500;
/** Pause before lists are requested again, ms, after an error of an orchestrator that possibly offers no lists. */
const LIST_RETRY_MS = 2 * 60_000;
/** Maximum number of diagnoses in a pass. Each takes several calls. */
const MOST_DIAGNOSES = 10;
const UNFINISHED = ['queued', 'running'] as const;
const ENDED = ['success', 'failed'] as const;

interface Sweep {
  readonly number: number;
  readonly dagId: string | null;
  offset: number;
}

/**
 * The passes of a watcher. A pass lists the runs that changed, by the orchestrator's clock. A run that seems ended, or
 * is missing in a sweep (list of all unfinished runs), is confirmed with its own GET. Without lists, all runs are read
 * separately.
 */
export class WatchPasses {
  readonly runs = new WatchedRuns();
  readonly #work: Work;
  readonly #options: PassOptions;
  readonly #emit: (...event: WatcherEvent) => void;
  readonly #orchestrator = new OrchestratorClock();
  readonly #single: SingleReads;
  readonly #toConfirm = new Set<WatchedRun>();
  /** Start of the next list of changes, ISO 8601 of the orchestrator's clock; null if unknown. */
  #since: string | null = null;
  #sweep: Sweep | undefined;
  #sweeps = 0;
  #lastSweep = -Infinity;
  #listCalls = 0;
  /** Time of the next list request after a failure, ms of this machine; null: lists are used. */
  #nextList: number | null = null;

  constructor(work: Work, options: PassOptions, emit: (...event: WatcherEvent) => void) {
    this.#work = work;
    this.#single = new SingleReads(work, this.#orchestrator);
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
      readPass: 0,
      failedPass: 0,
      missingSince: Infinity,
      sweep: this.#sweeps,
    });
  }

  /** Runs one pass. Errors of reading single runs do not end the pass; the first one is thrown at its end. */
  async pass(signal?: AbortSignal): Promise<PassNote> {
    this.#listCalls = 0;
    this.#single.beginPass();
    await this.#readRuns(signal);
    await this.#findStalled(signal);
    this.#single.throwFirst();
    return { listCalls: this.#listCalls, runCalls: this.#single.calls };
  }

  /** Reads the runs by lists, or separately if lists are not offered. */
  async #readRuns(signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#work.settings;
    if (this.#nextList !== null && clock.now() < this.#nextList) return await this.#readSingly(signal);
    try {
      await this.#readLists(signal);
      this.#nextList = null;
    } catch (error) {
      if (!(await this.#work.api.mayLack('runs', error)) || !(await this.#isReadable(signal))) throw error;
      this.#nextList = clock.now() + LIST_RETRY_MS;
      // No changes were listed meanwhile, so a new sweep begins when lists are used again.
      [this.#since, this.#sweep, this.#lastSweep] = [null, undefined, -Infinity];
      await this.#readSingly(signal);
    }
  }

  async #readLists(signal: AbortSignal | undefined): Promise<void> {
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
  }

  async #isReadable(signal: AbortSignal | undefined): Promise<boolean> {
    const [first] = this.#leastRecentlyRead();
    if (first === undefined) return true;
    this.#toConfirm.add(first);
    await this.#confirm(signal);
    return !this.#single.hasFailed(first);
  }

  async #readSingly(signal: AbortSignal | undefined): Promise<void> {
    const unread = this.#leastRecentlyRead().filter((watched) => !this.#single.wasTried(watched));
    for (const watched of unread.slice(0, MOST_SINGLE)) this.#toConfirm.add(watched);
    await this.#confirm(signal);
  }

  #leastRecentlyRead(): readonly WatchedRun[] {
    return [...this.runs.values()].toSorted((a, b) => a.readPass - b.readPass);
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
    this.#listCalls += 1;
    const { api } = this.#work;
    const attempts = api.hasAnswered('runs') ? {} : { attempts: 1 };
    const page = await api.runs(dagId, { order: 'id', ...query }, { signal, ...attempts });
    for (const run of page.entries) this.#orchestrator.observe(run, now);
    return page;
  }

  /** Stores the state of a listed run. A run that seems ended is only marked, so that its own GET confirms the end. */
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

  async #confirm(signal: AbortSignal | undefined): Promise<void> {
    const unconfirmed = [...this.#toConfirm].filter((watched) => !this.#single.hasFailed(watched));
    const limit = createLimit(PARALLEL);
    const confirm = async (watched: WatchedRun): Promise<void> => {
      const run = await this.#single.read(watched, signal);
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

  /** Reports an end once. */
  #end(watched: WatchedRun, event: WatcherEvent): void {
    if (this.runs.get(watched) === watched && this.runs.delete(watched)) this.#emit(...event);
  }

  /**
   * Reads the next pages of a sweep. `ended`: number of runs that left the list; later runs moved up, so the offset is
   * reduced.
   */
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
    } while (this.#listCalls < listBudget);
  }

  #beginSweep(): Sweep | undefined {
    const now = this.#work.settings.clock.now();
    if (this.runs.size === 0 || now - this.#lastSweep < this.#options.sweepEveryMs) return undefined;
    this.#lastSweep = now;
    this.#sweeps += 1;
    this.#sweep = { number: this.#sweeps, dagId: this.runs.dagId, offset: 0 };
    return this.#sweep;
  }

  /**
   * Marks runs that were watched from the start of the sweep but not listed. These runs are read, because a missing run
   * need not have ended.
   */
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
      // A run that this pass already read with its own GET is not read again.
      const isRead = this.#single.wasTried(watched) && !this.#single.hasFailed(watched);
      const run = isRead ? watched : await this.#single.read(watched, signal);
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
