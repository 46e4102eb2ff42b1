import type { BackendParts } from '@headwater/core/runs';
import type { OrchestratorClient } from '@headwater/orchestrator-client';

/** Options of the backend of an orchestrator. Only `client` and `dagId` are required. */
export interface OrchestratorBackendOptions {
  readonly client: OrchestratorClient;
  /** Id of the workflow that computes the runs of all pipelines. */
  readonly dagId: string;
  /**
   * Address at which the orchestrator's workers reach this service. The conf of each run contains this address, for
   * workflows that have no setting for it.
   */
  readonly serviceApiBase?: string;
  /**
   * Requests a file of a workflow's Item from another server, and returns the status of the response. Default: `fetch`, from any host. If
   * other people may use the orchestrator, pass a function that allows public hosts only.
   */
  readonly reach?: (href: string, signal: AbortSignal) => Promise<number>;
  /**
   * Id that is unique among the watchers of one store; default: random. A process with the id of a killed process takes
   * over the runs of that process immediately. A process with another id waits until the leases of these runs expire.
   */
  readonly watcherId?: string;
  /** Lease of a run, ms: after this time without a heartbeat another watcher takes over the run. */
  readonly leaseMs?: number;
  /** Pause between claims, ms. If the store reports new runs, the next claim follows immediately. */
  readonly idleMs?: number;
  /**
   * Longest tolerated outage of the orchestrator, ms. In a longer outage, runs that are being started, concluded or
   * cancelled fail. A run that is running at the orchestrator is watched without a limit; its step names the time at
   * which the outage began.
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
