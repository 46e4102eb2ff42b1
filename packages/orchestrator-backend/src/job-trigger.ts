import type { OrchestratorClient } from '@headwater/orchestrator-client';
import { domainError } from './failures.ts';

/** A piece of work that a client of the work service hands over. */
export interface Job {
  readonly id: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Where jobs go. */
export interface JobTriggerOptions {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  /** Where the orchestrator's workers reach this service. */
  readonly serviceApiBase: string;
}

/** Hands jobs to the workflow, each under its own id, so that a lost answer is no second run (wire-contract 6.1). */
export function jobTrigger({ client, dagId, serviceApiBase }: JobTriggerOptions): {
  trigger(job: Job, signal: AbortSignal): Promise<void>;
} {
  return {
    trigger: async ({ id, op, params }, signal) => {
      try {
        await client.trigger(dagId, { op, params, run_id: id, api_base: serviceApiBase }, { runId: id, signal });
      } catch (error) {
        throw domainError(error);
      }
    },
  };
}
