import type { RunIds } from '../api/orchestrator-api.ts';
import type { RunState } from '../model/orchestrator.ts';

/** A watched run. */
export interface WatchedRun extends RunIds {
  /** Last reported state; null if the run was not seen yet. */
  state: RunState | null;
  /** Time at which the run was added, or seen as queued again, ms of this machine; Infinity while running. */
  queuedSince: number;
  isStallReported: boolean;
  /**
   * Time of the next check for a stall, ms of this machine. Without a pause between checks, runs that cannot be read
   * could use up the checks of every pass (`MOST_DIAGNOSES`).
   */
  nextStallCheck: number;
  /** Last pass with a separate GET of the run; 0 if none. */
  readPass: number;
  /** Last pass that could not read the run; 0 if none. */
  failedPass: number;
  /**
   * Start of the present series of 404s that may come from another server, ms of this machine. Infinity if the last
   * read had another outcome.
   */
  missingSince: number;
  /** Last sweep with this run, or the sweep during which it was added. */
  sweep: number;
}

/** The watched runs by their ids. */
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

  /** Adds a run, unless it is already watched. */
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

  /** DAG of all watched runs; null if there are several or none. */
  get dagId(): string | null {
    const [only] = this.#perDag.keys();
    return this.#perDag.size === 1 && only !== undefined ? only : null;
  }
}

const keyOf = ({ dagId, runId }: RunIds): string => `${dagId}/${runId}`;
