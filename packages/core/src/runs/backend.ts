import type { Addresses, Clock, Logger } from '../ports/host.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { Run, RunBackend, RunStore } from '../ports/runs.ts';
import type { RunSignals } from './signals.ts';
import type { Timers } from '../timing/timers.ts';
import type { ItemCheck, PipelineRegistry, RunWorker } from './types.ts';

/** Component that computes new runs: workers of Headwater, or an orchestrator. */
export interface ComputeBackend {
  /** Name of the backend, stored with each new run. */
  readonly name: RunBackend;
  /** Starts to process runs of this backend. Returns immediately; safe to call twice. */
  start(): void;
  /** Stops the processing in this process; other processes or the orchestrator continue. Safe to call twice. */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** The orchestrator's workflow, which callers may start. */
  readonly workflow?: Workflow;
  /**
   * Address of the orchestrator's page of a run, without credentials; undefined before the orchestrator starts the run.
   */
  pageOf?(run: Pick<Run, 'dagId' | 'dagRunId'>): string | undefined;
  /** Returns a description of the system on which the backend depends; throws if the system does not work. */
  probe?(): Promise<string>;
}

/** A run of the workflow that a caller started directly. */
export interface WorkflowRun {
  readonly dagRunId: string;
  readonly state: 'queued' | 'running' | 'success' | 'failed';
}

/** Reason why a directly started run failed. */
export interface WorkflowFailure {
  /** The task that failed first, if known. */
  readonly task: string | null;
  readonly reason: string;
  /** Lines of the task's log, without secrets. */
  readonly excerpt: string;
}

/**
 * The workflow of an orchestrator. Methods throw `upstream_failed`, `upstream_timeout` and, for an unknown run,
 * `not_found`.
 */
export interface Workflow {
  run(conf: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<WorkflowRun>;
  status(dagRunId: string, signal?: AbortSignal): Promise<WorkflowRun>;
  /** Returns the reason why a directly started workflow run failed; undefined without a failure. */
  failure(dagRunId: string, signal?: AbortSignal): Promise<WorkflowFailure | undefined>;
}

/** Dependencies that a service passes to its backend. */
export interface BackendParts {
  /** Store of runs, which signals each write to other parts of the process. */
  readonly runs: RunStore;
  readonly signals: RunSignals;
  readonly pipelines: PipelineRegistry;
  readonly places: Pick<PlaceStore, 'placeOfTehsil'>;
  readonly checkItem: ItemCheck;
  /** Builder of the addresses that stored Items contain. */
  readonly addresses: Pick<Addresses, 'catalog' | 'collection' | 'item'>;
  /** Returns the status of one of the service's own addresses; undefined for other addresses. */
  readonly statusOf: (address: string) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /**
   * Returns members for a trigger's conf (its parameters), such as `traceparent`. With them, the workflow continues the
   * trace of the request.
   */
  readonly traceOf?: (runId: string) => Readonly<Record<string, string>>;
  /** Version of the service and its pipelines. */
  readonly version: string;
  /** Translates member names to their wire names. */
  readonly wireNames: (members: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** Backend of the worker in this process or, without a worker, of worker processes. */
export function localBackend(worker: RunWorker | undefined): ComputeBackend {
  return {
    name: 'local',
    start: () => worker?.start(),
    stop: async (options) => await worker?.stop(options),
  };
}
