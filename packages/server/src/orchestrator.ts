import type { HeadwaterOptions } from '@headwater/http-service';
import { jobTrigger, orchestratorBackend, probeOrchestrator } from '@headwater/orchestrator-backend';
import { createOrchestratorClient, type OrchestratorClient } from '@headwater/orchestrator-client';
import { Network } from '@headwater/net';
import type { OrchestratorConfig } from './config/orchestration.ts';
import type { Config } from './config/read-config.ts';

/** Creates a function that requests the first byte of an external file and returns the status. */
export function reachPublic({ allowedOrigins }: Config): (href: string, signal: AbortSignal) => Promise<number> {
  const network = new Network({ settings: { allowedOrigins } });
  return async (href, signal) => {
    const answer = await network.send({ href, headers: { range: 'bytes=0-0' } }, signal);
    answer.discard();
    return answer.status;
  };
}

/** Backend and job trigger of the configured orchestrator. */
export function orchestratorParts(
  config: Config,
): Pick<NonNullable<HeadwaterOptions['compute']>, 'backend'> &
  Pick<NonNullable<HeadwaterOptions['workService']>, 'jobs'> {
  const { orchestrator, database, runLeaseSeconds } = config;
  if (orchestrator === undefined) return {};
  const { dagId, jobDagId, serviceApiBase } = orchestrator;
  const client = clientOf(orchestrator);
  const callAt = serviceApiBase ?? config.baseUrl;
  return {
    backend: orchestratorBackend({
      client,
      dagId,
      leaseMs: runLeaseSeconds * 1000,
      serviceApiBase: callAt,
      reach: reachPublic(config),
      // An embedded database has one watcher. Its id is constant, so that it continues its runs at once after a crash.
      ...(database === undefined ? { watcherId: 'embedded watcher' } : {}),
    }),
    jobs: jobTrigger({ client, dagId: jobDagId, serviceApiBase: callAt }),
  };
}

function clientOf({ apiBase, credentials, unpause }: OrchestratorConfig): OrchestratorClient {
  return createOrchestratorClient({
    baseUrl: apiBase,
    ...(credentials === undefined ? {} : { credentials }),
    unpause: unpause ? 'auto' : 'error',
  });
}

const CHECK_MS = 5000;

/** Checks the orchestrator; undefined if none is configured. Throws if the orchestrator cannot compute runs. */
export async function checkOrchestrator({ orchestrator }: Pick<Config, 'orchestrator'>): Promise<string | undefined> {
  if (orchestrator === undefined) return undefined;
  return await probeOrchestrator({ client: clientOf(orchestrator), dagId: orchestrator.dagId, timeoutMs: CHECK_MS });
}
