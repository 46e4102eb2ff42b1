import type { z } from 'zod';
import type { Need } from '../pipelines/needs.ts';
import type {
  InputPorts,
  PipelineContext,
  PipelineDatasets,
  PipelineExample,
  PipelineListing,
  PipelineMessages,
  PipelinePorts,
  PipelineStep,
  RegionRequest,
  RegionRuns,
  ResolvePorts,
} from '../pipelines/pipeline.ts';
import type { Deliverable, Run, RunEvent, RunState } from '../ports/runs.ts';
import type { WorkerQueue } from './claim-record.ts';

/**
 * A `Pipeline<R, P>` of any R and P, so that a registry can hold several. Its functions are methods on purpose: method parameters are
 * bivariant, so every pipeline is assignable. They are only called with output of the same pipeline's schemas.
 */
export interface AnyPipeline {
  readonly name: string;
  readonly route: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly examples: readonly PipelineExample<unknown>[];
  readonly messages: PipelineMessages;
  readonly listing?: PipelineListing;
  readonly credits?: readonly string[];
  readonly keywords?: readonly string[];
  readonly data?: readonly string[];
  readonly datasets?: Partial<PipelineDatasets>;
  readonly request: z.ZodObject;
  readonly params: z.ZodType;
  readonly steps: readonly PipelineStep[];
  resolve(request: unknown, ports: ResolvePorts): Promise<unknown>;
  readonly regions?: {
    readonly scheme: string;
    resolve(request: RegionRequest, ports: Pick<ResolvePorts, 'now'>): unknown;
    readonly newestYear?: RegionRuns<unknown>['newestYear'];
  };
  fingerprint(params: unknown): string;
  readonly dependsOn?: readonly string[];
  needs?(params: unknown, ports: ResolvePorts): readonly Need[] | Promise<readonly Need[]>;
  inputs?(params: unknown, ports: InputPorts, signal: AbortSignal): Promise<string>;
  execute(params: unknown, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable>;
}

/** Every pipeline of a service, by name and in order. */
export interface PipelineRegistry {
  readonly list: readonly AnyPipeline[];
  get(name: string): AnyPipeline | undefined;
}

/** Result of starting a run. */
export interface StartedRun {
  readonly run: Run;
  /** True if an identical run of the same owner was in flight, its result is stored, or the request's key is known. */
  readonly joined: boolean;
  /** True if the run ended before: its stored result is reused, since its inputs equal the present ones. */
  readonly reused: boolean;
}

/** Options of starting a run. */
export interface StartOptions {
  /** Compute again even if a result is stored; default false. An identical run in flight is joined in any case. */
  readonly overwrite?: boolean;
  /** Idempotency key: a repeated request with it gets the run of the first response. */
  readonly key?: string;
  /** Id of the HTTP request, as in the log. */
  readonly requestId?: string;
  /** Make missing needs first, and their needs; default false: a request with a missing need is refused (`missing_layer`). */
  readonly withDependencies?: boolean;
}

/** Options of starting a run over a region. */
export interface RegionRunOptions {
  /** As `StartOptions.overwrite`. */
  readonly overwrite?: boolean;
  /** Id of the HTTP request, as in the log. */
  readonly requestId?: string;
  /** Maximum number of queued or running runs without owner, the new one included; left out: no maximum. */
  readonly mostOpen?: number | undefined;
  /** Key of the caller's address; left out: the caller is not counted by address. */
  readonly from?: string | undefined;
  /** Maximum number of those from this address, the new one included; left out: no maximum. */
  readonly mostOfAddress?: number | undefined;
}

/** One run of an order. */
export interface OrderNode {
  readonly name: string;
  readonly pipeline: AnyPipeline;
  /** Request parsed by `pipeline.request`. */
  readonly request: unknown;
  /** Names of earlier nodes that have to succeed first. */
  readonly after: readonly string[];
}

/** Several layers, each after the layers that it needs. */
export interface LayerOrder {
  /** Equal for orders of the same work. */
  readonly fingerprint: string;
  readonly nodes: readonly OrderNode[];
  /** Compute again even if results are stored; default false. */
  readonly overwrite?: boolean;
}

/** A started node of an order. */
export interface StartedNode {
  readonly name: string;
  readonly pipeline: string;
  readonly run: Run;
  /** True if a stored result with the present inputs is reused. */
  readonly reused: boolean;
}

/** A started order. */
export interface StartedOrder {
  /** The run of the whole order: parent of the others. It succeeds when they all have, and fails with the first that fails. */
  readonly run: Run;
  readonly joined: boolean;
  readonly nodes: readonly StartedNode[];
}

/** The user who requests runs. A user sees own runs, a superuser all. Compatible with the `UserPrincipal` of `@headwater/identity`. */
export interface RunPrincipal {
  readonly user: { readonly id: number; readonly isSuperuser: boolean };
}

/** Filter and page of the caller's runs. */
export interface RunListQuery {
  readonly state?: RunState;
  /** 1-100. */
  readonly limit: number;
  /** From 0. */
  readonly offset: number;
}

/** A page of runs, newest first, with the total number. */
export interface RunPage {
  readonly runs: readonly Run[];
  readonly total: number;
}

/** One line of a run's log. */
export interface RunLogLine {
  readonly seq: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly message: string;
}

/**
 * Access of owners to their runs. Owner and superuser see a run; for other users it does not exist (`not_found`). `waitFor` and `subscribe`
 * do not check access: they take an id obtained through `start` or `get`.
 */
export interface RunService {
  /**
   * Stores the run before it returns. `request`: output of `pipeline.request`. Throws the errors of `pipeline.resolve`, and `key_reused`
   * for a key used with another request. If a need of the pipeline is missing, throws `missing_layer` with the name of each and the request
   * that makes it; with `withDependencies`, starts a run that waits for the runs that make them.
   */
  start<P extends AnyPipeline>(
    principal: RunPrincipal,
    pipeline: P,
    request: z.output<P['request']>,
    options?: StartOptions,
  ): Promise<StartedRun>;
  /**
   * Starts a run over a region without owner, or joins an identical one. Throws the errors of `pipeline.regions.resolve`, and `throttled`
   * beyond `mostOpen` and `mostOfAddress`.
   */
  startRegion(pipeline: AnyPipeline, request: RegionRequest, options?: RegionRunOptions): Promise<StartedRun>;
  /**
   * The newest year that a pipeline can compute for a region; undefined if there is none. Throws `unavailable` if the search fails or takes
   * more than ten seconds, and `throttled` beyond four searches at a time, or beyond one of the same `caller`.
   */
  newestYear(
    pipeline: Pick<AnyPipeline, 'name' | 'regions'>,
    region: RegionRequest['region'],
    caller?: string,
  ): Promise<number | undefined>;
  /** A run without owner, or one that a callback started, by its unguessable id; undefined for any other. */
  getUnowned(runId: string): Promise<Run | undefined>;
  /** Starts several layers with their needs, each after the nodes that it names; counts as one run of its owner. */
  startOrder(principal: RunPrincipal, order: LayerOrder): Promise<StartedOrder>;
  get(principal: RunPrincipal, runId: string): Promise<Run>;
  list(principal: RunPrincipal, query: RunListQuery): Promise<RunPage>;
  /** Requests the end of a run; returns its present state (a running one ends a little later). Ended runs do not change. */
  cancel(principal: RunPrincipal, runId: string): Promise<Run>;
  /** State changes and the pipeline's lines with seq > `afterSeq`, oldest first, at most `limit` (1-10,000). */
  log(
    principal: RunPrincipal,
    runId: string,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<readonly RunLogLine[]>;
  /** Events with seq > `afterSeq`, ascending, at most `limit`. */
  events(
    principal: RunPrincipal,
    runId: string,
    page: { readonly afterSeq: number; readonly limit: number },
  ): Promise<readonly RunEvent[]>;
  /** Returns the run after it has ended. Rejects with the signal's reason when that aborts first. */
  waitFor(runId: string, signal: AbortSignal): Promise<Run>;
  /** Events with seq > `afterSeq` as they happen. Ends after the final state event, or without error when `signal` aborts. */
  subscribe(runId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<RunEvent>;
}

/** The in-process task runner: claims runs from the store and executes them. */
export interface RunWorker {
  /** Removes folders of dead attempts, takes over runs of a killed process with its name, then claims. Returns at once. */
  start(): void;
  /** Checks for queued runs now instead of at the next poll. */
  wake(): void;
  /** Number of runs that this worker is executing. */
  readonly active: number;
  /** Stage of the worker: it claims runs only after `start` and before `stop`. */
  readonly stage: 'not started' | 'started' | 'stopped';
  readonly queue: WorkerQueue;
  /**
   * Stops claiming, aborts running attempts, waits `graceMs` for them to end, and puts their runs back in the queue. Safe to call twice.
   */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** Relevant members of a finding; only errors stop a publication. A `Finding` of `@headwater/stac` is assignable. */
export interface ItemFinding {
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable id of the rule. */
  readonly rule: string;
  /** JSON pointer to the value at fault. */
  readonly pointer: string;
}

/** Checks one Item before it is published (`validateItem` of `@headwater/stac`). */
export type ItemCheck = (item: Readonly<Record<string, unknown>>) => readonly ItemFinding[];

/** Tuning of a worker; everything has a default. */
export interface WorkerSettings {
  /**
   * Unique among the workers of one store; default: random. If it stays the same over restarts (one worker per data folder), runs of a
   * killed process with this name are taken over at once instead of when their leases end.
   */
  readonly workerId: string;
  /** Queue from which it claims runs. */
  readonly queue: string;
  /** Maximum number of runs at the same time. */
  readonly concurrency: number;
  /** A run is taken over after its worker sent no heartbeat for this time. Heartbeats come three times as often. */
  readonly leaseMs: number;
  /** Poll interval of an empty queue. */
  readonly idleMs: number;
  /** Shortest pause between two progress writes. */
  readonly progressMs: number;
  readonly maxAttempts: number;
  /** Maximum number of running runs without owner, over all workers of the store; default: no maximum. */
  readonly mostUnowned?: number | undefined;
  /** Pause before a run whose sources did not answer (`unavailable`) is retried; the second pause is twice as long. */
  readonly retryMs: number;
  /** Time for which files of replaced Items stay, ms; 0 = until the next check. A client may hold the old Item and still read them. */
  readonly keepReplacedMs: number;
  /** Time for which progress and log lines of ended runs stay, ms; 0 = for ever. */
  readonly keepEventsMs: number;
  /** Time for which ended runs without shown results stay, ms; 0 = for ever. */
  readonly keepRunsMs: number;
  /** Time for which a region stays after its last publication, ms; 0 = for ever. */
  readonly keepRegionsMs: number;
}
