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

/**
 * A `Pipeline<R, P>` with any R and P, so that a registry can contain pipelines of different types. Its functions are declared as methods.
 * TypeScript compares parameters of methods bivariantly, so every pipeline is assignable to this type. Call the methods only with output of the
 * same pipeline's schemas.
 */
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
  /**
   * True if the run is not new: an identical run of the same owner had not ended, a stored result is reused, or the
   * request's key is known.
   */
  readonly joined: boolean;
  /** True if the run had already ended. Its stored result is reused, because its inputs equal the present inputs. */
  readonly reused: boolean;
}

/** Outcome of a check of a request, which stores nothing. */
export interface RunPreview {
  /** The error with which `start` would refuse the request because needed data are missing; undefined if no data are missing. */
  readonly missing: DomainError | undefined;
  /** Pipelines of the runs that `withDependencies` would start first, in their order; undefined if no pipeline makes the missing data. */
  readonly makers: readonly string[] | undefined;
}

/** Options of starting a run. */
export interface StartOptions {
  /** True: computes again even if a result is stored. Default: false. If an identical run has not ended, the request always joins this run. */
  readonly overwrite?: boolean;
  /** Idempotency key. A repeated request with the same key gets the run of the first request. */
  readonly key?: string;
  /** Id of the HTTP request, as in the log. */
  readonly requestId?: string;
  /**
   * True: first makes the missing layers and tables, and the data that they need in turn. False, the default: refuses the request as
   * `missing_layer` if data are missing.
   */
  readonly withDependencies?: boolean;
}

/** Options of starting a run over a region. */
export interface RegionRunOptions {
  /** As `StartOptions.overwrite`. */
  readonly overwrite?: boolean;
  /** Id of the HTTP request, as in the log. */
  readonly requestId?: string;
  /** Maximum number of queued or running runs without owner, including the new run. Undefined: no maximum. */
  readonly mostOpen?: number | undefined;
  /** Key of the caller's address. Undefined: the run does not count towards `mostOfAddress`. */
  readonly from?: string | undefined;
  /** Maximum number of queued or running runs without owner from this address, including the new run. Undefined: no maximum. */
  readonly mostOfAddress?: number | undefined;
}

/** A state or a district, all of whose tehsils are computed. */
export interface ScopeArea {
  readonly scope: 'district' | 'state';
  readonly state: string;
  /** Required for a district. */
  readonly district?: string | undefined;
}

