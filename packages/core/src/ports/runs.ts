import type { ErrorCode } from '../errors.ts';
import type { FieldProblem } from '../field-problems.ts';
import type { NewItem, NewLayer } from './catalog.ts';
import type { WithForm } from './item-search.ts';
import type {
  Adoption,
  ClaimOptions,
  Dispatch,
  Heartbeat,
  RunHeartbeat,
  QueueState,
  RegionsToRemove,
  RemovedRegions,
  RemovedRuns,
  RunAges,
  RunBackend,
  RunProgress,
  WriteOutcome,
} from './run-work.ts';
import type { PublishedSeries, PublishedTable } from './tables.ts';

export type {
  Adoption,
  ClaimOptions,
  Dispatch,
  Heartbeat,
  RunHeartbeat,
  QueueState,
  RegionsToRemove,
  RemovedRegions,
  RemovedRuns,
  RunAges,
  RunBackend,
  RunProgress,
  WriteOutcome,
};

/** States of a run: only forward. */
export type RunState = 'queued' | 'running' | 'success' | 'failed';

/** Task that ended a run, as the orchestrator reported it. */
export interface RunFailureDetails {
  /** The task; null if none failed, such as when the whole run timed out. */
  readonly task: string | null;
  /** Lines of its log, without secrets; empty if there are none. */
  readonly excerpt: string;
}

/** Reason of a failed run, with the remedy in words. */
export interface RunFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Stored as JSON. Rows of version 0.1 hold texts instead of problems; read them by `failureFields`. */
  readonly fields?: Readonly<Record<string, readonly (FieldProblem | string)[]>>;
  readonly details?: RunFailureDetails;
}

