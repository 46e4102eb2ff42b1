import type { Workflow, WorkflowRun } from '@headwater/core';
import { domainError } from './failures.ts';
import type { BackendDeps } from './settings.ts';

/** The workflow as callers may run it by themselves: nothing of such a run is stored here. */
export function workflowOf({ client, dagId }: Pick<BackendDeps, 'client' | 'dagId'>): Workflow {
  const told = async (work: () => Promise<WorkflowRun>): Promise<WorkflowRun> => {
    try {
      return await work();
    } catch (error) {
      throw domainError(error);
    }
  };
  return {
    run: (conf, signal) =>
      told(async () => {
        const run = await client.trigger(dagId, conf, { signal });
        return { dagRunId: run.runId, state: await run.state({ signal }) };
      }),
    status: (dagRunId, signal) =>
      told(async () => ({ dagRunId, state: await client.run(dagId, dagRunId).state({ signal }) })),
  };
}
