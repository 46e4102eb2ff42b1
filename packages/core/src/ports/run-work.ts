/** Part that computes a run: `local`, workers that claim the run; `orchestrator`, a workflow service that calls back. */
export type RunBackend = 'local' | 'orchestrator';

/**
 * Result of a write. `lost`: nothing was written, because the token is outdated: another worker has claimed the run. `cancelled`: the run was
 * cancelled before the write.
 */
export type WriteOutcome = 'ok' | 'lost' | 'cancelled';

/** Result of a write to a part of a run. `paused`: nothing was written, because the run is paused. */
export type PartOutcome = WriteOutcome | 'paused';

/** Parameters of a worker's claim. */
export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  /** Pipelines this worker can run. */
  readonly pipelines: readonly string[];
  readonly maxAttempts: number;
  /**
   * Queue from which a run is claimed, in a fair order of the owners (see `RunStore.claim`). Absent = the oldest run of any queue is claimed.
   */
  readonly queue?: string | undefined;
  /** Queues from which the oldest run is claimed; ignored if `queue` is set. Absent = all queues. */
  readonly queues?: readonly string[];
  /**
   * Maximum number of local runs with neither owner nor parent that run at the same time, on all workers. At the maximum, a claim skips
   * queued runs of this kind. Concurrent claims cannot exceed the maximum. Absent = no maximum.
   */
  readonly mostUnowned?: number | undefined;
  /**
   * Backend of the claimed runs; default `local`. The watcher of an orchestrator claims runs of `orchestrator`. If the lease of a run of
   * `orchestrator` has ended, a claim continues the same attempt. A run with a cancel request is also claimed, because the watcher must still
   * cancel the run at the orchestrator.
   */
  readonly backend?: RunBackend;
}

/** Record of a run that is triggered at an orchestrator. */
export interface Dispatch {
  readonly dagId: string;
  readonly runTokenHash: string;
  /** Id of the orchestrator's run; absent until the orchestrator has responded. */
  readonly dagRunId?: string;
}

/** Queue statistics. */
export interface QueueState {
  /** Number of queued runs that a worker could claim; runs that wait for other runs are not counted. */
  readonly waiting: number;
  /** Time at which the oldest waiting run was stored; null if no run waits. */
  readonly oldestAt: string | null;
  /** Number of runs that a worker holds. */
  readonly working: number;
  /** Time at which a stored run of the queue was last claimed; null if no stored run was claimed. */
  readonly claimedAt: string | null;
}

/** Extension of the lease, with a progress report. */
export interface Heartbeat {
  readonly leaseMs: number;
  readonly progress?: number;
  readonly step?: string;
}

/** Maximum ages of data of ended runs, ms; 0 = kept for ever. */
export interface RunAges {
  /** Age, from the end of a run, at which its progress and log lines are removed. State changes stay as long as the run. */
  readonly eventsMs: number;
  /**
   * Age at which a run is removed, with its events, its request keys, and its versions of replaced Items. The age is counted from the later
   * of two times: the end of the run, and the time at which its last current result was replaced. A run is not removed while another run waits for it, while the
   * run that requested it exists, or while one of its Items, layers, tables or series is current.
   */
  readonly runsMs: number;
  /** Maximum number of runs that one step removes. */
  readonly most: number;
}

/** Numbers of events and runs that one step removed; `isMore` is true if another step may remove more. */
export interface RemovedRuns {
  readonly events: number;
  readonly runs: number;
  readonly isMore: boolean;
}

/**
 * Regions to remove: one region by the path of its Collection, or at most `most` regions without a publication in the last `ageMs`, the oldest
 * first.
 */
export type RegionsToRemove = { readonly path: string } | { readonly ageMs: number; readonly most: number };

/** Removed regions. */
export interface RemovedRegions {
  /** Paths of the Collections of the removed regions. */
  readonly paths: readonly string[];
  /** Number of removed Items. */
  readonly items: number;
  /** Attempts that published these regions and now have no current results, so that the folders of these attempts are no longer needed. */
  readonly attempts: readonly { readonly id: string; readonly token: number }[];
}

/** Queue that adopts abandoned runs, and conditions of the adoption. */
export interface Adoption {
  /** The queue that adopts the runs. */
  readonly queue: string;
  /** Pipelines that the workers of that queue can run. */
  readonly pipelines: readonly string[];
  /** A process counts as dead if its own queue shows no activity for this time, ms. */
  readonly silentMs: number;
}

/** Heartbeat of one held run, with its progress if the progress should be stored. */
export interface RunHeartbeat extends Pick<Heartbeat, 'progress' | 'step'> {
  readonly id: string;
  readonly token: number;
}

/** Progress of a running run. */
export interface RunProgress {
  readonly fingerprint: string;
  readonly progress: number;
  readonly step: string | null;
}