/** A stored run. Times are ISO 8601 UTC. */
export interface Run {
  /** UUID v7-like text; also `task_id` on the wire. */
  readonly id: string;
  readonly pipeline: string;
  /**
   * Validated parameters (JSON). A member `bulk` holds input data, such as labels; `call` is the caller and size of a run without owner.
   * Neither is sent in a response.
   */
  readonly params: Readonly<Record<string, unknown>>;
  /** Equal for requests of the same work; identical requests in flight join the same run. */
  readonly fingerprint: string;
  /** Null for a call of the work service: only superusers see such a run. */
  readonly ownerId: number | null;
  readonly backend: RunBackend;
  /** Queue of the run. A worker may take runs from one queue only. */
  readonly queue: string;
  /** Workflow of the orchestrator and its run; null before the trigger, and for local runs. */
  readonly dagId: string | null;
  readonly dagRunId: string | null;
  /** SHA-256 (hex) of the token that authenticates the orchestrator's callback. It is never sent in a response. */
  readonly runTokenHash: string | null;
  /** Id of the HTTP request that started it, as in the log. */
  readonly requestId: string | null;
  /** The run that published this one's result; null if it published its own, or has none. */
  readonly publishedBy: string | null;
  /** The run that requested this one; null if a client did. */
  readonly parentId: string | null;
  /** Runs that have to succeed before this one is claimed; if one of them fails, this one fails too. Empty for most. */
  readonly after: readonly string[];
  /** Description of the result of each run in `after`, in the same order, e.g. `layer LULC_level_3:LULC_20_21_chaibasa_level_3`. */
  readonly awaits: readonly string[];
  readonly state: RunState;
  /** 0-1. */
  readonly progress: number;
  /** Name of the current step. */
  readonly step: string | null;
  /** Starts at 0; each claim adds 1; at most `MAX_ATTEMPTS`. */
  readonly attempt: number;
  /** Fencing token: grows with every claim; every write of a worker carries it. */
  readonly token: number;
  /** Null while no worker has the run: queued, or parked until `leaseUntil`. */
  readonly workerId: string | null;
  readonly leaseUntil: string | null;
  readonly cancelRequested: boolean;
  readonly error: RunFailure | null;
  /** Set on success: ids of the published Items, in order (vector last). */
  readonly itemIds: readonly string[];
  /** Seconds per step and other measurements of the pipeline (JSON numbers). */
  readonly timings: Readonly<Record<string, number>>;
  /** Set on success: the pipeline's description of its inputs; equal inputs give an equal result. Null if it has none. */
  readonly inputs: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** Parameters of `enqueue`. */
export interface NewRun extends Pick<Run, 'id' | 'pipeline' | 'params' | 'fingerprint' | 'ownerId'> {
  /** Default `local`. */
  readonly backend?: RunBackend;
  /** Default `DEFAULT_QUEUE`. */
  readonly queue?: string;
  readonly requestId?: string;
  /** As `Run.parentId`; left out = none. */
  readonly parentId?: string;
  /** As `Run.after`; left out = none. */
  readonly after?: readonly string[];
  /** As `Run.awaits`. */
  readonly awaits?: readonly string[];
}

/** Idempotency key: a caller's own name for a request, by which a repetition is recognised. */
export interface RequestKey {
  readonly ownerId: number;
  readonly key: string;
  /** The whole request as text: the same key with another request is refused. */
  readonly request: string;
}

/** Options of `enqueue`. */
export interface EnqueueOptions {
  readonly key?: RequestKey;
  /**
   * Maximum number of queued or running runs of this owner, the new one included (without owner: of all runs without owner that compute
   * locally). Runs with a parent neither count nor are refused; imports do not count.
   */
  readonly mostOpen?: number;
  /** Maximum number of those from the address of the new run's call, the new one included; default: no maximum. */
  readonly mostOfAddress?: number;
  /**
   * Runs to store in the same step, unless the run joins another one. Each precedes the runs that wait for it. A dependency identical to a
   * run in flight is joined, and its dependents wait for the joined run.
   */
  readonly dependencies?: readonly NewRun[];
}

/** Result of `enqueue`. */
export interface EnqueuedRun {
  readonly run: Run;
  /** True if the run existed already. */
  readonly joined: boolean;
  /** Results of `EnqueueOptions.dependencies`, in their order; empty if the run itself was joined. */
  readonly dependencies: readonly Omit<EnqueuedRun, 'dependencies'>[];
}

/** An event of a run; `seq` counts from 1 per run and is the SSE id. */
export interface RunEvent {
  readonly runId: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: 'state' | 'progress' | 'log';
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Everything a run publishes, in one transaction. `version` is assigned by the store (previous + 1, from 1). Tehsils of its layers, tables
 * and series become active with the units above them, except those that an operator made inactive (`PlaceStore.setActive`).
 */
export interface Deliverable {
  readonly items: readonly NewItem[];
  readonly layers: readonly NewLayer[];
  /** Sheets; each replaces the sheet of the same name and tehsil. */
  readonly tables?: readonly PublishedTable[];
  /** Series; each replaces the series of the same name and tehsil. */
  readonly series?: readonly PublishedSeries[];
  readonly timings: Readonly<Record<string, number>>;
  /** As `Run.inputs`; left out if the result must not answer a later request (data were missing). */
  readonly inputs?: string;
}

/** Filter of a list of runs. `ownerId` undefined = any owner, `parentId` undefined = with or without a parent. */
export interface RunFilter {
  readonly ownerId?: number;
  readonly parentId?: string;
  readonly state?: RunState;
  readonly limit: number;
  readonly offset: number;
}

/** The run machine's storage. Every method is atomic; times come from the store's own clock. */
export interface RunStore {
  /**
   * Stores a queued run, or returns the run in flight (queued/running, no cancel request) with the same fingerprint. A known key returns
   * its run instead (`joined`); an unknown key is bound to the run in the same step. Throws `key_reused` for a known key with another
   * request, and `throttled` if a new run would exceed `mostOpen` or `mostOfAddress`, also for concurrent requests; a refused request stores nothing.
   */
  enqueue(run: NewRun, options?: EnqueueOptions): Promise<EnqueuedRun>;
  /** The run that this key is bound to. Throws `key_reused` if it was bound with another request. */
  keyedRun(key: RequestKey): Promise<Run | undefined>;
  /** Binds an unknown key to an existing run; returns the run that the key is bound to. Throws like `keyedRun`. */
  bindKey(key: RequestKey, runId: string): Promise<Run>;
  /** The newest successful run with this fingerprint and with inputs, provided that all of its Items, tables and series are still shown. */
  resultOf(fingerprint: string): Promise<Run | undefined>;
  get(id: string): Promise<Run | undefined>;
  /** Lists runs, newest first, without the members `bulk` and `call` of their parameters: a page of them would not fit into memory. */
  list(filter: RunFilter): Promise<{ readonly runs: readonly Run[]; readonly total: number }>;
  /**
   * Claims a queued run, or a running one whose lease ended; attempt and token grow by 1. Without a queue: the oldest. In a queue: first
   * the oldest that has started before, then the oldest of the owner whose last claim there is longest ago (owners without a claim come
   * first, in the order of their runs). So an owner with a thousand queued runs delays another owner by one run only. Runs without an owner
   * count as those of one owner; of these, small regions go first (`turnOf`). A run that waits for others is claimable when all of them have succeeded. A run that has used its attempts
   * becomes `failed` (`crashed_repeatedly`), one with a cancel request becomes `failed` (`cancelled`), one that waits for a failed run
   * becomes `failed` (`dependency_failed`); these are skipped.
   */
  claim(options: ClaimOptions): Promise<Run | undefined>;
  /** Statistics of a queue of local runs. */
  queueState(queue: string): Promise<QueueState>;
  heartbeat(id: string, token: number, beat: Heartbeat): Promise<WriteOutcome>;
  /** Heartbeats of many runs in one step; returns their outcomes in their order. Each run may occur once. */
  heartbeats(beats: readonly RunHeartbeat[], leaseMs: number): Promise<readonly WriteOutcome[]>;
  /** Progress of the runs with these fingerprints that are running and have no cancel request. */
  progressOf(fingerprints: readonly string[]): Promise<readonly RunProgress[]>;
  /**
   * Ends a run as failed, and like `requestCancel` the runs that it requested, since their results are no longer needed. `lost` when the
   * token is stale or the run has ended.
   */
  fail(id: string, token: number, failure: RunFailure): Promise<WriteOutcome>;
  /** Puts a running run back in the queue without using up its attempt (orderly shutdown). */
  release(id: string, token: number): Promise<WriteOutcome>;
  /**
   * Parks a running run for a pause, after which any worker claims it for its next attempt. No worker holds it until then, so a cancel ends
   * it at once; an earlier cancel ends it here (`cancelled`).
   */
  park(id: string, token: number, pauseMs: number): Promise<WriteOutcome>;
  /**
   * Checks the token, replaces Items, layers, tables and series, increments versions, marks success: one transaction, all or nothing.
   * Throws `conflict` for names of another place (a layer's, a Collection's), `internal` for inconsistent data (`checkData`).
   */
  publish(id: string, token: number, given: Deliverable & WithForm): Promise<WriteOutcome>;
  /** Stores the trigger's parameters before and after it, so that another process can continue from there. */
  dispatch(id: string, token: number, dispatch: Dispatch): Promise<WriteOutcome>;
  /**
   * Ends a run as a success with the result that another run published, including its Items and timings. Throws `internal` if that run did
   * not succeed. `inputs` stays null, so the result is not reused for later requests.
   */
  complete(id: string, token: number, publishedBy: string): Promise<WriteOutcome>;
  /**
   * Cancels a run. Queued, parked, or running with an expired lease: ends at once as failed/`cancelled` (at an orchestrator: only while
   * queued). Running: requests the worker to stop. Ended: no change. Unknown: undefined. Runs in flight that it requested (`parentId`) are
   * cancelled with it, unless another continuing run waits for one of them.
   */
  requestCancel(id: string): Promise<Run | undefined>;
  /**
   * Ends imports whose process died, since no worker takes them over: as failed/`unavailable` if running with an expired lease, or queued
   * for `queuedMs` or longer (a living process claims its import at once). Returns how many.
   */
  endAbandonedImports(queuedMs: number): Promise<number>;
  /**
   * Moves local runs from the queue of a single process (`isOwnQueue`) that has died to another queue: no lease there is valid, and nothing
   * was stored there or ended in the last `silentMs`. Returns how many.
   */
  adoptAbandoned(by: Adoption): Promise<number>;
  /** Appends an event; returns it with `seq`. State changes made by the methods above append their own `state` events. */
  appendEvent(id: string, event: Pick<RunEvent, 'kind' | 'data'>): Promise<RunEvent>;
  /** Events with seq > after, ascending, at most `limit`. */
  events(id: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /**
   * Attempts whose folders are in use: the current one of a running run, those with a published result that is still shown, and those whose
   * last result was replaced less than `keepMs` ago (default 0). Stores the time since when an attempt shows nothing, so that a restart
   * does not change it.
   */
  liveAttempts(keepMs?: number): Promise<readonly { readonly id: string; readonly token: number }[]>;
  /** One step of the removal by age; removes nothing while another process is removing. */
  removeOld(ages: RunAges): Promise<RemovedRuns>;
  /**
   * Removes regions in one step: their Items of all versions, and the tables, series and layers that their runs published for no tehsil.
   * The runs stay, as successes without results. Their attempts are no longer in use (`liveAttempts`), whatever `keepMs` is.
   */
  removeRegions(which: RegionsToRemove): Promise<RemovedRegions>;
}