/** A request for all tehsils of a district or a state. */
export interface ScopeStart {
  readonly principal: RunPrincipal;
  readonly pipeline: AnyPipeline;
  readonly area: ScopeArea;
  /** Members of the pipeline's request; the names of the place are ignored. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly options: StartOptions;
}

/** A tehsil whose work could not be estimated, and the reason. */
export interface FailedEstimate {
  readonly district: string;
  readonly tehsil: string;
  readonly error: DomainError;
}

/** Expected work of a request, before anything is computed. */
export interface RunEstimate extends RunPreview {
  readonly tehsils: number;
  /** Area of all tehsils, km2. */
  readonly km2: number;
  /** Number of tehsils that were examined. `missing` and `makers` cover all examined tehsils. */
  readonly sampled: number;
  /** Number of examined tehsils whose needed data are missing. */
  readonly lacking: number;
  /** Tehsils of an area that were chosen for the sample and could not be examined. */
  readonly failed: readonly FailedEstimate[];
  /** Reads of scenes by all tehsils; undefined if the pipeline reads none, or if the engine cannot estimate them. */
  readonly reads: ReadEstimate | undefined;
  /** Scene engine that would read the scenes; undefined = the service's own sources. */
  readonly sceneEngine: Pick<SceneUsage, 'engine' | 'accountId'> | undefined;
  /** Reads of elevations by all tehsils; undefined if the reads are unknown, 0 if the pipeline reads no elevations. */
  readonly elevations: FileReads | undefined;
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

/** Several layers in one request. Each layer comes after the layers that it needs. */
export interface LayerOrder {
  /** Text that is equal for orders of the same nodes. */
  readonly fingerprint: string;
  readonly nodes: readonly OrderNode[];
  /** True: computes again even if results are stored. Default false. */
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
  /**
   * The run of the whole order: parent of the nodes' runs. It succeeds after all runs of nodes have succeeded, and fails
   * as soon as one of these runs fails.
   */
  readonly run: Run;
  readonly joined: boolean;
  readonly nodes: readonly StartedNode[];
}

/**
 * The user who requests runs. Users see their own runs, superusers all runs. Compatible with the `UserPrincipal` of `@headwater/identity`.
 */
export interface RunPrincipal {
  readonly user: { readonly id: number; readonly isSuperuser: boolean };
}

/** Filter and page of the caller's runs. */
export interface RunListQuery {
  readonly state?: RunState;
  /**
   * Id of a run: lists only the runs that this run requested. `any`: lists runs with or without a parent. Default: lists only runs without a
   * parent.
   */
  readonly parent?: string;
  /** Maximum number of runs on the page, 1-100. */
  readonly limit: number;
  /** Number of runs before the page, from 0. */
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
  /** Time of the line, ISO 8601 UTC. */
  readonly at: string;
  readonly message: string;
}

/**
 * Access of owners to their runs. The owner of a run and superusers see the run; other users get `not_found`. `waitFor` and `subscribe` do not
 * check access: pass only ids from `start` or `get`.
 */
export interface RunService {
  /**
   * Stores a run and returns it. `request`: output of `pipeline.request`. Throws the errors of `pipeline.resolve`,
   * and `key_reused` for a key that was used with another request. Throws `missing_layer` if needed layers or tables
   * are missing; the error has their names and the requests that make them. With `withDependencies`, starts the runs
   * that make the missing data instead; the new run waits for them.
   */
  start<P extends AnyPipeline>(
    principal: RunPrincipal,
    pipeline: P,
    request: z.output<P['request']>,
    options?: StartOptions,
  ): Promise<StartedRun>;
  /**
   * Checks a request as `start` does, stores nothing, and returns the missing data. Throws the errors of `pipeline.resolve`, also for the
   * pipelines that would make the missing data.
   */
  preview<P extends AnyPipeline>(
    principal: RunPrincipal,
    pipeline: P,
    request: z.output<P['request']>,
  ): Promise<RunPreview>;
  /**
   * Estimates the work of a request before anything is computed; stores nothing. `area`: all tehsils of a district or a state. Throws the errors
   * of `preview` and of the search for scenes. For an area, throws these errors only if no tehsil of the sample can be examined. Throws
   * `throttled` while an earlier estimate of the same user is running, or while this process runs its maximum number of estimates.
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
   * Starts a run without owner over a region, or joins an identical run. Throws the errors of
   * `pipeline.regions.resolve`. Throws `throttled` if `mostOpen` or `mostOfAddress` would be exceeded.
   */
  startRegion(pipeline: AnyPipeline, request: RegionRequest, options?: RegionRunOptions): Promise<StartedRun>;
  /**
   * The newest year that a pipeline can compute for a region; undefined if there is none. Throws `unavailable` if the search fails or takes more
   * than ten seconds. Throws `throttled` if four searches are running, or if a search of the same `caller` is running.
   */
  newestYear(
    pipeline: Pick<AnyPipeline, 'name' | 'regions'>,
    region: RegionRequest['region'],
    caller?: string,
  ): Promise<number | undefined>;
  /**
   * Returns the run with this id if it has no owner, or if a call of an orchestrator's worker (with a `run_token`)
   * started it; undefined otherwise. The caller is not checked, because ids cannot be guessed.
   */
  getUnowned(runId: string): Promise<Run | undefined>;
  /**
   * Starts a run over a district or a state. This run starts the runs of all tehsils, and ends after the last of these runs. Throws the errors
   * of `start`. A problem of one tehsil becomes a failure of this tehsil. The whole run counts as one run of its owner.
   */
  startScope(principal: RunPrincipal, start: Omit<ScopeStart, 'principal'>): Promise<StartedRun>;
  /** Returns the tehsils of a run over a district or a state; empty for any other run. */
  parts(principal: RunPrincipal, runId: string): Promise<readonly RunPart[]>;
  /** Pauses a run over a district or a state, or resumes it. Runs of tehsils that were already started continue. */
  pause(principal: RunPrincipal, runId: string, isPaused: boolean): Promise<Run>;
  /**
   * Computes the failed tehsils of a run over a district or a state again. Returns the run that computes the tehsils: the same run if it has not
   * ended, otherwise a new run that reuses the results of the other tehsils. Throws `conflict` if no tehsil has failed.
   */
  retryFailed(principal: RunPrincipal, runId: string, options?: Pick<StartOptions, 'requestId'>): Promise<Run>;
  /**
   * Starts the runs of several layers and of the data that they need. Each node starts after the nodes in its `after`. The whole order counts as
   * one run of its owner.
   */
  startOrder(principal: RunPrincipal, order: LayerOrder): Promise<StartedOrder>;
  get(principal: RunPrincipal, runId: string): Promise<Run>;
  list(principal: RunPrincipal, query: RunListQuery): Promise<RunPage>;
  /** Requests the end of a run and returns the run's present state. A running run ends a little later; an ended run does not change. */
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
  /** Returns the run after it has ended. Rejects with the signal's reason if the signal aborts first. */
  waitFor(runId: string, signal: AbortSignal): Promise<Run>;
  /** Stored and new events with seq > `afterSeq`. Ends after the run's last state event, and without an error if `signal` aborts. */
  subscribe(runId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<RunEvent>;
}

/** Worker in this process. It claims runs from the store and executes them. */
export interface RunWorker {
  /**
   * Takes over runs of a killed process with the same worker name, removes folders of dead attempts, then claims runs. The call returns
   * immediately and does not wait for these steps.
   */
  start(): void;
  /** Checks for queued runs now instead of at the next poll. */
  wake(): void;
  /** Number of runs that this worker executes now. */
  readonly active: number;
  /** Stage of the worker: it claims runs only after `start` and before `stop`. */
  readonly stage: 'not started' | 'started' | 'stopped';
  readonly queue: WorkerQueue;
  /**
   * Stops claiming, aborts the running attempts, waits at most `graceMs` for their end, and puts their runs back in the queue. Safe to call
   * twice.
   */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/**
 * Finding of an Item check, with only the members that a publication uses. Only errors stop a publication. A `Finding` of
 * `@headwater/stac` is assignable.
 */
export interface ItemFinding {
  readonly severity: 'error' | 'warning' | 'info';
  /** Stable id of the rule. */
  readonly rule: string;
  /** JSON pointer to the faulty value. */
  readonly pointer: string;
}

/** Checks one Item before it is published (`validateItem` of `@headwater/stac`). */
export type ItemCheck = (item: Readonly<Record<string, unknown>>) => readonly ItemFinding[];

/** Settings of a worker. `WORKER_DEFAULTS` has the defaults. */
export interface WorkerSettings {
  /**
   * Name of the worker, unique among the workers of one store; default: random. A worker that has the same name after a restart (one worker per
   * data folder) immediately takes over the runs of a killed process with this name. A worker with another name can claim these runs only after
   * the end of their leases.
   */
  readonly workerId: string;
  /** Queue from which the worker claims runs. */
  readonly queue: string;
  /** Maximum number of runs at the same time. */
  readonly concurrency: number;
  /** Time without a heartbeat after which another worker takes over a run. Workers send at least two heartbeats in this time. */
  readonly leaseMs: number;
  /** Poll interval of an empty queue. */
  readonly idleMs: number;
  /** Shortest pause between two progress writes. */
  readonly progressMs: number;
  readonly maxAttempts: number;
  /** Maximum number of running runs without owner, summed over all workers of the store; default: no maximum. */
  readonly mostUnowned?: number | undefined;
  /** Pause before a run is retried whose sources did not respond (`unavailable`), ms. The pause before a second retry is twice as long. */
  readonly retryMs: number;
  /**
   * Time for which files of replaced Items stay, ms; 0 = until the next check. The files stay, because a client that has read the old Item may
   * still request them.
   */
  readonly keepReplacedMs: number;
  /** Time for which progress and log lines of ended runs stay, ms; 0 = for ever. */
  readonly keepEventsMs: number;
  /** Time for which ended runs stay if none of their results is current, ms; 0 = for ever. */
  readonly keepRunsMs: number;
  /** Time for which a region stays after its last publication, ms; 0 = for ever. */
  readonly keepRegionsMs: number;
}
