import type { RunIds } from '../api/orchestrator-api.ts';
import type { RunState } from '../model/orchestrator.ts';

/** A watched run. */
export interface WatchedRun extends RunIds {
  /** Last reported state; null = not seen yet. */
  state: RunState | null;
  /** Our time since which the run counts as queued, ms; Infinity while it is running. */
  queuedSince: number;
  isStallReported: boolean;
  /** Our time of the next stall check, ms, so that an unreadable run does not delay others. */
  nextStallCheck: number;
  /** Latest pass that read the run with its own GET; 0 = none. */
  readPass: number;
  /** Latest pass that could not read the run; 0 = none. */
  failedPass: number;
  /** Our time since which every read has returned a 404 of unknown origin, ms; Infinity = the last read did not. */
  missingSince: number;
  /** Last sweep that saw the run unfinished; for a new run, the sweep during which it was added. */
  sweep: number;
}

/** The watched runs by their ids; a run is removed when its end is reported. */
export class WatchedRuns {
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
