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
import type { DomainError } from '../errors.ts';
import type { MapStyle } from '../ports/map-server.ts';
import type { FileReads, ReadEstimate } from '../ports/pixels.ts';
import type { SceneUsage } from '../ports/scene-engines.ts';
import type { PixelPlan } from '../ports/pixel-plan.ts';
import type { Deliverable, Run, RunEvent, RunPart, RunState } from '../ports/runs.ts';
import type { WorkerQueue } from './claim-record.ts';

/** A `Pipeline<R, P>` with any R and P, for registries. Call its methods only with output of its own schemas. */
export interface AnyPipeline {
  readonly name: string;
  readonly route: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly examples: readonly PipelineExample<unknown>[];
  readonly messages: PipelineMessages;
  readonly listing?: PipelineListing;
  readonly styles?: readonly MapStyle[];
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
  plans?(params: unknown, ports: InputPorts, signal: AbortSignal): Promise<readonly PixelPlan[]>;
  execute(params: unknown, ports: PipelinePorts, context: PipelineContext): Promise<Deliverable>;
}

/** All pipelines of a service: as a list, and by name. */
export interface PipelineRegistry {
  readonly list: readonly AnyPipeline[];
  get(name: string): AnyPipeline | undefined;
}

/** Result of starting a run. */
export interface StartedRun {
  readonly run: Run;
  /** True if the returned run existed already. */
  readonly joined: boolean;
  /** True if the result of an ended run is reused, because its inputs equal the present inputs. */
  readonly reused: boolean;
}

/** Outcome of a check of a request. */
export interface RunPreview {
  /** Error with which `start` would refuse the request because data are missing. */
  readonly missing: DomainError | undefined;
  /** Pipelines that `withDependencies` would run first, in order; undefined if no pipeline makes the missing data. */
  readonly makers: readonly string[] | undefined;
}

/** Options of starting a run. */
export interface StartOptions {
  /** True: ignores stored results. An identical unfinished run is joined in any case. Default: false. */
  readonly overwrite?: boolean;
  /** Idempotency key: a repeated request gets the run of the first request. */
  readonly key?: string;
  readonly requestId?: string;
  /** True: first makes the missing data. False (default): throws `missing_layer` if data are missing. */
  readonly withDependencies?: boolean;
}

/** Options of starting a run over a region. */
export interface RegionRunOptions {
  /** See `StartOptions.overwrite`. */
  readonly overwrite?: boolean;
  readonly requestId?: string;
  /** Maximum number of unfinished runs without owner, including the new run. Default: no maximum. */
  readonly mostOpen?: number | undefined;
  /** Key of the caller's address; without it, `mostOfAddress` is ignored. */
  readonly from?: string | undefined;
  /** Maximum number of unfinished runs from this address, including the new run. Default: no maximum. */
  readonly mostOfAddress?: number | undefined;
}

/** A state or a district, all of whose tehsils are computed. */
export interface ScopeArea {
  readonly scope: 'district' | 'state';
  readonly state: string;
  /** Name of the district; required for a district. */
  readonly district?: string | undefined;
}

