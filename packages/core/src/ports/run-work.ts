/**
 * Component that computes a run. `local`: workers that claim the run. `orchestrator`: a workflow service that calls
 * back.
 */
export type RunBackend = 'local' | 'orchestrator';

/**
 * Result of a write. `lost`: not written, because another worker has claimed the run. `cancelled`: a cancel of the run
 * was requested.
 */
export type WriteOutcome = 'ok' | 'lost' | 'cancelled';

/** Result of a write to a part of a run. `paused`: not written, because the run is paused. */
export type PartOutcome = WriteOutcome | 'paused';

/** Parameters of a worker's claim. */
export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  readonly pipelines: readonly string[];
  readonly maxAttempts: number;
  /**
   * Queue from which a run is claimed, in a fair order of the runs' owners (decision 129). Default: the oldest run of
   * the queues in `queues`.
   */
  readonly queue?: string | undefined;
  /** Queues from which the oldest run is claimed; default: all queues. Ignored if `queue` is set. */
  readonly queues?: readonly string[];
  /**
   * Maximum number of running local runs that no account owns (`ownerId` is null) and no other run requested
   * (`parentId` is null). When this number is reached, claims skip such runs.
   */
  readonly mostUnowned?: number | undefined;
  /**
   * Backend of the claimed runs; default `local`. With `orchestrator`, a run that is already running keeps its
   * attempt, and is claimed also after a cancel request.
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
  /** Number of queued runs that a worker could claim. */
  readonly waiting: number;
  /** Time at which the oldest waiting run was stored. */
  readonly oldestAt: string | null;
  /** Number of runs that a worker holds. */
  readonly working: number;
  /** Time of the newest claim in the queue, without claims of runs that were removed since. */
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
  /** Age, from the end of a run, at which its progress and log lines are removed. */
  readonly eventsMs: number;
  /**
   * Age at which a run is removed with its events, keys and replaced Items, unless other runs need the run. For a
   * successful run, the age is counted from the time since which none of its results is current; for a failed run, from
   * its end.
   */
  readonly runsMs: number;
  /** Maximum number of runs that one step removes. The same maximum applies to runs whose events the step removes. */
  readonly most: number;
}

/** Numbers of events and runs that one step removed; `isMore` is true if another step may remove more. */
export interface RemovedRuns {
  readonly events: number;
  readonly runs: number;
  readonly isMore: boolean;
}

/** Regions to remove: one by path, or at most `most` without a publication in the last `ageMs`, oldest first. */
export type RegionsToRemove = { readonly path: string } | { readonly ageMs: number; readonly most: number };

/** Removed regions. */
export interface RemovedRegions {
  /** Paths of the Collections of the removed regions. */
  readonly paths: readonly string[];
  /** Number of removed Items. */
  readonly items: number;
  /** Attempts without current results, whose folders are no longer needed. */
  readonly attempts: readonly { readonly id: string; readonly token: number }[];
}

/** Queue that adopts abandoned runs, and conditions of the adoption. */
export interface Adoption {
  readonly queue: string;
  readonly pipelines: readonly string[];
  /** Time without activity after which a process counts as dead, ms. */
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
