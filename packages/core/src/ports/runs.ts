import type { ErrorCode } from '../errors.ts';
import type { FieldProblem } from '../field-problems.ts';
import type { ItemKey, NewItem, NewLayer, Unpublished } from './catalog.ts';
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
  PartOutcome,
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
  PartOutcome,
  WriteOutcome,
};

/** States of a run, in their order; an ended run (`success` or `failed`) never changes its state. */
export type RunState = 'queued' | 'running' | 'success' | 'failed';

/** Failed task of a run at an orchestrator. */
export interface RunFailureDetails {
  /** Name of the task; null if no task failed, such as after a timeout of the whole run. */
  readonly task: string | null;
  /** Lines of the task's log, without secrets; empty if there are none. */
  readonly excerpt: string;
}

/** Reason for the failure of a run, with the remedy. */
export interface RunFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Problems by field, stored as JSON. Runs of version 0.1 have texts instead of problems; `failureFields` reads both. */
  readonly fields?: Readonly<Record<string, readonly (FieldProblem | string)[]>>;
  readonly details?: RunFailureDetails;
}

/** A stored run. Times are ISO 8601 UTC. */
export interface Run {
  /** UUID in the form of version 7; requests and responses call it `task_id`. */
  readonly id: string;
  readonly pipeline: string;
  /**
   * Validated parameters (JSON). The member `bulk` contains input data, such as labels. The member `call` contains the caller and the region's
   * size of a run without owner (`RunCall`). Responses contain neither `bulk` nor `call`. The member `sceneEngine` is the platform that reads
   * the scenes of the run (`withSceneEngine`).
   */
  readonly params: Readonly<Record<string, unknown>>;
  /** Text that is equal for requests for the same work; a request joins an unfinished run with the same fingerprint. */
  readonly fingerprint: string;
  /** Account that owns the run; null for the run of a call of the work service. Only superusers see such a run. */
  readonly ownerId: number | null;
  readonly backend: RunBackend;
  /** Queue of the run. A worker may claim runs from only one queue. */
  readonly queue: string;
  /** Ids of the orchestrator's workflow and of its run; null before the trigger, and for local runs. */
  readonly dagId: string | null;
  readonly dagRunId: string | null;
  /** SHA-256 (hex) of the token that authenticates the orchestrator's callback. It is never sent in a response. */
  readonly runTokenHash: string | null;
  /** Id of the HTTP request that started the run; the log contains the same id. */
  readonly requestId: string | null;
  /** Id of another run that published the result of this run; null if this run published its result itself, or has no result. */
  readonly publishedBy: string | null;
  /** The run that requested this run; null if a client requested it. */
  readonly parentId: string | null;
  /** Ids of runs that must succeed before this run is claimed; if one of them fails, this run fails too. Usually empty. */
  readonly after: readonly string[];
  /** Names of the results of the runs in `after`, in the same order, e.g. `layer LULC_level_3:LULC_20_21_chaibasa_level_3`. */
  readonly awaits: readonly string[];
  readonly state: RunState;
  /** Progress, 0-1. */
  readonly progress: number;
  /** Name of the current step. */
  readonly step: string | null;
  /** Number of attempts: 0 at first; each claim adds 1, up to `MAX_ATTEMPTS`. */
  readonly attempt: number;
  /**
   * Fencing token: a number that grows with every claim. A worker sends its token with every write, and a write with an old token is refused.
   */
  readonly token: number;
  /** Worker that holds the run; null while the run is queued, or parked until `leaseUntil`. */
  readonly workerId: string | null;
  readonly leaseUntil: string | null;
  readonly cancelRequested: boolean;
  readonly error: RunFailure | null;
  /** Ids of the Items that the run published, in the order of the result (vector Items last); set on success. */
  readonly itemIds: readonly string[];
  /** Seconds per step and other measurements of the pipeline (JSON numbers). */
  readonly timings: Readonly<Record<string, number>>;
  /**
   * Text by which the pipeline identifies the data that the run read (`Pipeline.inputs`), set on success. Runs with equal fingerprints and
   * equal texts have equal results. Null if the pipeline gives no such text.
   */
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
  /** See `Run.parentId`; absent = null. */
  readonly parentId?: string;
  /** See `Run.after`; absent = empty. */
  readonly after?: readonly string[];
  /** See `Run.awaits`. */
  readonly awaits?: readonly string[];
}

