import type { Run } from '@headwater/core';
import type { RunChange, RunIds } from '@headwater/orchestrator-client';

/** A run that this process watches. */
export interface HeldRun {
  /** As it was claimed: its fencing token is the right to write. */
  readonly run: Run;
  /** Aborts when somebody else has it, or this process stops. */
  readonly stop: AbortController;
  /** Aborts when it is to end before it was triggered. */
  readonly dispatching: AbortController;
  /** What is done about it, one thing after the other. */
  turn: Promise<void>;
  /** Its run at the orchestrator, once that is known. */
  away: RunIds | undefined;
  /** Digest of the token that was or is to be sent; null before. */
  tokenHash: string | null;
  /** How it ended there, once it did. */
  ended: RunChange | 'gone' | undefined;
  /** What it was doing there when that was last told. */
  step: string;
  /** True once the run tells that the orchestrator does not answer. */
  isSilenceTold: boolean;
  /** True once somebody asked for its end. */
  isCancelled: boolean;
  /** True while something is done about its end, or about to be. */
  isClosing: boolean;
}

/** The runs of this process, by their ids here and there. */
export class HeldRuns {
  readonly #runs = new Map<string, HeldRun>();
  readonly #away = new Map<string, HeldRun>();

  get size(): number {
    return this.#runs.size;
  }

  add(run: Run): HeldRun {
    const { dagId, dagRunId, runTokenHash: tokenHash, cancelRequested: isCancelled } = run;
    const held: HeldRun = {
      run,
      stop: new AbortController(),
      dispatching: new AbortController(),
      turn: Promise.resolve(),
      away: undefined,
      tokenHash,
      ended: undefined,
      step: 'at the orchestrator',
      isSilenceTold: false,
      isCancelled,
      isClosing: false,
    };
    this.#runs.set(run.id, held);
    if (dagId !== null && dagRunId !== null) this.found(held, { dagId, runId: dagRunId });
    return held;
  }

  /** Notes its run at the orchestrator. */
  found(held: HeldRun, away: RunIds): void {
    held.away = away;
    this.#away.set(keyOf(away), held);
  }

  get(id: string): HeldRun | undefined {
    return this.#runs.get(id);
  }

  at(away: RunIds): HeldRun | undefined {
    return this.#away.get(keyOf(away));
  }

  /** Lets go of a run; false where it is another one by now, or none. */
  drop(held: HeldRun): boolean {
    held.stop.abort();
    if (this.#runs.get(held.run.id) !== held) return false;
    this.#runs.delete(held.run.id);
    if (held.away !== undefined) this.#away.delete(keyOf(held.away));
    return true;
  }

  all(): readonly HeldRun[] {
    return [...this.#runs.values()];
  }
}

const keyOf = ({ dagId, runId }: RunIds): string => JSON.stringify([dagId, runId]);
