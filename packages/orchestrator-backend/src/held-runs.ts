import type { Run } from '@headwater/core';
import type { RunChange, RunIds } from '@headwater/orchestrator-client';

/** A run whose lease this process holds. */
export interface HeldRun {
  /** The claimed run with its fencing token. */
  readonly run: Run;
  /** Aborts at the end of the run, at a takeover, or when this process stops. */
  readonly stop: AbortController;
  /** Aborts when the run is cancelled. Stops a dispatch in progress. */
  readonly dispatching: AbortController;
  /** Resolves when all queued work on this run is done. */
  pending: Promise<void>;
  /** Ids at the orchestrator; undefined while unknown. */
  remote: RunIds | undefined;
  /** Digest of the token in the trigger; null before the token exists. */
  tokenHash: string | null;
  /** True if a trigger may have been sent, so that a run may exist at the orchestrator. */
  mayBeSent: boolean;
  /**
   * End at the orchestrator; undefined while running. `gone`: deleted there. `unseen`: started, but its id is unknown.
   */
  ended: RunChange | 'gone' | 'unseen' | undefined;
  /** Last reported step. */
  step: string;
  /** True while the stored step names an outage. */
  isOutageNoted: boolean;
  /** True after a client requested the cancellation. */
  isCancelled: boolean;
  /** True while the end is being stored or queued. */
  isClosing: boolean;
}

/** Value in place of a token's digest, if the trigger was refused and no run was started. No token has this digest. */
export const NOT_SENT = '';

/** The runs of this process, by their ids in this service and at the orchestrator. */
export class HeldRuns {
  readonly #runs = new Map<string, HeldRun>();
  readonly #byRemote = new Map<string, HeldRun>();

  get size(): number {
    return this.#runs.size;
  }

  add(run: Run): HeldRun {
    const { dagId, dagRunId, runTokenHash: tokenHash, cancelRequested: isCancelled } = run;
    const held: HeldRun = {
      run,
      stop: new AbortController(),
      dispatching: new AbortController(),
      pending: Promise.resolve(),
      remote: undefined,
      tokenHash,
      mayBeSent: tokenHash !== null && tokenHash !== NOT_SENT,
      ended: undefined,
      step: 'at the orchestrator',
      isOutageNoted: false,
      isCancelled,
      isClosing: false,
    };
    this.#runs.set(run.id, held);
    if (dagId !== null && dagRunId !== null) this.found(held, { dagId, runId: dagRunId });
    return held;
  }

  /** Sets the run at the orchestrator. */
  found(held: HeldRun, remote: RunIds): void {
    held.remote = remote;
    this.#byRemote.set(keyOf(remote), held);
  }

  get(id: string): HeldRun | undefined {
    return this.#runs.get(id);
  }

  byRemote(remote: RunIds): HeldRun | undefined {
    return this.#byRemote.get(keyOf(remote));
  }

  /** Stops and removes a run. Returns false if it was already removed or replaced. */
  drop(held: HeldRun): boolean {
    held.stop.abort();
    if (this.#runs.get(held.run.id) !== held) return false;
    this.#runs.delete(held.run.id);
    if (held.remote !== undefined) this.#byRemote.delete(keyOf(held.remote));
    return true;
  }

  all(): readonly HeldRun[] {
    return [...this.#runs.values()];
  }
}

const keyOf = ({ dagId, runId }: RunIds): string => JSON.stringify([dagId, runId]);
