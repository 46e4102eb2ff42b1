import type { BackendParts } from '@headwater/core/runs';
import type { OrchestratorClient } from '@headwater/orchestrator-client';

/** What an orchestrator's backend is made of; only the first two have no default. */
export interface OrchestratorBackendOptions {
  readonly client: OrchestratorClient;
  /** The one workflow that computes every pipeline. */
  readonly dagId: string;
  /** Where the orchestrator's workers reach this service: the conf tells it, for workflows that have no setting of their own. */
  readonly serviceApiBase?: string;
  /**
   * Asks an address elsewhere that an Item of a workflow names as a file, and gives the status of the answer; default: by `fetch`, whatever
   * host it is. A service whose orchestrator others may use gives one that keeps to public hosts.
   */
  readonly reach?: (href: string, signal: AbortSignal) => Promise<number>;
  /**
   * Unique among the watchers of one store; default: random. Where it stays the same over restarts, what a killed process of this name
   * watched is taken up at once instead of when its lease ends.
   */
  readonly watcherId?: string;
  /** A run whose watcher was silent for this long is taken over by another. */
  readonly leaseMs?: number;
  /** Pause between looks for new runs; they are told at once where the store tells of them. */
  readonly idleMs?: number;
  /**
   * How long an orchestrator that does not answer is borne before a run fails that is to be started, concluded or ended there. A run that
   * goes on there is watched for as long as it takes: it tells since when nothing was heard of it.
   */
  readonly patienceMs?: number;
  /** How long health waits for the orchestrator before it tells that nothing answers. */
  readonly probeMs?: number;
  /** How long a look at a run of the workflow takes at most before its caller is told that nothing answers. */
  readonly answerMs?: number;
  /** Pause before a call that failed is tried again. */
  readonly retryMs?: number;
  /** Runs that are triggered, concluded or cancelled at a time. */
  readonly concurrency?: number;
}

const MINUTE_MS = 60_000;

/** Tuning where nothing else is said. */
export const BACKEND_DEFAULTS = {
  leaseMs: MINUTE_MS,
  idleMs: 1000,
  patienceMs: 15 * MINUTE_MS,
  retryMs: 4000,
  probeMs: 4000,
  answerMs: 30_000,
  concurrency: 8,
} as const satisfies Partial<OrchestratorBackendOptions>;

/** What every part of the backend stands on. */
export interface BackendDeps extends BackendParts {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  readonly serviceApiBase: string | undefined;
  readonly reach: NonNullable<OrchestratorBackendOptions['reach']>;
  readonly settings: Required<Omit<OrchestratorBackendOptions, 'client' | 'dagId' | 'serviceApiBase' | 'reach'>>;
}
