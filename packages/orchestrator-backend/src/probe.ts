import {
  isNotOffered,
  isOrchestratorError,
  isTransient,
  type OrchestratorClient,
} from '@headwater/orchestrator-client';
import { isMissing } from './failures.ts';

/** Dependencies of a health check. */
export interface ProbeDeps {
  readonly client: OrchestratorClient;
  readonly dagId: string;
  readonly timeoutMs: number;
}

/**
 * Describes the orchestrator. Throws if the orchestrator does not respond or refuses the credentials. Also throws
 * if the workflow is unknown or broken, or is paused and would not be unpaused before a run. Only requests for the
 * version and the token are retried.
 */
export async function probe(deps: ProbeDeps): Promise<string> {
  const late = AbortSignal.timeout(deps.timeoutMs);
  try {
    return await check(deps, late);
  } catch (error) {
    if (isOrchestratorError(error, 'aborted'))
      throw new Error(`no response within ${deps.timeoutMs / 1000} s; check that its web server is running`, {
        cause: error,
      });
    throw error;
  }
}

async function check({ client, dagId }: ProbeDeps, signal: AbortSignal): Promise<string> {
  const once = { signal, attempts: 1 };
  const read = <T>(call: OptionalCall, reading: Promise<T>): Promise<T | undefined> =>
    reading.catch((error: unknown) => {
      if (isOptional(client, call, error)) return undefined;
      throw error;
    });
  // The first requests are sent without credentials, so that a wrong address is not reported as wrong credentials.
  const [version, health] = await Promise.all([
    read('version', client.version({ signal })),
    read('health', client.health(once)),
  ]);
  if (health?.metadatabase === 'unhealthy')
    throw new Error('its database is unhealthy; see the log of the orchestrator');
  const dag = await read('dag', client.dag(dagId, once));
  const isVerified =
    dag !== undefined || (await isRunReadable({ client, dagId, isHealthShown: health !== undefined }, once));
  if (dag?.isActive === false)
    throw new Error(`workflow ${dagId}: its file is missing from the DAG folder of the orchestrator; put it back`);
  if (dag?.hasImportErrors === true)
    throw new Error(`workflow ${dagId}: its file cannot be imported; the orchestrator lists the import errors`);
  if (dag?.isPaused === true && client.unpausePolicy !== 'auto')
    throw new Error(`workflow ${dagId} is paused and its runs would stay queued; unpause it in the orchestrator`);
  // An `unhealthy` scheduler is shown, but is not an error, because a SequentialExecutor is `unhealthy` during a long
  // task.
  const limits = isVerified
    ? 'its state is not shown'
    : 'its state is not shown; whether its runs can be read is known only after the next run';
  const state = dag === undefined ? ` (${limits})` : '';
  return `version ${version ?? 'not shown'}, scheduler ${health?.scheduler ?? 'of unknown health'}, workflow ${dagId}${state}`;
}

type OptionalCall = Parameters<OrchestratorClient['offers']>[0];

/**
 * True if the orchestrator possibly does not offer the call. After a transient error, this is possible only if the call
 * never got a response.
 */
function isOptional(client: OrchestratorClient, call: OptionalCall, error: unknown): boolean {
  // An orchestrator that shows its version also shows its workflows, so the workflow is missing.
  if (isOrchestratorError(error, 'unknown_dag')) return !client.offers('version');
  if (isNotOffered(error)) return true;
  return isTransient(error) && !client.offers(call);
}

/** Id of a run that does not exist. A response about it shows that the credentials are accepted. */
const NO_RUN = 'headwater_health_check';

interface RunProbe extends Pick<ProbeDeps, 'client' | 'dagId'> {
  readonly isHealthShown: boolean;
}

/**
 * Requests a run that does not exist. True if runs can be read; false for a 404 that may come from another server.
 * Throws if the orchestrator does not respond or refuses the credentials.
 */
async function isRunReadable(
  { client, dagId, isHealthShown }: RunProbe,
  options: { readonly signal: AbortSignal; readonly attempts: number },
): Promise<boolean> {
  try {
    await client.run(dagId, NO_RUN).read(options);
    return true;
  } catch (error) {
    if (isOrchestratorError(error, 'unknown_run')) return true;
    const isOutage = client.offers('version') || client.offers('dag') || (client.offers('health') && !isHealthShown);
    if (isOutage || !isMissing(error)) throw error;
    return client.offers('run');
  }
}
