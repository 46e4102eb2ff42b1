import type { BackendParts, ComputeBackend } from '@headwater/core/runs';
import { fetchFirstByte } from './item-files.ts';
import { probe } from './probe.ts';
import { logOutages } from './outage-log.ts';
import { watchRuns } from './run-watch.ts';
import { BACKEND_DEFAULTS, type BackendDeps, type OrchestratorBackendOptions } from './settings.ts';
import { workflowOf } from './workflow.ts';

/**
 * Computes every run of a service by one workflow of an orchestrator. A run is stored, then triggered once and watched across restarts. If several
 * services share a store, one of them watches the run. The run is complete when the run of the workflow has succeeded with a result.
 */
export function orchestratorBackend(options: OrchestratorBackendOptions): (parts: BackendParts) => ComputeBackend {
  return (parts) => {
    const { client, dagId, serviceApiBase, reach = fetchFirstByte, ...tuning } = options;
    const settings = { watcherId: globalThis.crypto.randomUUID(), ...BACKEND_DEFAULTS, ...tuning };
    const deps: BackendDeps = { ...parts, client, dagId, serviceApiBase, reach, settings };
    const watch = watchRuns(deps);
    const endLog = logOutages(deps);
    return {
      name: 'orchestrator',
      start: watch.start,
      stop: async (options) => {
        await watch.stop(options);
        endLog();
      },
      workflow: workflowOf(deps),
      pageOf: ({ dagId: of, dagRunId }) => {
        if (of === null || dagRunId === null) return undefined;
        return `${client.address.replace(/\/$/, '')}/dags/${encodeURIComponent(of)}/grid?dag_run_id=${encodeURIComponent(dagRunId)}`;
      },
      probe: () => probe({ client, dagId, timeoutMs: settings.probeMs }),
    };
  };
}
