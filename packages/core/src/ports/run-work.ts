/** Where a run computes: by workers that claim it, or at a workflow orchestrator that calls back. */
export type RunBackend = 'local' | 'orchestrator';

/** `lost`: the token is no longer the run's (another worker took over) and nothing was written. `cancelled`: a cancel came first. */
export type WriteOutcome = 'ok' | 'lost' | 'cancelled';

/** A worker's claim. */
export interface ClaimOptions {
  readonly workerId: string;
  readonly leaseMs: number;
  /** Pipelines this worker can run. */
  readonly pipelines: readonly string[];
  readonly maxAttempts: number;
  /** Only runs of this queue, whose owners take turns; left out = the oldest of any. */
  readonly queue?: string | undefined;
  /**
   * A local run without owner and parent is passed over while this many such are running, whoever has them; of several claims at once no more
   * than that many pass. Left out: any number.
   */
  readonly mostUnowned?: number | undefined;
  /**
   * Default `local`. The watcher of an orchestrator claims `orchestrator`: a running one whose lease ended goes on in the same attempt,
   * also when it was asked to stop, since somebody has to tell the orchestrator.
   */
  readonly backend?: RunBackend;
}

/** What is noted of a run that an orchestrator is asked to run. */
export interface Dispatch {
  readonly dagId: string;
  readonly runTokenHash: string;
  /** Left out before the orchestrator has answered. */
  readonly dagRunId?: string;
}

/** How a queue gets on. */
export interface QueueState {
  /** Queued runs that a worker could take; such as wait for other runs do not count. */
  readonly waiting: number;
  /** When the oldest of them was stored; null where none waits. */
  readonly oldestAt: string | null;
  /** Runs that a worker holds. */
  readonly working: number;
  /** When a run of the queue was claimed last, of those that are still stored; null for never. */
  readonly claimedAt: string | null;
}

/** Progress report with the lease's extension. */
export interface Heartbeat {
  readonly leaseMs: number;
  readonly progress?: number;
  readonly step?: string;
}

/** How old what ended runs leave may get, ms; 0 = it stays for ever. */
export interface RunAges {
  /** Progress and log lines go this long after their run's end. Its changes of state stay as long as the run. */
  readonly eventsMs: number;
  /**
   * A run goes this long after its end with all that belongs to it: events, keys of requests, its versions of Items that others
   * replaced. Never one that another run waits for, or whose Items, layers, tables or series are shown; one that was replaced goes this long after that.
   */
  readonly runsMs: number;
  /** Runs that one step takes at most. */
  readonly most: number;
}

/** What one step removed, and whether there may be more. */
export interface RemovedRuns {
  readonly events: number;
  readonly runs: number;
  readonly isMore: boolean;
}

/** Whom abandoned runs are given to. */
export interface Adoption {
  /** The queue that they go to. */
  readonly queue: string;
  /** Pipelines that its workers can run. */
  readonly pipelines: readonly string[];
  /** For so long nothing was heard of the process whose queue they stand in, ms. */
  readonly silentMs: number;
}

/** A run that somebody holds, and how far it is where that is to be noted. */
export interface RunHeartbeat extends Pick<Heartbeat, 'progress' | 'step'> {
  readonly id: string;
  readonly token: number;
}

/** How far a run is that a worker has. */
export interface RunProgress {
  readonly fingerprint: string;
  readonly progress: number;
  readonly step: string | null;
}
