import { EventEmitter } from 'eventemitter3';
import type { RunIds } from '../api/orchestrator-api.ts';
import { isOrchestratorError } from '../errors.ts';
import { keySegment, runSegment } from '../ids.ts';
import type { Work } from '../runs/until-stored.ts';
import { checkInterval, checkLeast, type Interval, pauseOf } from '../settings.ts';
import { WatchPasses } from './watch-passes.ts';
import type { WatcherEvent, WatcherEvents } from './watcher-events.ts';

/** Options of a watcher. */
export interface WatcherOptions {
  /** Time from the start of a pass to the start of the next. Default: `poll` of the client. */
  readonly interval?: Interval;
  /**
   * Overlap of consecutive lists of changes, ms. It finds changes that the previous list did not show yet. Default: 15
   * s.
   */
  readonly overlapMs?: number;
  /** Number of list requests in a pass, after which a sweep pauses until the next pass. Default: 10. */
  readonly listBudget?: number;
  /**
   * Minimum time between sweeps (lists of all unfinished runs), ms. The first pass starts a sweep. Default: 2 minutes.
   */
  readonly sweepEveryMs?: number;
}

/**
 * Watches thousands of runs with few list requests per pass and one GET per ended run. Watched runs are only in memory;
 * add unfinished runs again after a restart.
 */
export class RunWatcher extends EventEmitter<WatcherEvents> {
  readonly #work: Work;
  readonly #interval: Interval;
  readonly #passes: WatchPasses;
  #stop: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();

  /** Throws `invalid_request` for invalid options. */
  constructor(work: Work, options: WatcherOptions) {
    super();
    this.#work = work;
    this.#interval = options.interval ?? work.settings.poll;
    checkInterval('interval', this.#interval);
    const { overlapMs = 15_000, listBudget = 10, sweepEveryMs = 120_000 } = options;
    checkLeast('overlapMs', overlapMs, 0);
    checkLeast('listBudget', listBudget, 1);
    checkLeast('sweepEveryMs', sweepEveryMs, 0);
    this.#passes = new WatchPasses(work, { overlapMs, listBudget, sweepEveryMs }, (...event) => this.#emit(event));
  }

  /** Number of watched runs. */
  get size(): number {
    return this.#passes.runs.size;
  }

  /** Watches a run, unless it is already watched. */
  add({ dagId, runId }: RunIds): void {
    keySegment('dagId', dagId);
    runSegment(runId);
    this.#passes.add({ dagId, runId });
  }

  /** Stops watching a run; true if it was watched. */
  remove(ids: RunIds): boolean {
    return this.#passes.runs.delete(ids);
  }

  /** Runs one pass now. An error becomes a `problem` event. */
  async poll(signal?: AbortSignal): Promise<void> {
    try {
      this.#emit(['pass', await this.#passes.pass(signal)]);
    } catch (error) {
      if (!isOrchestratorError(error, 'aborted')) this.#emit(['problem', error]);
    }
  }

  /** Runs passes until `stop`; a second call has no effect. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#loop = this.#run(stop.signal);
  }

  /** Ends the loop; resolves when no request is in flight. */
  async stop(): Promise<void> {
    this.#stop?.abort(new Error('the watcher was stopped'));
    this.#stop = undefined;
    await this.#loop;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#work.settings;
    while (!signal.aborted) {
      const began = clock.now();
      if (this.size > 0) await this.poll(signal);
      // The interval is measured from the start of the pass. After a slow pass, the pause is at least `minMs`.
      const pauseMs = pauseOf(this.#interval, random) - (clock.now() - began);
      await clock.sleep(Math.max(pauseMs, this.#interval.minMs), signal).catch(() => undefined);
    }
  }

  /** Emits an event. An error of a listener becomes a `problem` event, so that later events are still emitted. */
  #emit(event: WatcherEvent): void {
    try {
      emit(this, event);
    } catch (error) {
      if (event[0] !== 'problem') this.#emit(['problem', error]);
    }
  }
}

function emit(watcher: RunWatcher, event: WatcherEvent): void {
  switch (event[0]) {
    case 'change':
    case 'finished':
      watcher.emit(event[0], event[1]);
      return;
    case 'gone':
      watcher.emit('gone', event[1]);
      return;
    case 'stalled':
      watcher.emit('stalled', event[1]);
      return;
    case 'problem':
      watcher.emit('problem', event[1]);
      return;
    case 'pass':
      watcher.emit('pass', event[1]);
  }
}
