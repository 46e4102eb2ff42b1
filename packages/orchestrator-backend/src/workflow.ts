import type { Workflow, WorkflowRun } from '@headwater/core';
import { domainError } from './failures.ts';
import type { BackendDeps } from './settings.ts';

type Conf = Readonly<Record<string, unknown>>;

/** The workflow as callers may run it by themselves: nothing of such a run is stored here. */
export function workflowOf({
  client,
  dagId,
  serviceApiBase,
}: Pick<BackendDeps, 'client' | 'dagId' | 'serviceApiBase'>): Workflow {
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
        const run = await client.trigger(dagId, callingHere(conf, serviceApiBase), { signal });
        return { dagRunId: run.runId, state: await run.state({ signal }) };
      }),
    status: (dagRunId, signal) =>
      told(async () => ({ dagRunId, state: await client.run(dagId, dagRunId).state({ signal }) })),
  };
}

/** Workflows send the secret of the work service where `api_base` says: a caller does not choose that. */
function callingHere(conf: Conf, serviceApiBase: string | undefined): Conf {
  if (!Object.hasOwn(conf, 'api_base')) return conf;
  const { api_base: _named, ...rest } = conf;
  return serviceApiBase === undefined ? rest : { ...rest, api_base: serviceApiBase };
}
