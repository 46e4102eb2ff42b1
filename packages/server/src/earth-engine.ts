import { createExporter, createGoogleApi, EARTH_ENGINE_SCOPES, type GoogleApi } from '@headwater/earth-engine';
import type { EoExporter, EoExporterParts } from '@headwater/http-service';
import type { Network } from '@headwater/net';
import { googleTokens, type ServiceAccount } from '@headwater/net/google';
import type { EarthEngineConfig } from './config/storage.ts';
import type { ServerCredentials } from './eo-credentials.ts';

/** Parts of the server that exports use. */
interface EarthEngineParts {
  readonly credentials: Pick<ServerCredentials, 'serviceOf'>;
  /** Sends the requests for tokens. */
  readonly network: Network;
}

/** Creates exports to Earth Engine with the credentials of accounts. Each service account has one client, so its token is shared. */
export function earthEngineExporter(
  { hosts, ...settings }: EarthEngineConfig,
  { credentials, network }: EarthEngineParts,
): (parts: EoExporterParts) => EoExporter {
  return ({ clock, ...parts }) => {
    const now = (): Date => clock.now();
    const clients = new Map<string, GoogleApi>();
    const apiOf = (account: ServiceAccount): GoogleApi => {
      // A replaced key has another id.
      const name = `${account.email} ${account.keyId ?? ''}`;
      const tokens = googleTokens({ account, scopes: EARTH_ENGINE_SCOPES, network });
      const client = clients.get(name) ?? createGoogleApi({ hosts, tokens, fetch, now });
      clients.set(name, client);
      return client;
    };
    return createExporter({ ...parts, settings, now, apiOf, random: Math.random, serviceOf: credentials.serviceOf });
  };
}
