import type { OrchestratorClient } from '@headwater/orchestrator-client';
import { domainError, failureOfReport } from './failures.ts';

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

/** Hands jobs over, and tells of their runs. */
export interface JobTrigger {
  trigger(job: Job, signal: AbortSignal): Promise<void>;
  /** Why nobody posts the result of a job any more, with lines of the log where its run failed; undefined while that goes on. */
  ended(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Hands jobs to the workflow, each under its own id, so that a lost answer is no second run (wire-contract 6.1). */
export function jobTrigger({ client, dagId, serviceApiBase }: JobTriggerOptions): JobTrigger {
  return {
    trigger: async ({ id, op, params }, signal) => {
      try {
        await client.trigger(dagId, { op, params, run_id: id, api_base: serviceApiBase }, { runId: id, signal });
      } catch (error) {
        throw domainError(error);
      }
    },
    ended: async (id, signal) => {
      try {
        const run = client.run(dagId, id);
        const state = await run.state({ signal });
        if (state === 'success') return withoutResult(dagId, id);
        if (state !== 'failed') return undefined;
        const { message, details } = failureOfReport(await run.logs({ signal }), undefined);
        return `${message}\n${details?.excerpt ?? ''}`.trimEnd();
      } catch (error) {
        throw domainError(error);
      }
    },
  };
}

const withoutResult = (dagId: string, id: string): string =>
  `At the orchestrator, run ${id} of DAG ${dagId} ended as a success and posted no result: DAG ${dagId} does no jobs. Name one that does ` +
  'as the workflow of jobs, such as that of deploy/airflow.';
