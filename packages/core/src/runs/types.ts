import type { z } from 'zod';
import type { Need } from '../pipelines/needs.ts';
import type {
  InputPorts,
  PipelineContext,
  PipelineDatasets,
  PipelineExample,
  PipelineMessages,
  PipelinePorts,
  PipelineStep,
  RegionRequest,
  ResolvePorts,
} from '../pipelines/pipeline.ts';
import type { Deliverable, Run, RunEvent, RunState } from '../ports/runs.ts';
import type { WorkerQueue } from './claim-record.ts';

/**
 * A `Pipeline<R, P>` of any R and P, so that a registry can hold several. Its functions are methods on purpose:
 * method parameters are bivariant, which is what lets every pipeline be one of these. They are only ever called with what
 * the same pipeline's schemas gave.
 */
export interface AnyPipeline {
  readonly name: string;
  readonly route: string;
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly examples: readonly PipelineExample<unknown>[];
  readonly messages: PipelineMessages;
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

/** What starting gives. */
export interface StartedRun {
  readonly run: Run;
  /** An identical run of the same owner was in flight or its result is stored, or the request's key is known. */
  readonly joined: boolean;
  /** The run ended before: its stored result answers, since its inputs are what they would be now. */
  readonly reused: boolean;
}

/** How to start a run. */
export interface StartOptions {
  /** Compute anew, whatever is stored; default false. A run that is computing already is joined all the same. */
  readonly overwrite?: boolean;
  /** The caller's own name for this request: its repetition gets the run of the first answer. */
  readonly key?: string;
  /** The request that asks, as the log names it. */
  readonly requestId?: string;
  /** Make what is missing first, and what that needs; default false: a request that lacks something is refused (`missing_layer`). */
  readonly withDependencies?: boolean;
}

/** How to start a run over a region. */
export interface RegionRunOptions {
  /** As `StartOptions.overwrite`. */
  readonly overwrite?: boolean;
  /** The request that asked for it, as the log names it. */
  readonly requestId?: string;
  /** How many runs without owner may be queued or running, the new one included; left out: any number. */
  readonly mostOpen?: number | undefined;
}

/** A node of an order. */
export interface OrderNode {
  readonly name: string;
  readonly pipeline: AnyPipeline;
  /** What `pipeline.request` gave. */
  readonly request: unknown;
  /** Names of nodes, all of them before this one, that have to succeed first. */
  readonly after: readonly string[];
}

/** Several layers, one behind the other where one needs the other. */
export interface LayerOrder {
  /** Equal for orders that would do the same work. */
  readonly fingerprint: string;
  readonly nodes: readonly OrderNode[];
  /** Compute anew, whatever is stored; default false. */
  readonly overwrite?: boolean;
}

/** A node of an order that was started. */
export interface StartedNode {
  readonly name: string;
  readonly pipeline: string;
  readonly run: Run;
  /** A stored result answers, whose inputs are those of today. */
  readonly reused: boolean;
}

/** An order that was started. */
export interface StartedOrder {
  /** The run that stands for all: parent of the others, it ends well when they have, and fails with the first that fails. */
  readonly run: Run;
  readonly joined: boolean;
  readonly nodes: readonly StartedNode[];
}

/** The user who asks for runs: he sees his own, a superuser sees all. The `UserPrincipal` of `@headwater/identity` is one. */
export interface RunPrincipal {
  readonly user: { readonly id: number; readonly isSuperuser: boolean };
}

/** Which of the caller's runs to list. */
export interface RunListQuery {
  readonly state?: RunState;
  /** 1-100. */
  readonly limit: number;
  /** From 0. */
  readonly offset: number;
}

/** A page of runs, newest first, and how many there are in all. */
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
 * Runs as their owners see them. Owner and superuser see a run; for anybody else it does not exist (`not_found`).
 * `waitFor` and `subscribe` take an id that was obtained through `start` or `get`, so they check nothing again.
 */
export interface RunService {
  /**
   * Stores the run before it answers. `request`: what `pipeline.request` gave. Throws what `pipeline.resolve` throws, and
   * `key_reused` for a key that came with another request. Where something is missing that the pipeline needs: `missing_layer`, whose
   * details name each with the request that makes it, or with `withDependencies` a run that waits for those that make it.
   */
  start<P extends AnyPipeline>(
    principal: RunPrincipal,
    pipeline: P,
    request: z.output<P['request']>,
    options?: StartOptions,
  ): Promise<StartedRun>;
  /**
   * Starts a run over a region for nobody in particular, or joins an identical one. Throws what `pipeline.regions.resolve` throws, and
   * `throttled` beyond `mostOpen`.
   */
  startRegion(pipeline: AnyPipeline, request: RegionRequest, options?: RegionRunOptions): Promise<StartedRun>;
  /** A run that has no owner, or that a callback began, by its id, which nobody can guess; undefined for any other. */
  getUnowned(runId: string): Promise<Run | undefined>;
  /** Starts several layers, each with what it needs, each behind those that it names; counts as one run of its owner. */
  startOrder(principal: RunPrincipal, order: LayerOrder): Promise<StartedOrder>;
  get(principal: RunPrincipal, runId: string): Promise<Run>;
  list(principal: RunPrincipal, query: RunListQuery): Promise<RunPage>;
  /** Asks for the end; returns the run as it is then (a running one ends a little later). Ended runs do not change. */
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
  /** The run as it ended. Rejects with the signal's reason when that aborts first. */
  waitFor(runId: string, signal: AbortSignal): Promise<Run>;
  /** Events with seq > `afterSeq` as they happen; ends after the final state event, or quietly when `signal` aborts. */
  subscribe(runId: string, afterSeq: number, signal: AbortSignal): AsyncIterable<RunEvent>;
}

/** The in-process task runner: claims runs from the store and executes them. */
export interface RunWorker {
  /** Removes folders of dead attempts, takes up what a killed process of its name left, then claims. Returns at once. */
  start(): void;
  /** Looks for queued runs now rather than at the next poll. */
  wake(): void;
  /** Number of runs at work here. */
  readonly active: number;
  /** Where it stands: it works only after `start` and before `stop`. */
  readonly stage: 'not started' | 'started' | 'stopped';
  readonly queue: WorkerQueue;
  /** Stops claiming, aborts what runs, gives it `graceMs` to unwind, and puts it back in the queue. Safe to call twice. */
  stop(options: { readonly graceMs: number }): Promise<void>;
}

/** What of a finding matters here; only errors stop a publication. A `Finding` of `@headwater/stac` is one. */
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
   * Unique among the workers of one store; default: random. Where it stays the same over restarts (one worker per data
   * folder), what a killed process of this name left running is taken up at once instead of when its lease ends.
   */
  readonly workerId: string;
  /** Where it takes runs from; those of other queues are for other workers. */
  readonly queue: string;
  /** Runs at a time. */
  readonly concurrency: number;
  /** A run whose worker was silent for this long is taken over. Heartbeats come three times as often. */
  readonly leaseMs: number;
  /** Pause between looks at an empty queue. */
  readonly idleMs: number;
  /** Shortest pause between two progress writes. */
  readonly progressMs: number;
  readonly maxAttempts: number;
  /** Runs without owner at a time, those of all workers of the store together; default: any number. */
  readonly mostUnowned?: number | undefined;
  /** Pause before a run is tried again whose sources did not answer (`unavailable`); the second pause is twice as long. */
  readonly retryMs: number;
  /** How long files of replaced Items stay, ms; 0 = until the next look. Somebody may hold the old Item and still read them. */
  readonly keepReplacedMs: number;
  /** How long progress and log lines of ended runs stay, ms; 0 = for ever. */
  readonly keepEventsMs: number;
  /** How long ended runs stay of which nothing is shown, ms; 0 = for ever. */
  readonly keepRunsMs: number;
}
