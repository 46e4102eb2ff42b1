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
  RemovedRuns,
  RunAges,
  RunBackend,
  RunProgress,
  WriteOutcome,
};

/** States of a run: only forward. */
export type RunState = 'queued' | 'running' | 'success' | 'failed';

/** What an orchestrator told of the task that ended a run. */
export interface RunFailureDetails {
  /** The task; null where none failed, as when the whole run ran out of time. */
  readonly task: string | null;
  /** Lines of its log, without secrets; empty where there is none. */
  readonly excerpt: string;
}

/** Why a run failed, in words that a person can act on. */
export interface RunFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Stored as JSON; rows of version 0.1 hold texts where problems stand now. Read them by `failureFields`. */
  readonly fields?: Readonly<Record<string, readonly (FieldProblem | string)[]>>;
  readonly details?: RunFailureDetails;
}

/** A stored run. Times are ISO 8601 UTC. */
export interface Run {
  /** UUID v7-like text; also `task_id` on the wire. */
  readonly id: string;
  readonly pipeline: string;
  /** Validated parameters (JSON). A member `bulk` holds data to work through, such as labels: no view of the run shows it. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Equal for requests that would do the same work; identical requests in flight are joined on it. */
  readonly fingerprint: string;
  /** Null for a call of the work service: only superusers see such a run. */
  readonly ownerId: number | null;
  readonly backend: RunBackend;
  /** Workers may take from one queue only. */
  readonly queue: string;
  /** The orchestrator's workflow and its run; null before it was asked, and for local runs. */
  readonly dagId: string | null;
  readonly dagRunId: string | null;
  /** SHA-256 (hex) of the token by which the orchestrator's callback is known. No view of the run shows it. */
  readonly runTokenHash: string | null;
  /** The request that asked for it, as the log names it. */
  readonly requestId: string | null;
  /** The run that published this one's result; null where it did so itself, or has none. */
  readonly publishedBy: string | null;
  /** The run that asked for this one; null where a person or a program did. */
  readonly parentId: string | null;
  /** Runs that have to succeed before this one is claimed; one of them that fails ends this one. Empty for most. */
  readonly after: readonly string[];
  /** What each of them makes, in the same order, e.g. `layer LULC_level_3:LULC_20_21_chaibasa_level_3`. */
  readonly awaits: readonly string[];
  readonly state: RunState;
  /** 0-1. */
  readonly progress: number;
  /** Name of the step at work. */
  readonly step: string | null;
  /** Starts at 0; each claim adds 1; at most `MAX_ATTEMPTS`. */
  readonly attempt: number;
  /** Fencing token: grows with every claim; every write of a worker names it. */
  readonly token: number;
  /** Null while no worker has the run: queued, or parked until `leaseUntil`. */
  readonly workerId: string | null;
  readonly leaseUntil: string | null;
  readonly cancelRequested: boolean;
  readonly error: RunFailure | null;
  /** Set on success: ids of the published Items, in order (vector last). */
  readonly itemIds: readonly string[];
  /** Seconds per step and whatever the pipeline measured (JSON numbers). */
  readonly timings: Readonly<Record<string, number>>;
  /** Set on success: what the pipeline says of what it read; equal inputs give an equal result. Null where it says nothing. */
  readonly inputs: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** What `enqueue` takes. */
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

/** A caller's own name for a request, by which its repetition is known. */
export interface RequestKey {
  readonly ownerId: number;
  readonly key: string;
  /** The whole request as text: the same key with another one is refused. */
  readonly request: string;
}

/** How to store a run. */
export interface EnqueueOptions {
  readonly key?: RequestKey;
  /** How many runs of this owner (of no owner: all such that compute here together) may be queued or running, the new one included; runs with a parent neither count nor are refused, imports do not count. */
  readonly mostOpen?: number;
  /**
   * Runs to store with it, in the same step, unless it joins one: identical ones in flight are joined, and whoever waits for such a
   * one waits for the run that it joined. Each stands behind those that it waits for.
   */
  readonly dependencies?: readonly NewRun[];
}

/** What `enqueue` gives. */
export interface EnqueuedRun {
  readonly run: Run;
  /** True where the run was there already. */
  readonly joined: boolean;
  /** Of `EnqueueOptions.dependencies`, in their order; empty where the run itself was joined. */
  readonly dependencies: readonly Omit<EnqueuedRun, 'dependencies'>[];
}

/** Something that happened to a run; `seq` counts from 1 per run and is the SSE id. */
export interface RunEvent {
  readonly runId: string;
  readonly seq: number;
  readonly at: string;
  readonly kind: 'state' | 'progress' | 'log';
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Everything a run publishes, in one transaction. `version` is assigned by the store (previous + 1, from 1). Tehsils of its layers, tables
 * and series become active with the units above them, but those that an operator made inactive (`PlaceStore.setActive`).
 */
export interface Deliverable {
  readonly items: readonly NewItem[];
  readonly layers: readonly NewLayer[];
  /** Sheets; each replaces the one of its name for its tehsil. */
  readonly tables?: readonly PublishedTable[];
  /** Series; each replaces the one of its name for its tehsil. */
  readonly series?: readonly PublishedSeries[];
  readonly timings: Readonly<Record<string, number>>;
  /** As `Run.inputs`; left out where the result must not answer a later request (data were missing). */
  readonly inputs?: string;
}

/** Which runs to list. `ownerId` undefined = everybody's, `parentId` undefined = with a parent or without. */
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
   * Stores a queued run, or returns the run in flight (queued/running, not cancel-requested) with the same fingerprint. With a
   * key that is known already, returns its run instead (`joined`); else the key is the run's from now on, in the same step.
   * Throws `key_reused` for a key that is known with another request, and `throttled` where a new run would be one more than
   * `mostOpen`; of several requests at once no more than that many pass, and a refused one leaves nothing behind.
   */
  enqueue(run: NewRun, options?: EnqueueOptions): Promise<EnqueuedRun>;
  /** The run that answered this key first. Throws `key_reused` when that was another request. */
  keyedRun(key: RequestKey): Promise<Run | undefined>;
  /** Gives an unknown key to an existing run; returns the run that has it then. Throws as `keyedRun`. */
  bindKey(key: RequestKey, runId: string): Promise<Run>;
  /** The newest run with this fingerprint that succeeded and told its inputs, while all of its Items, tables and series are shown. */
  resultOf(fingerprint: string): Promise<Run | undefined>;
  get(id: string): Promise<Run | undefined>;
  /** Newest first, without the member `bulk` of their parameters: a page of them would be too much to hold. */
  list(filter: RunFilter): Promise<{ readonly runs: readonly Run[]; readonly total: number }>;
  /**
   * Takes a queued run, or a running one whose lease ended; attempt and token grow by 1. Without a queue the oldest. In a queue first
   * the oldest that was begun before, then the oldest of the owner whose last claim there is longest ago (never: of the one that came
   * first): who has queued a thousand keeps nobody waiting for more than one. Runs without an owner are as those of one owner. A run that waits for others is
   * taken when all of them have succeeded. A run that has used its attempts becomes `failed` (`crashed_repeatedly`), one with a
   * cancel request becomes `failed` (`cancelled`), one that waits for a failed run becomes `failed` (`dependency_failed`); they are
   * passed over.
   */
  claim(options: ClaimOptions): Promise<Run | undefined>;
  /** How a queue of local runs gets on. */
  queueState(queue: string): Promise<QueueState>;
  heartbeat(id: string, token: number, beat: Heartbeat): Promise<WriteOutcome>;
  /** The same for many runs in one step; gives their outcomes in their order. A run may stand there once. */
  heartbeats(beats: readonly RunHeartbeat[], leaseMs: number): Promise<readonly WriteOutcome[]>;
  /** Of runs with these fingerprints how far those are that are running and not asked to stop. */
  progressOf(fingerprints: readonly string[]): Promise<readonly RunProgress[]>;
  /**
   * Ends a run as failed, and with it what it asked for, as `requestCancel` does: nobody takes the result any more. `lost` when the token is
   * stale or the run has ended.
   */
  fail(id: string, token: number, failure: RunFailure): Promise<WriteOutcome>;
  /** Puts a running run back in the queue without using up its attempt (orderly shutdown). */
  release(id: string, token: number): Promise<WriteOutcome>;
  /**
   * Leaves a running run alone for a pause, after which any worker claims it for its next attempt. No worker has it until then, so a cancel
   * ends it at once; one that came before ends it here (`cancelled`).
   */
  park(id: string, token: number, pauseMs: number): Promise<WriteOutcome>;
  /**
   * Checks the token, replaces Items, layers, tables and series, bumps versions, marks success: one transaction, all or nothing.
   * Throws `conflict` for names of another place (a layer's, a Collection's), `internal` for data that contradict themselves (`checkData`).
   */
  publish(id: string, token: number, given: Deliverable & WithForm): Promise<WriteOutcome>;
  /** Notes before and after a trigger what the orchestrator is asked, so that another process can go on from there. */
  dispatch(id: string, token: number, dispatch: Dispatch): Promise<WriteOutcome>;
  /**
   * Ends a run as a success by the result that another run published: Items and timings are that one's. Throws `internal` where that
   * one did not succeed. `inputs` stays null: later requests are asked anew.
   */
  complete(id: string, token: number, publishedBy: string): Promise<WriteOutcome>;
  /**
   * Queued, parked, or running with its lease over: ends at once as failed/`cancelled` (at an orchestrator: only while queued). Running: asks the worker. Ended: no change. Undefined when unknown. With a run in flight
   * those go that it asked for (`parentId`), unless a run waits for one of them that goes on.
   */
  requestCancel(id: string): Promise<Run | undefined>;
  /**
   * Ends imports whose process died, since no worker takes them up: as failed/`unavailable` those running whose lease is over, and those
   * queued for `queuedMs` or longer, which their process would have claimed at once. Gives how many.
   */
  endAbandonedImports(queuedMs: number): Promise<number>;
  /**
   * Gives local runs to another queue whose own one is that of a single process (`isOwnQueue`) that has died: no lease in it lives, and
   * nothing was stored there or ended in the last `silentMs`. Gives how many.
   */
  adoptAbandoned(by: Adoption): Promise<number>;
  /** Appends; returns with `seq`. State changes made by the methods above append their own `state` events. */
  appendEvent(id: string, event: Pick<RunEvent, 'kind' | 'data'>): Promise<RunEvent>;
  /** Events with seq > after, ascending, at most `limit`. */
  events(id: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /**
   * Attempts whose folders are in use: the one at work of a running run, those that published something still shown, and
   * those that showed their last one less than `keepMs` ago (default 0). Notes since when an attempt shows nothing: the time is
   * stored, so that a restart changes nothing about it.
   */
  liveAttempts(keepMs?: number): Promise<readonly { readonly id: string; readonly token: number }[]>;
  /** One step of the removal by age; removes nothing while another process is at it. */
  removeOld(ages: RunAges): Promise<RemovedRuns>;
}
