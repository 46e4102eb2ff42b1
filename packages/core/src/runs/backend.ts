import type { Addresses, Clock, Logger } from '../ports/host.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { RunBackend, RunStore } from '../ports/runs.ts';
import type { RunSignals } from './signals.ts';
import type { Timers } from '../timing/timers.ts';
import type { ItemCheck, PipelineRegistry, RunWorker } from './types.ts';

/** Place of computation of new runs; chosen once, when a service is composed. */
export interface ComputeBackend {
  /** Stored with each new run. */
  readonly name: RunBackend;
  /** Starts processing runs of this backend. Returns at once; safe to call twice. */
  start(): void;
  /** Stops local processing; its runs continue elsewhere or are claimed later. Safe to call twice. */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** The orchestrator's workflow, as offered to callers; absent without an orchestrator. */
  readonly workflow?: Workflow;
  /** Health check: describes the system that it depends on; throws if that does not work. */
  probe?(): Promise<string>;
}

/** A run of the workflow that a caller started directly. */
export interface WorkflowRun {
  readonly dagRunId: string;
  readonly state: 'queued' | 'running' | 'success' | 'failed';
}

/** Reason why such a run failed. */
export interface WorkflowFailure {
  /** The task that failed first; null if none failed or none is known. */
  readonly task: string | null;
  readonly reason: string;
  /** Lines of its log, without secrets of the conf; empty if there are none. */
  readonly excerpt: string;
}

/** The only workflow of an orchestrator. All methods throw `upstream_failed` and `upstream_timeout`, and `not_found` for an unknown run. */
export interface Workflow {
  run(conf: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<WorkflowRun>;
  status(dagRunId: string, signal?: AbortSignal): Promise<WorkflowRun>;
  /**
   * Reason of a failed run. Undefined if it did not fail, and for a run started for a stored run, which reports its failure to its owner
   * itself.
   */
  failure(dagRunId: string, signal?: AbortSignal): Promise<WorkflowFailure | undefined>;
}

/** Dependencies that a service passes to its backend. */
export interface BackendParts {
  /** Emits signals to the rest of the process after each write. */
  readonly runs: RunStore;
  readonly signals: RunSignals;
  readonly pipelines: PipelineRegistry;
  readonly places: Pick<PlaceStore, 'placeOfTehsil'>;
  readonly checkItem: ItemCheck;
  /** Addresses as stored Items contain them. */
  readonly addresses: Pick<Addresses, 'catalog' | 'collection' | 'item'>;
  /** The status with which the service would answer one of its own addresses, such as that of a file; undefined for any other address. */
  readonly statusOf: (address: string) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Version of the service and its pipelines. */
  readonly version: string;
  /** Translates member names to their wire names. */
  readonly wireNames: (members: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** The worker of this process as the backend; without a worker, other processes execute the runs. */
export function localBackend(worker: RunWorker | undefined): ComputeBackend {
  return {
    name: 'local',
    start: () => worker?.start(),
    stop: async (options) => await worker?.stop(options),
  };
}