/** A request for all tehsils of a district or a state. */
export interface ScopeStart {
  readonly principal: RunPrincipal;
  readonly pipeline: AnyPipeline;
  readonly area: ScopeArea;
  /** Members of the pipeline's request; names of places are ignored. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly options: StartOptions;
}

/** A tehsil whose work could not be estimated. */
export interface FailedEstimate {
  readonly district: string;
  readonly tehsil: string;
  readonly error: DomainError;
}

/** Expected work of a request, before anything is computed. */
export interface RunEstimate extends RunPreview {
  readonly tehsils: number;
  readonly km2: number;
  /** Number of examined tehsils, without those in `failed`. The work of all tehsils is scaled from these. */
  readonly sampled: number;
  /** Number of examined tehsils for which data that the pipeline needs are missing. */
  readonly lacking: number;
  /** Tehsils that were chosen for the examination, but could not be examined. */
  readonly failed: readonly FailedEstimate[];
  /** Reads of scenes by all tehsils; undefined if unknown or if the pipeline reads none. */
  readonly reads: ReadEstimate | undefined;
  /** Scene engine of the request; undefined = the service's own sources. */
  readonly sceneEngine: Pick<SceneUsage, 'engine' | 'accountId'> | undefined;
  /** Reads of elevations by all tehsils; undefined if unknown. */
  readonly elevations: FileReads | undefined;
}

/** One run of an order. */
export interface OrderNode {
  readonly name: string;
  readonly pipeline: AnyPipeline;
  readonly request: unknown;
  readonly after: readonly string[];
}

/** Several layers in one request. Each layer comes after the layers that it needs. */
export interface LayerOrder {
  /** Text that is equal for orders with the same nodes. */
  readonly fingerprint: string;
  readonly nodes: readonly OrderNode[];
  /** True: ignores stored results. Default: false. */
  readonly overwrite?: boolean;
}

/** A started node of an order. */
export interface StartedNode {
  readonly name: string;
  readonly pipeline: string;
  readonly run: Run;
  readonly reused: boolean;
}

/** A started order. */
export interface StartedOrder {
  /** Parent of the nodes' runs. Succeeds after all nodes, and fails with the first failed node. */
  readonly run: Run;
  readonly joined: boolean;
  readonly nodes: readonly StartedNode[];
}

/** The user who requests runs. Users see their own runs, superusers all runs. */
export interface RunPrincipal {
  readonly user: { readonly id: number; readonly isSuperuser: boolean };
}

/** Filter and page of a list of runs. */
export interface RunListQuery {
  readonly state?: RunState;
  /**
   * Id of a run: lists the runs with this parent. `any`: lists all runs. Default: runs without a parent.
   */
  readonly parent?: string;
  readonly limit: number;
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
  readonly at: string;
  readonly message: string;
}

/**
 * Access of owners and superusers to runs; other users get `not_found`. `waitFor` and `subscribe` do not check access.
 */
export interface RunService {
  /**
   * Starts a run for a parsed request (output of `pipeline.request`), joins an identical run, or returns a stored
   * result. Throws `key_reused`, `missing_layer`, `throttled` at a limit, and the errors of `pipeline.resolve`.
   */
  start<P extends AnyPipeline>(
    principal: RunPrincipal,
    pipeline: P,
    request: z.output<P['request']>,
    options?: StartOptions,
  ): Promise<StartedRun>;
  /** Checks a request as `start` does and returns the missing data. Stores nothing. */
  preview<P extends AnyPipeline>(
    principal: RunPrincipal,
    pipeline: P,
    request: z.output<P['request']>,
  ): Promise<RunPreview>;
  /**
   * Estimates the work of a request or of all tehsils of `area`; stores nothing. Throws the errors of `preview`.
   * Throws `throttled` while an earlier estimate of the user, or too many estimates, are in progress.
   */
  estimate(
    principal: RunPrincipal,
    request: {
      readonly pipeline: AnyPipeline;
      readonly request: Readonly<Record<string, unknown>>;
      readonly area?: ScopeArea | undefined;
    },
    signal: AbortSignal,
  ): Promise<RunEstimate>;
  /**
   * Starts a run without owner over a region, joins an identical run, or returns a stored result. Throws `throttled`
   * at a limit, `missing_layer`, and the errors of `pipeline.regions.resolve`.
   */
  startRegion(pipeline: AnyPipeline, request: RegionRequest, options?: RegionRunOptions): Promise<StartedRun>;
  /**
   * The newest computable year of a region; undefined if none is found. Throws `unavailable` if the search fails.
   * Throws `throttled` while an earlier search of the caller, or too many searches, are in progress.
   */
  newestYear(
    pipeline: Pick<AnyPipeline, 'name' | 'regions'>,
    region: RegionRequest['region'],
    caller?: string,
  ): Promise<number | undefined>;
  /**
   * Returns a run without owner, or a run that an orchestrator's worker started. The caller is not checked, because ids
   * cannot be guessed.
   */
  getUnowned(runId: string): Promise<Run | undefined>;
  /**
   * Starts a run over all tehsils of a district or a state. A problem of one tehsil becomes a failure of this tehsil.
   */
  startScope(principal: RunPrincipal, start: Omit<ScopeStart, 'principal'>): Promise<StartedRun>;
  parts(principal: RunPrincipal, runId: string): Promise<readonly RunPart[]>;
  /** Pauses or resumes a run over a district or a state. Started tehsils continue. */
  pause(principal: RunPrincipal, runId: string, isPaused: boolean): Promise<Run>;
  /**
   * Computes the failed tehsils of a run again and returns the run that computes them. Throws `conflict` if no tehsil
   * has failed.
   */
  retryFailed(principal: RunPrincipal, runId: string, options?: Pick<StartOptions, 'requestId'>): Promise<Run>;
  /** Starts the runs of several layers. Each node starts after the nodes in its `after`. */
  startOrder(principal: RunPrincipal, order: LayerOrder): Promise<StartedOrder>;
  get(principal: RunPrincipal, runId: string): Promise<Run>;
  list(principal: RunPrincipal, query: RunListQuery): Promise<RunPage>;
  /** Requests the end of a run and returns its present state. */
  cancel(principal: RunPrincipal, runId: string): Promise<Run>;
  /** State changes and log lines with seq > `afterSeq`, oldest first, at most `limit` (1-10,000). */
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
  /** Returns the run after its end. Rejects with the signal's reason if the signal aborts first. */
  waitFor(runId: string, signal: AbortSignal): Promise<Run>;
  /** Stored and new events with seq > `afterSeq`, until the run ends or `signal` aborts. */
  subscribe(runId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<RunEvent>;
}

/** Worker in this process, which claims runs from the store and executes them. */
export interface RunWorker {
  /** Begins to claim runs, after a clean-up of dead attempts. Returns immediately. */
  start(): void;
  /** Checks for queued runs now instead of at the next poll. */
  wake(): void;
  readonly active: number;
  /** The worker claims runs only in the stage `started`. */
  readonly stage: 'not started' | 'started' | 'stopped';
  readonly queue: WorkerQueue;
  /** Stops claiming, aborts the running attempts, and puts their runs back in the queue after at most `graceMs`. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** Finding of an Item check. A `Finding` of `@headwater/stac` is assignable. */
export interface ItemFinding {
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable id of the rule. */
  readonly rule: string;
  readonly pointer: string;
}

/** Checks an Item before it is published (`validateItem` of `@headwater/stac`). */
export type ItemCheck = (item: Readonly<Record<string, unknown>>) => readonly ItemFinding[];

/** Settings of a worker. `WORKER_DEFAULTS` has the defaults. */
export interface WorkerSettings {
  /**
   * Unique name of the worker; default: random. After a crash, a worker of the same name takes over its runs at once.
   */
  readonly workerId: string;
  readonly queue: string;
  readonly concurrency: number;
  /** Time without a heartbeat after which another worker takes over a run. */
  readonly leaseMs: number;
  /** Poll interval of an empty queue. */
  readonly idleMs: number;
  readonly progressMs: number;
  readonly maxAttempts: number;
  /** Maximum number of running runs without owner on all workers of the store; default: no maximum. */
  readonly mostUnowned?: number | undefined;
  /** Pause before a run is first retried after `unavailable`, ms; doubled for each further retry. */
  readonly retryMs: number;
  /** Time for which files of replaced Items stay for clients that have read the old Item, ms. */
  readonly keepReplacedMs: number;
  /** Time for which progress and log lines of ended runs stay, ms; 0 = for ever. */
  readonly keepEventsMs: number;
  /** Time for which ended runs without a current result stay, ms; 0 = for ever. */
  readonly keepRunsMs: number;
  /** Time for which a region stays after its last publication, ms; 0 = for ever. */
  readonly keepRegionsMs: number;
}
