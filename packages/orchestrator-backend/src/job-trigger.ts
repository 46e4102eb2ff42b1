import { dropOldest } from '@headwater/core/values';
import type { OrchestratorClient } from '@headwater/orchestrator-client';
import { domainError, failureOfReport, isMissing, triggerError } from './failures.ts';

/** A job of the work service. */
export interface Job {
  /** Id that is requested for the run at the orchestrator. */
  readonly id: string;
  /** Secret id under which the workflow posts the result; only the conf of the run contains it. */
  readonly secretId: string;
  readonly op: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Workflow that processes jobs, and the client of its orchestrator. */
export interface JobTriggerOptions {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  /** Address of this service for the orchestrator's workers. */
  readonly serviceApiBase: string;
}

/** Triggers jobs and reports their ends. */
export interface JobTrigger {
  /** Throws `upstream_timeout` if a run may have been started, and `upstream_failed` if no run was started. */
  trigger(job: Job, signal: AbortSignal): Promise<void>;
  /**
   * Returns the reason why no result of the job will be posted; undefined while the job's run is running. If the run
   * failed, the reason contains lines of its log.
   */
  ended(id: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Maximum number of remembered run ids that differ from the id of their job. */
const MOST_IDS = 1000;

/**
 * Creates a trigger of jobs on a workflow. Each run gets the id of its job, so that a retry after a lost response does
 * not start a second run.
 */
export function jobTrigger({ client, dagId, serviceApiBase }: JobTriggerOptions): JobTrigger {
  const otherIds = new Map<string, string>();
  return {
    trigger: async ({ id, secretId, op, params }, signal) => {
      try {
        const conf = { op, params, run_id: secretId, api_base: serviceApiBase };
        const { runId } = await client.trigger(dagId, conf, { runId: id, signal });
        // Some orchestrators ignore the requested id and create another id, which is then remembered.
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
        // An orchestrator that does not show its version may have created another id for the run. Only the process that
        // sent the trigger knows this other id, so in another process the end of the run remains unknown.
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
