import type { BackendParts } from '@headwater/core/runs';
import type { OrchestratorClient } from '@headwater/orchestrator-client';

/** Options of the backend of an orchestrator. Only `client` and `dagId` are required. */
export interface OrchestratorBackendOptions {
  readonly client: OrchestratorClient;
  /** Id of the workflow that computes the runs of all pipelines. */
  readonly dagId: string;
  /**
   * Address at which the orchestrator's workers reach this service. The conf contains this address, for workflows that have no address of
   * this service in their own settings.
   */
  readonly serviceApiBase?: string;
  /**
   * Requests a file of a workflow's Item from another server, and returns the status of the response. Default: `fetch`, from any host. If
   * other people may use the orchestrator, pass a function that allows public hosts only.
   */
  readonly reach?: (href: string, signal: AbortSignal) => Promise<number>;
  /**
   * Id that is unique among the watchers of one store; default: random. If a process has the same id as the killed process before it, it
   * takes over the runs of that process immediately. Otherwise it waits until their leases expire.
   */
  readonly watcherId?: string;
  /** Lease of a run, ms: after this time without a heartbeat another watcher takes over the run. */
  readonly leaseMs?: number;
  /** Pause between claims, ms. If the store reports new runs, the next claim follows immediately. */
  readonly idleMs?: number;
  /**
   * Longest outage of the orchestrator, ms. If an outage is longer, the start, the conclusion or the cancellation of a run fails. A running run is watched
   * without a limit; its step shows the start of the outage.
   */
  readonly patienceMs?: number;
  /** Timeout of the health check, ms. */
  readonly probeMs?: number;
  /** Timeout for reading the run of a workflow for a caller, ms. */
  readonly answerMs?: number;
  /** Pause before a retry, ms. */
  readonly retryMs?: number;
  /** Maximum number of runs that are triggered, concluded or cancelled at the same time. */
  readonly concurrency?: number;
}

const MINUTE_MS = 60_000;

/** Default settings. */
export const BACKEND_DEFAULTS = {
  leaseMs: MINUTE_MS,
  idleMs: 1000,
  patienceMs: 15 * MINUTE_MS,
  retryMs: 4000,
  probeMs: 4000,
  answerMs: 30_000,
  concurrency: 8,
} as const satisfies Partial<OrchestratorBackendOptions>;

/** Dependencies of every part of the backend. */
export interface BackendDeps extends BackendParts {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  readonly serviceApiBase: string | undefined;
  readonly reach: NonNullable<OrchestratorBackendOptions['reach']>;
  readonly settings: Required<Omit<OrchestratorBackendOptions, 'client' | 'dagId' | 'serviceApiBase' | 'reach'>>;
}
