import { EventEmitter } from 'eventemitter3';
import type { RunIds } from '../api/orchestrator-api.ts';
import { isOrchestratorError } from '../errors.ts';
import { keySegment, runSegment } from '../ids.ts';
import type { Work } from '../runs/until-stored.ts';
import { checkInterval, checkLeast, type Interval, pauseOf } from '../settings.ts';
import { WatchPasses } from './watch-passes.ts';
import type { WatcherEvent, WatcherEvents } from './watcher-events.ts';

/** How runs are watched; all has a default. */
export interface WatcherOptions {
  /** Pause between two passes; 3 to 5 s. */
  readonly interval?: Interval;
  /** How far each list reaches back beyond the last one, ms, for changes that were written but not yet visible; 15 s. */
  readonly overlapMs?: number;
  /** List calls of one pass that a sweep of unfinished runs may fill up to; 10. */
  readonly listBudget?: number;
  /** Least time between the beginnings of two sweeps, ms; 2 minutes. The first look begins one. */
  readonly sweepEveryMs?: number;
}

/**
 * Watches thousands of runs at the price of a few list calls per pass and one GET per run that ended. Runs are watched by
 * their ids: after a restart, add those whose end was not told.
 */
export class RunWatcher extends EventEmitter<WatcherEvents> {
  readonly #work: Work;
  readonly #interval: Interval;
  readonly #passes: WatchPasses;
  #stop: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();

  /** Throws `invalid_request` for options that could not work. */
  constructor(work: Work, options: WatcherOptions) {
    super();
    this.#work = work;
    this.#interval = options.interval ?? work.settings.poll;
    checkInterval('interval', this.#interval);
    const { overlapMs = 15_000, listBudget = 10, sweepEveryMs = 120_000 } = options;
    checkLeast('overlapMs', overlapMs, 0);
    checkLeast('listBudget', listBudget, 1);
    checkLeast('sweepEveryMs', sweepEveryMs, 0);
    this.#passes = new WatchPasses(work, { overlapMs, listBudget, sweepEveryMs }, (...event) => this.#tell(event));
  }

  /** Runs that are watched now. */
  get size(): number {
    return this.#passes.runs.size;
  }

  /** Watches a run; one that is watched already stays as it is. */
  add({ dagId, runId }: RunIds): void {
    keySegment('dagId', dagId);
    runSegment(runId);
    this.#passes.add({ dagId, runId });
  }

  /** Ends the watch of a run; true where it was watched. */
  remove(ids: RunIds): boolean {
    return this.#passes.runs.delete(ids);
  }

  /** Looks once, now: what `start` does in each interval. */
  async look(signal?: AbortSignal): Promise<void> {
    try {
      this.#tell(['pass', await this.#passes.pass(signal)]);
    } catch (error) {
      if (!isOrchestratorError(error, 'aborted')) this.#tell(['problem', error]);
    }
  }

  /** Looks in each interval until `stop`; a second call changes nothing. */
  start(): void {
    if (this.#stop !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#loop = this.#run(stop.signal);
  }

  /** Ends the loop; resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stop?.abort(new Error('the watcher was stopped'));
    this.#stop = undefined;
    await this.#loop;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#work.settings;
    while (!signal.aborted) {
      if (this.size > 0) await this.look(signal);
      await clock.sleep(pauseOf(this.#interval, random), signal).catch(() => undefined);
    }
  }

  /** Tells listeners; what one of them throws is a problem of its own and loses no other event. */
  #tell(event: WatcherEvent): void {
    try {
      emit(this, event);
    } catch (error) {
      if (event[0] !== 'problem') this.#tell(['problem', error]);
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
