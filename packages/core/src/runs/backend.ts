import type { Addresses } from '../ports/addresses.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { RunBackend, RunStore } from '../ports/runs.ts';
import type { Clock, Logger } from '../ports/system.ts';
import type { RunSignals } from './signals.ts';
import type { Timers } from '../timing/timers.ts';
import type { ItemCheck, PipelineRegistry, RunWorker } from './types.ts';

/** Where new runs compute; chosen once, when a service is composed. */
export interface ComputeBackend {
  /** What new runs are stored with. */
  readonly name: RunBackend;
  /** Begins to work on runs of this backend. Returns at once; safe to call twice. */
  start(): void;
  /** Ends what it does here; its runs go on or are taken up later. Safe to call twice. */
  stop(options: { readonly graceMs: number }): Promise<void>;
  /** The orchestrator's workflow, as it is offered to callers; absent where there is none. */
  readonly workflow?: Workflow;
  /** Tells health what it stands on; throws when that does not work. */
  probe?(): Promise<string>;
}

/** A run of the workflow that a caller started by itself. */
export interface WorkflowRun {
  readonly dagRunId: string;
  readonly state: 'queued' | 'running' | 'success' | 'failed';
}

/** Why such a run failed. */
export interface WorkflowFailure {
  /** The task that failed first; null where none did, or none is known. */
  readonly task: string | null;
  readonly reason: string;
  /** Lines of its log, without secrets of the conf; empty where there are none. */
  readonly excerpt: string;
}

/** The one workflow of an orchestrator. All throw `upstream_failed` and `upstream_timeout`, `not_found` for a run that is not there. */
export interface Workflow {
  run(conf: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<WorkflowRun>;
  status(dagRunId: string, signal?: AbortSignal): Promise<WorkflowRun>;
  /** Why a run failed; undefined where it did not, and of a run that was started for a stored one, which tells its owner itself. */
  failure(dagRunId: string, signal?: AbortSignal): Promise<WorkflowFailure | undefined>;
}

/** What a service gives to the backend of its composition. */
export interface BackendParts {
  /** Nudges the rest of the process after each write. */
  readonly runs: RunStore;
  readonly signals: RunSignals;
  readonly pipelines: PipelineRegistry;
  readonly places: Pick<PlaceStore, 'placeOfTehsil'>;
  readonly checkItem: ItemCheck;
  /** As stored Items carry them. */
  readonly addresses: Pick<Addresses, 'catalog' | 'collection' | 'item'>;
  /** The status with which the service answers an address of its own, such as that of a file; undefined for any other address. */
  readonly statusOf: (address: string) => Promise<number | undefined>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
  /** Of the service and its pipelines. */
  readonly version: string;
  /** Members under their names on the wire. */
  readonly wireNames: (members: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** The worker of this process as the backend; without one, other processes work on the runs. */
export function localBackend(worker: RunWorker | undefined): ComputeBackend {
  return {
    name: 'local',
    start: () => worker?.start(),
    stop: async (options) => await worker?.stop(options),
  };
}
