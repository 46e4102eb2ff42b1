import type { RunIds } from '../api/orchestrator-api.ts';
import type { RunState } from '../model/orchestrator.ts';

/** A run that is watched. */
export interface WatchedRun extends RunIds {
  /** Last state that was told; null = not seen yet. */
  state: RunState | null;
  /** Our time since when it has not been seen running, ms. */
  queuedSince: number;
  isStallTold: boolean;
  /** Our time before which it is not looked at again for a stall, ms: a run that cannot be asked for takes no other's turn. */
  stallLookAt: number;
  /** Latest pass in which it could not be asked for; 0 = none. */
  failedPass: number;
  /** Last sweep that saw it unfinished; a new run carries the sweep during which it was added. */
  sweep: number;
}

/** Runs that are watched, by their ids; a run is in here until its end has been told. */
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

  /** A run that is watched already stays as it is. */
  add(run: WatchedRun): void {
    if (this.#runs.has(keyOf(run))) return;
    this.#runs.set(keyOf(run), run);
    this.#perDag.set(run.dagId, (this.#perDag.get(run.dagId) ?? 0) + 1);
  }

  /** True where it was watched. */
  delete(ids: RunIds): boolean {
    if (!this.#runs.delete(keyOf(ids))) return false;
    const left = (this.#perDag.get(ids.dagId) ?? 1) - 1;
    if (left === 0) this.#perDag.delete(ids.dagId);
    else this.#perDag.set(ids.dagId, left);
    return true;
  }

  /** The one DAG of all runs; null = they are of several, whose lists are read together. */
  get dagId(): string | null {
    const [only] = this.#perDag.keys();
    return this.#perDag.size === 1 && only !== undefined ? only : null;
  }
}

const keyOf = ({ dagId, runId }: RunIds): string => `${dagId}/${runId}`;
