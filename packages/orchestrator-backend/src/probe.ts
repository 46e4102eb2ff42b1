import { isOrchestratorError, type OrchestratorClient } from '@headwater/orchestrator-client';

/** What a look at the orchestrator needs. */
export interface ProbeDeps {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  /** How long it may take. */
  readonly lookMs: number;
}

/**
 * Says which orchestrator computes; throws where a run would not get through: it does not answer, it refuses the credentials, or the workflow is
 * unknown, broken, or paused and stays so. Each question is asked once: who asks for health wants to know how it is now, and asks again.
 */
export async function probe(deps: ProbeDeps): Promise<string> {
  const late = AbortSignal.timeout(deps.lookMs);
  try {
    return await look(deps, late);
  } catch (error) {
    if (isOrchestratorError(error, 'aborted'))
      throw new Error(`no answer within ${deps.lookMs / 1000} s`, { cause: error });
    throw error;
  }
}

async function look({ client, dagId }: ProbeDeps, signal: AbortSignal): Promise<string> {
  const once = { signal, attempts: 1 };
  // What needs no credentials first: a wrong address is told as such.
  const [version, health] = await Promise.all([client.version({ signal }), client.health(once)]);
  if (health.metadatabase === 'unhealthy') throw new Error('its database is unhealthy; see the orchestrator’s own log');
  const { isActive, hasImportErrors, isPaused } = await client.dag(dagId, once);
  if (isActive === false)
    throw new Error(`workflow ${dagId}: its file has gone from the orchestrator’s DAG folder; put it back`);
  if (hasImportErrors)
    throw new Error(`workflow ${dagId}: its file cannot be imported; the orchestrator lists the import errors`);
  if (isPaused && client.unpausePolicy !== 'auto')
    throw new Error(`workflow ${dagId} is paused, its runs would stay queued; unpause it in the orchestrator`);
  // A SequentialExecutor is `unhealthy` while it runs one long task: told, not concluded from.
  return `version ${version}, scheduler ${health.scheduler ?? 'not told'}, workflow ${dagId}`;
}
