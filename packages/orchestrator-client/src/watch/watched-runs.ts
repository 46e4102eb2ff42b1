import type { RunIds } from '../api/orchestrator-api.ts';
import type { RunState } from '../model/orchestrator.ts';

/** A watched run. */
export interface WatchedRun extends RunIds {
  /** Last reported state; null = not seen yet. */
  state: RunState | null;
  /** Start of the run's time in the queue, by the clock of this machine, ms; Infinity while the run is running. */
  queuedSince: number;
  isStallReported: boolean;
  /**
   * Earliest time of the next check for a stall, by the clock of this machine, ms. There is a pause before each check, so that a run that
   * cannot be read does not delay other runs.
   */
  nextStallCheck: number;
  /** Number of the latest pass that read the run with a separate GET; 0 = none. */
  readPass: number;
  /** Number of the latest pass that could not read the run; 0 = none. */
  failedPass: number;
  /**
   * If the latest reads all returned a 404 that may come from another server, such as a proxy: time of the first of
   * these reads, by the clock of this machine, ms; Infinity = the last read returned no such 404.
   */
  missingSince: number;
  /** Number of the last sweep (list of all unfinished runs) with this run. For a new run, the number of the sweep during which the run was added. */
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

  /** Adds a run; has no effect for a run that is already watched. */
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

  /**
   * Id of the DAG to which all watched runs belong. Null = the runs belong to several DAGs, so one list with the runs of all DAGs is
   * read.
   */
  get dagId(): string | null {
    const [only] = this.#perDag.keys();
    return this.#perDag.size === 1 && only !== undefined ? only : null;
  }
}

const keyOf = ({ dagId, runId }: RunIds): string => `${dagId}/${runId}`;
