import { type Logger, systemTimers } from '@headwater/core';
import type { DomainStores, SceneEngines } from '@headwater/core/ports';
import {
  createExporter,
  createGoogleApi,
  createSceneEngines,
  createUsageReader,
  DEFAULT_REQUESTS,
  EARTH_ENGINE_SCOPES,
  type GoogleApi,
  type GoogleHosts,
  SCENE_REMEDIES,
  SCENE_SCOPES,
  USAGE_REMEDIES,
  USAGE_SCOPES,
  type UsageReader,
} from '@headwater/earth-engine';
import type { EoExporter, EoExporterParts } from '@headwater/http-service';
import type { Network } from '@headwater/net';
import { freeBytesOf } from '@headwater/net/files';
import { accountIdentity, googleTokens, type ServiceAccount } from '@headwater/net/google';
import type { EarthEngineConfig, EarthEngineScenesConfig } from './config/storage.ts';
import type { ServerCredentials } from './eo-credentials.ts';
import { sceneFiles } from './scene-files.ts';

interface EarthEngineParts {
  readonly credentials: Pick<ServerCredentials, 'serviceOf'>;
  readonly network: Network;
}

/** Options of clients. `scopes`: OAuth scopes. `remedies`: sentences that follow the text of a failure. */
interface ClientOptions extends Pick<Parameters<typeof createGoogleApi>[0], 'remedies' | 'now'> {
  readonly hosts: GoogleHosts;
  readonly scopes: readonly string[];
  readonly network: Network;
}

/**
 * Creates a function that returns the client of a service account. Each account has one client, so that its requests
 * share a token.
 */
function clients({ scopes, network, ...options }: ClientOptions): (account: ServiceAccount) => GoogleApi {
  const known = new Map<string, GoogleApi>();
  return (account) => {
    const name = accountIdentity(account);
    const tokens = googleTokens({ account, scopes, network });
    const client = known.get(name) ?? createGoogleApi({ ...options, tokens, fetch });
    known.set(name, client);
    return client;
  };
}

/** Creates exports to Earth Engine with the credentials of accounts. */
export function earthEngineExporter(
  { hosts, ...settings }: EarthEngineConfig,
  { credentials, network }: EarthEngineParts,
): (parts: EoExporterParts) => EoExporter {
  return ({ clock, ...parts }) => {
    const now = (): Date => clock.now();
    const apiOf = clients({ hosts, scopes: EARTH_ENGINE_SCOPES, network, now });
    return createExporter({ ...parts, settings, now, apiOf, random: Math.random, serviceOf: credentials.serviceOf });
  };
}

interface ScenesParts extends EarthEngineParts {
  readonly stores: Pick<DomainStores, 'eoAccounts' | 'sceneUses'>;
  readonly logger: Logger;
  readonly scratchDir: string;
}

/** Creates engines that read scenes from Earth Engine with the credentials of accounts. */
export function earthEngineScenes(
  { hosts, parallel, mostBytes }: EarthEngineScenesConfig,
  { credentials, network, stores: { eoAccounts, sceneUses }, ...parts }: ScenesParts,
): SceneEngines {
  const now = (): Date => new Date();
  return createSceneEngines({
    ...parts,
    eoAccounts,
    sceneUses,
    mostBytes,
    freeBytes: freeBytesOf,
    now,
    files: sceneFiles,
    origin: hosts.earthEngine,
    settings: { ...DEFAULT_REQUESTS, parallel },
    serviceOf: credentials.serviceOf,
    apiOf: clients({ hosts, scopes: SCENE_SCOPES, network, now, remedies: SCENE_REMEDIES }),
    tools: { sleep: (ms, signal) => systemTimers.sleep(ms, signal), random: Math.random },
  });
}

/** Creates the reader of the Earth Engine computing time of runs, with the credentials of their accounts. */
export function earthEngineUsage(
  { hosts }: Pick<EarthEngineScenesConfig, 'hosts'>,
  {
    credentials,
    network,
    ...parts
  }: EarthEngineParts & { readonly stores: Pick<DomainStores, 'eoAccounts' | 'runs' | 'sceneUses'> } & {
    readonly logger: Logger;
  },
): UsageReader {
  const now = (): Date => new Date();
  return createUsageReader({
    ...parts,
    now,
    timers: systemTimers,
    serviceOf: credentials.serviceOf,
    apiOf: clients({ hosts, scopes: USAGE_SCOPES, network, now, remedies: USAGE_REMEDIES }),
  });
}
