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

/** States of a run; an ended run (`success` or `failed`) never changes its state. */
export type RunState = 'queued' | 'running' | 'success' | 'failed';

/** Failed task of a run at an orchestrator. */
export interface RunFailureDetails {
  /** Name of the task; null if no task failed, such as after a timeout. */
  readonly task: string | null;
  /** Lines of the task's log, without secrets. */
  readonly excerpt: string;
}

/** Reason for the failure of a run, with the remedy. */
export interface RunFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Problems by field. Runs of version 0.1 have texts instead; `failureFields` reads both. */
  readonly fields?: Readonly<Record<string, readonly (FieldProblem | string)[]>>;
  readonly details?: RunFailureDetails;
}

/** A stored run. Times are ISO 8601 UTC. */
export interface Run {
  /** UUID version 7. Responses contain it as `run_id`, `task_id` or both. */
  readonly id: string;
  readonly pipeline: string;
  /** Validated parameters (JSON). Responses omit `bulk` (input data) and `call` (`RunCall`). */
  readonly params: Readonly<Record<string, unknown>>;
  /**
   * Text that is equal for requests for equal work. If an unfinished run has the fingerprint of a new request, the
   * request joins this run.
   */
  readonly fingerprint: string;
  /** Account that owns the run; null for a run of a region (`/api/export-asset`), which only superusers see. */
  readonly ownerId: number | null;
  readonly backend: RunBackend;
  /** Queue of the run. A worker can be limited to certain queues (`ClaimOptions`). */
  readonly queue: string;
  /** Ids of the orchestrator's workflow and workflow run; null before the trigger, and for local runs. */
  readonly dagId: string | null;
  readonly dagRunId: string | null;
  /** SHA-256 (hex) of the token that authenticates the orchestrator's callback; never sent in a response. */
  readonly runTokenHash: string | null;
  /** Id of the HTTP request that started the run, also in the log. */
  readonly requestId: string | null;
  /** Id of another run that published the result of this run. */
  readonly publishedBy: string | null;
  /** The run that requested this run; null if a client requested it. */
  readonly parentId: string | null;
  /** Ids of runs that must succeed before this run is claimed; if one of them fails, this run fails. */
  readonly after: readonly string[];
  /** Names of the results of the runs in `after`, in order, e.g. `layer LULC_level_3:LULC_20_21_chaibasa_level_3`. */
  readonly awaits: readonly string[];
  readonly state: RunState;
  /** Progress, 0-1. */
  readonly progress: number;
  readonly step: string | null;
  /** Number of attempts: a claim adds 1, unless the run is already at an orchestrator; a release subtracts 1. */
  readonly attempt: number;
  /** Fencing token, which grows with every claim; writes with an old token are refused. */
  readonly token: number;
  /** Worker that holds the run or held it at its end; null while the run is queued, or parked until `leaseUntil`. */
  readonly workerId: string | null;
  readonly leaseUntil: string | null;
  readonly cancelRequested: boolean;
  readonly error: RunFailure | null;
  /** Ids of the Items that the run published, in the order of the result; set on success. */
  readonly itemIds: readonly string[];
  /** Seconds per step and other measurements of the pipeline. */
  readonly timings: Readonly<Record<string, number>>;
  /**
   * Text that identifies the data that the run read (`Pipeline.inputs`). Runs with equal fingerprints and texts have
   * equal results.
   */
  readonly inputs: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** Parameters of `enqueue`. */
export interface NewRun extends Pick<Run, 'id' | 'pipeline' | 'params' | 'fingerprint' | 'ownerId'> {
  /** Backend of the run; default `local`. */
  readonly backend?: RunBackend;
  /** Queue of the run; default `DEFAULT_QUEUE`. */
  readonly queue?: string;
  readonly requestId?: string;
  readonly parentId?: string;
  readonly after?: readonly string[];
  readonly awaits?: readonly string[];
}

/** Parameters of a part of a run: one tehsil of its district or state. */
export interface NewRunPart {
  readonly tehsilId: number;
  /** Expected amount of work, in a unit that all parts of the run share, such as km2. */
  readonly work: number;
  /** Id of the run that already has the result of this part; absent = not started. */
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
  /** True if the parent run is paused, so that none of its waiting parts starts. */
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
  /** Time at which this run, or a run that it requested, was first claimed. */
  readonly begunAt: string | null;
  /** True if this run is no longer queued, or if a run that it requested is running. */
  readonly isBegun: boolean;
}

/** Position of the part that a new run computes, and the fencing token of the parent run. */
export interface PartPlace {
  readonly position: number;
  readonly token: number;
}

/** End of a run with parts: a success, or a failure. */
export type PartsEnd = Pick<Deliverable, 'timings'> | { readonly failure: RunFailure };

/** Idempotency key: a caller's name for a request, by which a repetition is recognised. */
export interface RequestKey {
  readonly ownerId: number;
  readonly key: string;
  /** The whole request as text; an equal key with another request is refused. */
  readonly request: string;
}

/** Options of `enqueue`. */
export interface EnqueueOptions {
  readonly key?: RequestKey;
  /**
   * Maximum number of unfinished runs of the new run's owner, including the new run. Imports and runs with a parent do
   * not count.
   */
  readonly mostOpen?: number;
  /** Like `mostOpen`, but counts only the runs that were requested from the same address as the new run. */
  readonly mostOfAddress?: number;
  /**
   * Runs that are stored in the same transaction. In this list, a run comes before the runs that wait for it. If an
   * unfinished run is equal to one of these runs, that unfinished run is used instead.
   */
  readonly dependencies?: readonly NewRun[];
  /** Parts in the order of computation, stored in the same transaction as the run. */
  readonly parts?: readonly NewRunPart[];
  /**
   * Part of the parent (`NewRun.parentId`) that the run computes. Throws `conflict` (`partRefused`) in all cases in
   * which `setPart` stores nothing.
   */
  readonly part?: PartPlace;
}

/** Result of `enqueue`. */
export interface EnqueuedRun {
  readonly run: Run;
  /** True if the returned run existed already. */
  readonly joined: boolean;
  /** Results of `EnqueueOptions.dependencies`, in order; empty if the run was joined. */
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
 * Everything that a run publishes in one transaction. Versions begin with 1; the tehsils become active unless an
 * operator made them inactive.
 */
export interface Deliverable {
  readonly items: readonly NewItem[];
  readonly layers: readonly NewLayer[];
  /** Sheets. Each replaces the sheet of its tehsil that has the same name. */
  readonly tables?: readonly PublishedTable[];
  /** Series. Each replaces the series of its tehsil that has the same name. */
  readonly series?: readonly PublishedSeries[];
  readonly timings: Readonly<Record<string, number>>;
  /** See `Run.inputs`; absent if the result must not be reused, because data were missing. */
  readonly inputs?: string;
}

/** Filter of a list of runs. An undefined member accepts all values. `parentId` null: runs without a parent. */
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
   * Stores a queued run. If the key belongs to an earlier run, or the fingerprint to an unfinished run without a
   * cancel request, returns that run (`joined`). Throws `key_reused` for a key of another request, `throttled` above a
   * limit.
   */
  enqueue(run: NewRun, options?: EnqueueOptions): Promise<EnqueuedRun>;
  /** Returns the run of this key. Throws `key_reused` for a key of another request. */
  keyedRun(key: RequestKey): Promise<Run | undefined>;
  /**
   * Binds a key to an existing run, unless the key is already bound. Returns the run of the key. Throws the errors of
   * `keyedRun`.
   */
  bindKey(key: RequestKey, runId: string): Promise<Run>;
  /**
   * Returns the newest successful run with this fingerprint that has `inputs`. Undefined if there is none, or if
   * one of its results is no longer current. A result stays current if an Item with equal content replaces it.
   */
  resultOf(fingerprint: string): Promise<Run | undefined>;
  get(id: string): Promise<Run | undefined>;
  /** Lists runs, newest first, without the large parameters `bulk` and `call`. */
  list(filter: RunFilter): Promise<{ readonly runs: readonly Run[]; readonly total: number }>;
  /** Returns true if the parameters of an unfinished run have this `tehsilId`. */
  hasOpenRuns(tehsilId: number): Promise<boolean>;
  /**
   * Returns at most `limit` ids of unfinished runs whose parameters contain this `eoAccountId`, newest first, and the
   * total.
   */
  openRunsOf(eoAccountId: number, limit: number): Promise<{ readonly ids: readonly string[]; readonly total: number }>;
  /**
   * Claims a run that is queued or whose lease ended. The token grows by 1. The attempt grows by 1, unless the run is
   * already at an orchestrator. If `queue` is set, runs are claimed in a fair order of their owners (decision 129).
   * Ends runs with a failed dependency. Also ends runs without attempts left or with a cancel request, unless they are
   * at an orchestrator.
   */
  claim(options: ClaimOptions): Promise<Run | undefined>;
  /** Returns statistics of a queue of local runs. */
  queueState(queue: string): Promise<QueueState>;
  heartbeat(id: string, token: number, beat: Heartbeat): Promise<WriteOutcome>;
  /** Stores heartbeats of different runs in one transaction; returns their outcomes in order. */
  heartbeats(beats: readonly RunHeartbeat[], leaseMs: number): Promise<readonly WriteOutcome[]>;
  /** Returns the progress of the running runs with these fingerprints and without cancel request. */
  progressOf(fingerprints: readonly string[]): Promise<readonly RunProgress[]>;
  /**
   * Ends a run as failed, and cancels the runs that it requested, as `requestCancel` does. Returns `lost` for an
   * outdated token.
   */
  fail(id: string, token: number, failure: RunFailure): Promise<WriteOutcome>;
  /**
   * Returns a running run to the queue for a graceful shutdown; the attempt does not count. If a cancel was
   * requested, ends the run instead.
   */
  release(id: string, token: number): Promise<WriteOutcome>;
  /**
   * Parks a running run for a pause, after which any worker can claim it. If a cancel was requested, ends the run
   * instead.
   */
  park(id: string, token: number, pauseMs: number): Promise<WriteOutcome>;
  /**
   * Stores all results as the newest versions and ends the run, in one transaction. Throws `conflict` if a name belongs
   * to another place, `internal` for invalid data (`checkData`).
   */
  publish(id: string, token: number, deliverable: Deliverable & WithForm): Promise<WriteOutcome>;
  /** Stores the record of a trigger at an orchestrator. Called before the trigger and again after its response. */
  dispatch(id: string, token: number, dispatch: Dispatch): Promise<WriteOutcome>;
  /** Ends a run with the Items and timings of another run. Throws `internal` if that run did not succeed. */
  complete(id: string, token: number, publishedBy: string): Promise<WriteOutcome>;
  /**
   * Cancels a run and the unfinished runs that it requested. A run that it requested continues if another unfinished
   * run, which is not cancelled, waits for it. A queued run ends at once; the worker of a running run is requested to
   * stop. Undefined for an unknown run.
   */
  requestCancel(id: string): Promise<Run | undefined>;
  /**
   * Ends imports whose process died; they fail as `unavailable`. An import that is still queued after `queuedMs` counts
   * as dead. Returns the number of ended imports.
   */
  endAbandonedImports(queuedMs: number): Promise<number>;
  /**
   * Moves the local runs of dead processes from their own queues (`isOwnQueue`) to another queue. Returns their number.
   */
  adoptAbandoned(by: Adoption): Promise<number>;
  /** Returns the parts of a run in order, with the present states of their runs; empty for a run without parts. */
  parts(id: string): Promise<readonly RunPart[]>;
  /**
   * Stores the result of a part, or the failure of its start. Stores nothing for a cancelled or paused run. Returns
   * `lost` for an outdated token, and for a part that is not waiting.
   */
  setPart(id: string, token: number, part: PartChange): Promise<PartOutcome>;
  /** Pauses or resumes a run with parts; no part starts during a pause. Returns false for an ended run. */
  pauseParts(id: string, isPaused: boolean): Promise<boolean>;
  /** Makes the failed parts of an unfinished run wait again; returns their number. */
  retryParts(id: string): Promise<number>;
  /** Ends a run with parts. Returns `open`, and stores nothing, if a part has not ended. */
  endParts(id: string, token: number, end: PartsEnd): Promise<WriteOutcome | 'open'>;
  /** Appends an event; returns it with `seq`. */
  appendEvent(id: string, event: Pick<RunEvent, 'kind' | 'data'>): Promise<RunEvent>;
  /** Returns at most `limit` events with `seq` above `after`, ascending. */
  events(id: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /**
   * Returns the attempts whose folders are in use. A folder is in use while the attempt is running or its
   * result is current, and for `keepMs` (default 0) after its result was replaced.
   */
  liveAttempts(keepMs?: number): Promise<readonly { readonly id: string; readonly token: number }[]>;
  /**
   * Removes a limited number of old events and runs. Does nothing while another process removes old events and runs.
   */
  removeOld(ages: RunAges): Promise<RemovedRuns>;
  /**
   * Removes regions with the results of their runs, in one transaction. Results that belong to a tehsil stay. The
   * runs stay, with the state `success`.
   */
  removeRegions(which: RegionsToRemove): Promise<RemovedRegions>;
  /**
   * Removes all versions of an Item with its layers and tables. With the last current Item of a run, also removes the
   * run's series and other tables. Undefined for an unknown Item. Throws `conflict` while a run of the Item's pipeline
   * and tehsil is unfinished.
   */
  unpublish(item: ItemKey): Promise<Unpublished | undefined>;
}