/** Parameters of a part of a run: one tehsil of the district or state that the run computes. */
export interface NewRunPart {
  readonly tehsilId: number;
  /** Expected amount of work, in any unit that all parts of the run share, such as km2. */
  readonly work: number;
  /** Id of the run that already has the result of this part; absent = the part is not yet started. */
  readonly runId?: string;
}

/** The run that computes a part, or the reason why it could not be started. */
export type PartResult =
  | {
      readonly runId: string;
      /** True if the run is the stored result of an earlier request. */ readonly isReused: boolean;
    }
  | { readonly failure: RunFailure };

/** The part at a position, and its result. */
export interface PartChange {
  readonly position: number;
  readonly result: PartResult;
}

/** A stored part of a run. */
export interface RunPart extends Pick<NewRunPart, 'tehsilId' | 'work'> {
  /** Position in the order of computation, from 0. */
  readonly position: number;
  /** The run that computes this part; null before its start, and if it could not be started. */
  readonly runId: string | null;
  readonly isReused: boolean;
  /** True if the run is paused: no further part of it starts. */
  readonly isPaused: boolean;
  /** Reason why the part could not be started. */
  readonly failure: RunFailure | null;
  /** Present state of the run `runId`; null if no run was started, or if the run was removed. */
  readonly run: PartRun | null;
}

/** Present state of the run that computes a part. */
export interface PartRun extends Pick<
  Run,
  'parentId' | 'state' | 'progress' | 'step' | 'error' | 'startedAt' | 'finishedAt'
> {
  /** Time at which this run, or a run that it requested, was first claimed; null before the first claim. */
  readonly begunAt: string | null;
  /** True if a worker has claimed this run or a run that it requested. */
  readonly isBegun: boolean;
}

/** Position of the part (among the parts of the parent run) that a new run computes, and the fencing token of the parent run. */
export interface PartPlace {
  readonly position: number;
  readonly token: number;
}

/** End of a run with parts: a success, or a failure. */
export type PartsEnd = Pick<Deliverable, 'timings'> | { readonly failure: RunFailure };

/** Idempotency key: a name that a caller gives to a request, so that a repetition of the request is recognised. */
export interface RequestKey {
  readonly ownerId: number;
  readonly key: string;
  /** The whole request as text; the same key with another request is refused. */
  readonly request: string;
}

/** Options of `enqueue`. */
export interface EnqueueOptions {
  readonly key?: RequestKey;
  /**
   * Maximum number of queued or running runs of this owner, including the new run. For a run without owner, all local runs without owner are
   * counted. Runs with a parent are neither counted nor refused. Imports are not counted.
   */
  readonly mostOpen?: number;
  /** Maximum number of the counted runs that were requested from the same address, including the new run; default: no maximum. */
  readonly mostOfAddress?: number;
  /**
   * Runs that are stored in the same transaction, unless the run itself joins another run. Each run must come before the runs that wait for it.
   * If an unfinished run has the same fingerprint as a dependency, the dependency is not stored, and the dependents wait for that unfinished
   * run.
   */
  readonly dependencies?: readonly NewRun[];
  /** Parts of the run, in the order of their computation; stored in the same transaction, unless the run itself joins another run. */
  readonly parts?: readonly NewRunPart[];
  /**
   * Part of the parent (`NewRun.parentId`) that the stored or joined run computes; recorded in the same transaction. If `setPart` would store
   * nothing, `enqueue` also stores nothing, and throws `conflict` with the outcome in its details (`partRefused`).
   */
  readonly part?: PartPlace;
}

