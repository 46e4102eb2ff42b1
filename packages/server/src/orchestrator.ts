import type { HeadwaterOptions } from '@headwater/http-service';
import { jobTrigger, orchestratorBackend } from '@headwater/orchestrator-backend';
import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { Network } from '@headwater/net';
import type { Config } from './config/read-config.ts';

/** Asks for the first byte of a file elsewhere, through the door that all outgoing requests leave by. */
export function reachPublic({ allowedOrigins }: Config): (href: string, signal: AbortSignal) => Promise<number> {
  const network = new Network({ settings: { allowedOrigins } });
  return async (href, signal) => {
    const answer = await network.send({ href, headers: { range: 'bytes=0-0' } }, signal);
    answer.discard();
    return answer.status;
  };
}

/** What goes through the orchestrator, where one is configured: every pipeline, and jobs of the work service. */
export function orchestratorParts(
  config: Config,
): Pick<HeadwaterOptions, 'backend'> & Pick<NonNullable<HeadwaterOptions['workService']>, 'jobs'> {
  const { orchestrator, database, runLeaseSeconds } = config;
  if (orchestrator === undefined) return {};
  const { apiBase, dagId, jobDagId, credentials, unpause, serviceApiBase } = orchestrator;
  const client = createOrchestratorClient({
    baseUrl: apiBase,
    ...(credentials === undefined ? {} : { credentials }),
    unpause: unpause ? 'auto' : 'error',
  });
  const callAt = serviceApiBase ?? config.baseUrl;
  return {
    backend: orchestratorBackend({
      client,
      dagId,
      leaseMs: runLeaseSeconds * 1000,
      serviceApiBase: callAt,
      reach: reachPublic(config),
      // One process holds the embedded database: what it watched before a crash is its own again.
      ...(database === undefined ? { watcherId: 'embedded watcher' } : {}),
    }),
    jobs: jobTrigger({ client, dagId: jobDagId, serviceApiBase: callAt }),
  };
}
