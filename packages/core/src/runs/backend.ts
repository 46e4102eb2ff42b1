import type { Addresses, Clock, Logger } from '../ports/host.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { Run, RunBackend, RunStore } from '../ports/runs.ts';
import type { RunSignals } from './signals.ts';
import type { Timers } from '../timing/timers.ts';
import type { ItemCheck, PipelineRegistry, RunWorker } from './types.ts';

/** Part that computes new runs (workers of Headwater, or an orchestrator). It is set when a service is created. */
export interface ComputeBackend {
  /** Name of the backend, stored with each new run. */
  readonly name: RunBackend;
  /** Starts to process runs of this backend. Returns immediately; safe to call twice. */
  start(): void;
  /**
   * Stops the processing in this process. Runs that have not ended continue in other processes or at the orchestrator, or are claimed
   * later. Safe to call twice.
   */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** The orchestrator's workflow. Callers may start it. Absent if there is no orchestrator. */
  readonly workflow?: Workflow;
  /** Address of the orchestrator's own page of a run, without credentials; undefined if the orchestrator has not yet started the run. */
  pageOf?(run: Pick<Run, 'dagId' | 'dagRunId'>): string | undefined;
  /** Checks the system on which the backend depends and returns a description of it; throws if the system does not work. */
  probe?(): Promise<string>;
}

/** A run of the workflow that a caller started directly. */
export interface WorkflowRun {
  readonly dagRunId: string;
  readonly state: 'queued' | 'running' | 'success' | 'failed';
}

/** Reason why a directly started run failed. */
export interface WorkflowFailure {
  /** The task that failed first; null if no task failed, or if it is unknown. */
  readonly task: string | null;
  readonly reason: string;
  /** Lines of the task's log, without secrets of the conf; empty if there are none. */
  readonly excerpt: string;
}

/** The workflow of an orchestrator. All methods throw `upstream_failed` and `upstream_timeout`, and `not_found` for an unknown run. */
export interface Workflow {
  run(conf: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<WorkflowRun>;
  status(dagRunId: string, signal?: AbortSignal): Promise<WorkflowRun>;
  /**
   * Returns the reason why a run of the workflow failed. Undefined if the workflow's run did not fail. Also undefined if it was started for
   * a stored run, because the stored run reports the failure to its owner.
   */
  failure(dagRunId: string, signal?: AbortSignal): Promise<WorkflowFailure | undefined>;
}

/** Dependencies that a service passes to its backend. */
export interface BackendParts {
  /** Store of runs. After each write, the store emits a signal to the other parts of the process. */
  readonly runs: RunStore;
  readonly signals: RunSignals;
  readonly pipelines: PipelineRegistry;
  readonly places: Pick<PlaceStore, 'placeOfTehsil'>;
  readonly checkItem: ItemCheck;
  /** Addresses in the form that stored Items contain. */
  readonly addresses: Pick<Addresses, 'catalog' | 'collection' | 'item'>;
  /**
   * Returns the status with which the service would respond to one of its own addresses, such as the address of a file; undefined for other
   * addresses.
   */
  readonly statusOf: (address: string) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Members of a trigger's conf that continue the trace of the request for this run (`traceparent`). Default: none. */
  readonly traceOf?: (runId: string) => Readonly<Record<string, string>>;
  /** Version of the service and its pipelines. */
  readonly version: string;
  /** Translates member names to their wire names. */
  readonly wireNames: (members: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** Backend whose runs are executed by the worker of this process or, if this process has none, by worker processes. */
export function localBackend(worker: RunWorker | undefined): ComputeBackend {
  return {
    name: 'local',
    start: () => worker?.start(),
    stop: async (options) => await worker?.stop(options),
  };
}
