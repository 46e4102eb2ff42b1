import { isOrchestratorError, type OrchestratorClient } from '@headwater/orchestrator-client';

/** Dependencies of a health check of the orchestrator. */
export interface ProbeDeps {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  /** Timeout of the check, ms. */
  readonly timeoutMs: number;
}

/**
 * Describes the orchestrator; throws if a run could not be computed: it does not respond, refuses the credentials, or the workflow is
 * unknown, broken, or stays paused. Each request is sent once: health is about now, and its callers check again.
 */
export async function probe(deps: ProbeDeps): Promise<string> {
  const late = AbortSignal.timeout(deps.timeoutMs);
  try {
    return await check(deps, late);
  } catch (error) {
    if (isOrchestratorError(error, 'aborted'))
      throw new Error(`no response within ${deps.timeoutMs / 1000} s`, { cause: error });
    throw error;
  }
}

async function check({ client, dagId }: ProbeDeps, signal: AbortSignal): Promise<string> {
  const once = { signal, attempts: 1 };
  // First the requests without credentials, so that a wrong address is reported as such.
  const [version, health] = await Promise.all([client.version({ signal }), client.health(once)]);
  if (health.metadatabase === 'unhealthy')
    throw new Error('its database is unhealthy; see the log of the orchestrator');
  const { isActive, hasImportErrors, isPaused } = await client.dag(dagId, once);
  if (isActive === false)
    throw new Error(`workflow ${dagId}: its file is missing from the DAG folder of the orchestrator; put it back`);
  if (hasImportErrors)
    throw new Error(`workflow ${dagId}: its file cannot be imported; the orchestrator lists the import errors`);
  if (isPaused && client.unpausePolicy !== 'auto')
    throw new Error(`workflow ${dagId} is paused and its runs would stay queued; unpause it in the orchestrator`);
  // A SequentialExecutor is `unhealthy` while it runs one long task, so this is reported but no error.
  return `version ${version}, scheduler ${health.scheduler ?? 'of unknown health'}, workflow ${dagId}`;
}
