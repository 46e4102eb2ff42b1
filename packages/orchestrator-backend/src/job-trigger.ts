import { dropOldest } from '@headwater/core/values';
import type { OrchestratorClient } from '@headwater/orchestrator-client';
import { domainError, failureOfReport, isMissing, triggerError } from './failures.ts';

/** A job of the work service. */
export interface Job {
  /** Requested id of the run at the orchestrator. */
  readonly id: string;
  /** Secret id for the result; only the conf contains it. */
  readonly secretId: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Workflow that processes jobs, and its client. */
export interface JobTriggerOptions {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  /** Address of this service for the orchestrator's workers. */
  readonly serviceApiBase: string;
}

/** Triggers jobs and reports their ends. */
export interface JobTrigger {
  /** Throws `upstream_timeout` if a run may have been started, `upstream_failed` otherwise. */
  trigger(job: Job, signal: AbortSignal): Promise<void>;
  /** Reason why no result will come, with log lines; undefined while a result may still come. */
  ended(id: string, signal: AbortSignal): Promise<string | undefined>;
}

const MOST_IDS = 1000;

/** Creates a trigger of jobs. A run has the id of its job, so that a retry starts no second run. */
export function jobTrigger({ client, dagId, serviceApiBase }: JobTriggerOptions): JobTrigger {
  const otherIds = new Map<string, string>();
  return {
    trigger: async ({ id, secretId, op, params }, signal) => {
      try {
        const conf = { op, params, run_id: secretId, api_base: serviceApiBase };
        const { runId } = await client.trigger(dagId, conf, { runId: id, signal });
        // Some orchestrators create another id.
        if (runId !== id) otherIds.set(id, runId);
        dropOldest(otherIds, MOST_IDS);
      } catch (error) {
        throw triggerError(error);
      }
    },
    ended: async (id, signal) => {
      try {
        const run = client.run(dagId, otherIds.get(id) ?? id);
        const state = await run.state({ signal });
        if (state === 'success') return withoutResult(dagId, id);
        if (state !== 'failed') return undefined;
        const { message, details } = failureOfReport(await run.logs({ signal }), undefined);
        return `${message}\n${details?.excerpt ?? ''}`.trimEnd();
      } catch (error) {
        // If the version of the orchestrator is unknown, it may have created another id. Only the triggering process
        // knows this id, so the 404 does not show that the run is missing.
        const isOtherId = isMissing(error) && !otherIds.has(id) && !client.offers('version');
        if (isOtherId) return undefined;
        throw domainError(error);
      }
    },
  };
}

const withoutResult = (dagId: string, id: string): string =>
  `At the orchestrator, run ${id} of DAG ${dagId} ended as a success and posted no result: DAG ${dagId} does not process jobs. Configure a ` +
  'workflow that processes jobs, such as the workflow in deploy/airflow.';
