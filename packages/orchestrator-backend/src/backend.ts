import type { BackendParts, ComputeBackend } from '@headwater/core/runs';
import { askFirstByte } from './item-files.ts';
import { probe } from './probe.ts';
import { logReach } from './reach-log.ts';
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
    const endLog = logReach(deps);
    return {
      name: 'orchestrator',
      start: watch.start,
      stop: async (given) => {
        await watch.stop(given);
        endLog();
      },
      workflow: workflowOf(deps),
      probe: () => probe({ client, dagId, lookMs: settings.probeMs }),
    };
  };
}
