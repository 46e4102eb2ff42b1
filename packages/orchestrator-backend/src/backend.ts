import type { BackendParts, ComputeBackend } from '@headwater/core';
import { askFirstByte } from './item-files.ts';
import { watchRuns } from './run-watch.ts';
import { BACKEND_DEFAULTS, type BackendDeps, type OrchestratorBackendOptions } from './settings.ts';
import { workflowOf } from './workflow.ts';

/**
 * Every run of a service through one workflow of an orchestrator: stored first, triggered once, watched over restarts of the service
 * (of several on one store, one watches each run), and complete only when the workflow's run is a success that has a result.
 */
export function orchestratorBackend(options: OrchestratorBackendOptions): (parts: BackendParts) => ComputeBackend {
  return (parts) => {
    const { client, dagId, serviceApiBase, reach = askFirstByte, ...tuning } = options;
    const settings = { watcherId: globalThis.crypto.randomUUID(), ...BACKEND_DEFAULTS, ...tuning };
    const deps: BackendDeps = { ...parts, client, dagId, serviceApiBase, reach, settings };
    const watch = watchRuns(deps);
    return {
      name: 'orchestrator',
      start: watch.start,
      stop: watch.stop,
      workflow: workflowOf(deps),
      probe: () => probe(deps),
    };
  };
}

async function probe({ client, dagId }: BackendDeps): Promise<string> {
  const [version, health] = await Promise.all([client.version(), client.health()]);
  if (health.metadatabase === 'unhealthy') throw new Error('its database is unhealthy; see the orchestrator’s own log');
  // A SequentialExecutor is `unhealthy` while it runs one long task: told, not concluded from.
  return `version ${version}, scheduler ${health.scheduler ?? 'not told'}, workflow ${dagId}`;
}
