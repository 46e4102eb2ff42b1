import type { BackendParts } from '@headwater/core/runs';
import type { OrchestratorClient } from '@headwater/orchestrator-client';

/** Options of the backend; only `client` and `dagId` are required. */
export interface OrchestratorBackendOptions {
  readonly client: OrchestratorClient;
  /** Workflow that computes the runs of all pipelines. */
  readonly dagId: string;
  /** Address of this service for the orchestrator's workers, in the conf of each run. */
  readonly serviceApiBase?: string;
  /**
   * Requests a file of an Item; returns the status. Default: `fetch`. If other people may use the orchestrator, pass a
   * function that requests only public hosts.
   */
  readonly reach?: (href: string, signal: AbortSignal) => Promise<number>;
  /**
   * Unique id of this process as a watcher of workflow runs; default: random. A process with the id of a killed process
   * takes over its runs at once; other processes wait for the end of the lease.
   */
  readonly watcherId?: string;
  /** Time without a heartbeat after which another watcher takes over the run, ms. */
  readonly leaseMs?: number;
  /** Pause after a claim that found no run, ms. It ends early if the store reports a new run. */
  readonly idleMs?: number;
  /**
   * Longest tolerated outage, ms. In a longer outage, runs that are being started, concluded or cancelled fail; running
   * workflows are watched without a limit.
   */
  readonly patienceMs?: number;
  /** Timeout of the health check, ms. */
  readonly probeMs?: number;
  /** Timeout of a request for the state or failure of a direct run, which the service does not store, ms. */
  readonly answerMs?: number;
  /** Pause before a retry, ms. */
  readonly retryMs?: number;
  /** Maximum number of runs that are triggered, concluded or cancelled at a time. */
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