/** Result of `enqueue`. */
export interface EnqueuedRun {
  readonly run: Run;
  /** True if the returned run existed already, so that no run was stored. */
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
 * Everything that a run publishes, in one transaction. The store assigns versions, beginning with 1. The tehsils of its layers, tables and
 * series become active with the units above them, except units that an operator made inactive (`PlaceStore.setActive`).
 */
export interface Deliverable {
  readonly items: readonly NewItem[];
  readonly layers: readonly NewLayer[];
  /** Sheets; each replaces the sheet of the same name and tehsil. */
  readonly tables?: readonly PublishedTable[];
  /** Series; each replaces the series of the same name and tehsil. */
  readonly series?: readonly PublishedSeries[];
  readonly timings: Readonly<Record<string, number>>;
  /** See `Run.inputs`; absent if the result must not be reused for later requests, because data were missing. */
  readonly inputs?: string;
}

/** Filter of a list of runs. `ownerId` undefined = any owner, `parentId` undefined = with or without a parent, null = without a parent. */
export interface RunFilter {
  readonly ownerId?: number;
  readonly parentId?: string | null;
  readonly state?: RunState;
  readonly limit: number;
  readonly offset: number;
}

/** Store of runs. Every method is atomic; all times come from the store's own clock. */
export interface RunStore {
  /**
   * Stores a queued run. If an unfinished run without cancel request has the same fingerprint, returns that run instead. If the key is bound to
   * a run, returns that run (`joined`). Otherwise the key is bound to the returned run in the same transaction. Throws `key_reused` if the key
   * was bound with another request. Throws `throttled` if a new run would exceed `mostOpen` or `mostOfAddress`; concurrent requests cannot
   * exceed these limits either. A refused request stores nothing.
   */
  enqueue(run: NewRun, options?: EnqueueOptions): Promise<EnqueuedRun>;
  /** Returns the run to which this key is bound. Throws `key_reused` if the key was bound with another request. */
  keyedRun(key: RequestKey): Promise<Run | undefined>;
  /**
   * Binds a key to an existing run, unless the key is already bound. Returns the run to which the key is then bound. Throws the errors of
   * `keyedRun`.
   */
  bindKey(key: RequestKey, runId: string): Promise<Run>;
  /**
   * Returns the newest successful run with this fingerprint whose `inputs` is not null, if all of its Items, tables and series are still
   * current.
   */
  resultOf(fingerprint: string): Promise<Run | undefined>;
  get(id: string): Promise<Run | undefined>;
  /**
   * Lists runs, newest first. The members `bulk` and `call` of their parameters are left out, because a page with these members could exceed
   * the memory.
   */
  list(filter: RunFilter): Promise<{ readonly runs: readonly Run[]; readonly total: number }>;
  /** True if the parameters of a queued or running run have this `tehsilId`. */
  hasOpenRuns(tehsilId: number): Promise<boolean>;
  /**
   * Returns the ids of queued and running runs whose parameters have this `eoAccountId`, newest first, at most `limit` of them, and the total.
   * The parameters of a run over a district or a state contain the id inside the request for its tehsils. So the id is searched at any depth of
   * the parameters.
   */
  openRunsOf(eoAccountId: number, limit: number): Promise<{ readonly ids: readonly string[]; readonly total: number }>;
  /**
   * Claims a queued run, or a running run whose lease ended; attempt and token grow by 1. Without `queue`, claims the oldest run. With `queue`,
   * claims the oldest run that has already been started. If there is none, claims the oldest run of the owner whose last claim in this queue is
   * longest ago; owners without a claim come first, in the order of their runs. So an owner with a thousand queued runs delays another owner by
   * only one run. All runs without owner count as runs of one owner; among these runs, small regions come first (`turnOf`). A run that waits
   * for other runs can be claimed after all of these runs have succeeded. The claim skips runs that must end, and marks these runs as `failed`:
   * `crashed_repeatedly` if the attempts are used up, `cancelled` after a cancel request, `dependency_failed` if a run for which they wait has
   * failed.
   */
  claim(options: ClaimOptions): Promise<Run | undefined>;
  /** Returns statistics of a queue of local runs. */
  queueState(queue: string): Promise<QueueState>;
  heartbeat(id: string, token: number, beat: Heartbeat): Promise<WriteOutcome>;
  /** Stores heartbeats of many runs in one transaction; returns their outcomes in the same order. Each run may occur only once. */
  heartbeats(beats: readonly RunHeartbeat[], leaseMs: number): Promise<readonly WriteOutcome[]>;
  /** Returns the progress of the running runs with these fingerprints. Runs with a cancel request are left out. */
  progressOf(fingerprints: readonly string[]): Promise<readonly RunProgress[]>;
  /**
   * Ends a run as failed. Cancels the runs that this run requested, like `requestCancel`, because their results are no longer needed.
   * Returns `lost` if the token is outdated or the run has ended.
   */
  fail(id: string, token: number, failure: RunFailure): Promise<WriteOutcome>;
  /** Returns a running run to the queue, for a graceful shutdown. The interrupted attempt does not count. */
  release(id: string, token: number): Promise<WriteOutcome>;
  /**
   * Parks a running run for a pause, after which any worker can claim the run for its next attempt. No worker holds the run during the pause,
   * so a cancel ends it immediately. If the run already has a cancel request, this call ends it (`cancelled`).
   */
  park(id: string, token: number, pauseMs: number): Promise<WriteOutcome>;
  /**
   * In one transaction: checks the token, stores each Item, layer, table and series as the newest version of its name, and marks the run as
   * successful. Throws `conflict` if the name of a layer or Collection belongs to another place, and `internal` for invalid data (`checkData`).
   */
  publish(id: string, token: number, deliverable: Deliverable & WithForm): Promise<WriteOutcome>;
  /**
   * Stores the record of a trigger at an orchestrator. It is called before the trigger and again after it, so that another process can continue
   * if this process dies.
   */
  dispatch(id: string, token: number, dispatch: Dispatch): Promise<WriteOutcome>;
  /**
   * Ends a run successfully with the result of another run, including its Items and timings. Throws `internal` if that run did not succeed.
   * `inputs` stays null, so the result is not reused for later requests.
   */
  complete(id: string, token: number, publishedBy: string): Promise<WriteOutcome>;
  /**
   * Cancels a run. A local run that is queued, parked, or running with an expired lease immediately ends as failed with `cancelled`. At an
   * orchestrator only a queued run ends immediately. For any other running run, the worker is requested to stop. An ended run does not change.
   * Returns undefined for an unknown run. Also cancels the unfinished runs that this run requested (`parentId`), unless another unfinished run
   * waits for them.
   */
  requestCancel(id: string): Promise<Run | undefined>;
  /**
   * Ends imports whose process died: they fail with `unavailable`, because no worker can continue them. An import counts as abandoned if it is
   * running with an expired lease, or if it has been queued for `queuedMs` or longer, because a living process claims its import immediately.
   * Returns the number of ended imports.
   */
  endAbandonedImports(queuedMs: number): Promise<number>;
  /**
   * Moves the local runs in the own queue (`isOwnQueue`) of each dead process to another queue. A process counts as dead if, in the last
   * `silentMs`, no lease in its queue was valid, and no run was stored or ended there. Returns the number of moved runs.
   */
  adoptAbandoned(by: Adoption): Promise<number>;
  /** Returns the parts of a run in their order, with the present states of the runs that compute them; empty for a run without parts. */
  parts(id: string): Promise<readonly RunPart[]>;
  /**
   * Stores the result of a part, or the failure of its start. Stores nothing if the run is cancelled or paused. Returns `lost`, and stores
   * nothing, if the token is outdated or the part does not wait for its start.
   */
  setPart(id: string, token: number, part: PartChange): Promise<PartOutcome>;
  /** Pauses or resumes a run with parts: while it is paused, no part starts. Returns false for an ended run, which does not change. */
  pauseParts(id: string, isPaused: boolean): Promise<boolean>;
  /** Makes the failed parts of an unfinished run wait again; returns their number. */
  retryParts(id: string): Promise<number>;
  /**
   * Ends a run with parts. Returns `open`, and stores nothing, if a part has not ended, for example because `retryParts` made the part wait
   * again.
   */
  endParts(id: string, token: number, end: PartsEnd): Promise<WriteOutcome | 'open'>;
  /** Appends an event; returns it with `seq`. State changes made by the methods above append their own `state` events. */
  appendEvent(id: string, event: Pick<RunEvent, 'kind' | 'data'>): Promise<RunEvent>;
  /** Returns at most `limit` events with `seq` above `after`, ascending. */
  events(id: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /**
   * Returns attempts whose folders are in use: the attempt of a running run, attempts with a current result, and attempts whose last result was
   * replaced less than `keepMs` ago (default 0). Stores the time at which the last result of a run was replaced, so that the time is not lost
   * by a restart.
   */
  liveAttempts(keepMs?: number): Promise<readonly { readonly id: string; readonly token: number }[]>;
  /**
   * Executes one step of the removal by age: removes a limited number of old events and runs. Removes nothing while another process executes
   * such a step.
   */
  removeOld(ages: RunAges): Promise<RemovedRuns>;
  /**
   * Removes regions in one transaction: all versions of their Items, and those tables, series and layers of their runs that belong to no
   * tehsil. The runs stay as successful runs without results. Their attempts are no longer in use (`liveAttempts`), for any `keepMs`.
   */
  removeRegions(which: RegionsToRemove): Promise<RemovedRegions>;
  /**
   * Removes all versions of an Item in one transaction, with its layers, its tables, and the addresses of its files. If no other Item of the
   * Item's run is current, also removes the series of the run and the run's tables that belong to no Item. Runs stay as successful runs.
   * Returns undefined if there is no such Item. Throws `conflict` while a run of the same pipeline and tehsil has not ended.
   */
  unpublish(item: ItemKey): Promise<Unpublished | undefined>;
}
