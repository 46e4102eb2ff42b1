import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DomainError, type EoAccount, messageOf } from '@headwater/core';
import { stateProblem } from '@headwater/core/places';
import type { EoAccountStore, SceneEngines } from '@headwater/core/ports';
import { accountIdentity, type ServiceAccount } from '@headwater/net/google';
import type { Limit } from '@headwater/net/retry';
import { type GoogleApi, PlatformError } from '../google-api.ts';
import { createUseNotes, type UseNotesParts } from '../usage/use-notes.ts';
import { createRequestLimit, createRequests, type RequestSettings, type RequestTools } from './requests.ts';
import { createSceneEngine, type SceneEngineParts } from './scene-engine.ts';

/** OAuth scope for reading scenes. */
export const SCENE_SCOPES: readonly string[] = ['https://www.googleapis.com/auth/earthengine.readonly'];

const CACHED_MS = 600_000;
const PROBE_MS = 10_000;
const SPENT_MS = 3_600_000;

/** Dependencies of `createSceneEngines`. */
export interface SceneEnginesParts
  extends Pick<SceneEngineParts, 'files' | 'scratchDir' | 'mostBytes' | 'freeBytes'>, UseNotesParts {
  readonly eoAccounts: Pick<EoAccountStore, 'byId' | 'change'>;
  readonly serviceOf: (account: EoAccount) => Promise<ServiceAccount>;
  readonly apiOf: (account: ServiceAccount) => GoogleApi;
  readonly origin: string;
  readonly settings: RequestSettings;
  readonly tools: RequestTools;
}

/** Creates the scene engines of Earth Engine accounts. Runs without such an account use the service's sources. */
export function createSceneEngines(parts: SceneEnginesParts): SceneEngines {
  const { eoAccounts, apiOf, origin, settings, tools, now, scratchDir } = parts;
  const limits = new Map<number, Limit>();
  const usableUntil = new Map<string, number>();
  const markSpent = async (id: number, pauseMs = SPENT_MS): Promise<void> => {
    await eoAccounts.change(id, { exhaustedUntil: new Date(now().getTime() + pauseMs).toISOString() });
  };
  const limitOf = (id: number): Limit => {
    const limit = limits.get(id) ?? createRequestLimit(settings);
    limits.set(id, limit);
    return limit;
  };
  return {
    platform: 'earth_engine',
    open: async ({ accountId, runId }) => {
      const account = await eoAccounts.byId(accountId);
      if (account === undefined)
        throw new DomainError('input_data', `account ${accountId} was removed; send the request with another account.`);
      if (account.platform !== 'earth_engine') return undefined;
      const problem = stateProblem(account, now());
      if (problem !== undefined)
        throw new DomainError('input_data', `account ${accountId} (${account.name}) ${problem}.`);
      const service = await usableService(account, parts);
      const api = apiOf(service);
      const onQuota = (pauseMs: number | undefined): Promise<void> => markSpent(accountId, pauseMs);
      const requests = createRequests({ accountId, origin, api, settings, tools, limit: limitOf(accountId), onQuota });
      const project = service.projectId ?? '';
      const workloadTag = tagOf(runId === undefined ? 'headwater-estimate' : `headwater-run-${runId}`);
      const use = { accountId, project, workloadTag };
      return createSceneEngine({
        ...parts,
        requests,
        project,
        workloadTag,
        notes: runId === undefined ? undefined : createUseNotes({ ...use, runId }, parts),
        scratchDir: join(scratchDir, `earth-engine-${randomUUID()}`),
      });
    },
    problemOf: async (account, signal) => {
      if (account.platform !== 'earth_engine') return undefined;
      const service = await parts.serviceOf(account).catch(() => undefined);
      if (service?.projectId === undefined) return undefined;
      const key = `${account.id} ${accountIdentity(service)}`;
      if ((usableUntil.get(key) ?? 0) > now().getTime()) return undefined;
      try {
        await probe(apiOf(service), service.projectId, signal);
        usableUntil.set(key, now().getTime() + CACHED_MS);
        return undefined;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof PlatformError) || !['denied', 'missing', 'quota'].includes(error.kind)) return undefined;
        if (error.kind === 'quota') await markSpent(account.id, error.retryAfterMs);
        return `cannot read scenes of Earth Engine: ${error.message}`;
      }
    },
  };
}

/** Throws `input_data` if the credentials of the account cannot be used. */
async function usableService(
  account: EoAccount,
  { serviceOf }: Pick<SceneEnginesParts, 'serviceOf'>,
): Promise<ServiceAccount> {
  const unusable = (reason: string): DomainError =>
    new DomainError('input_data', `Earth-observation account ${account.id} cannot be used: ${reason}`);
  let service: ServiceAccount;
  try {
    service = await serviceOf(account);
  } catch (error) {
    throw unusable(messageOf(error));
  }
  if (service.projectId === undefined) throw unusable('the key has no project_id; upload a new key.');
  return service;
}

/** Requests one pixel of a constant image, which needs the rights for scenes but little computing time. */
async function probe(api: GoogleApi, project: string, signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(PROBE_MS);
  const value = { constantValue: 1 };
  const json = {
    expression: {
      result: '0',
      values: { '0': { functionInvocationValue: { functionName: 'Image.constant', arguments: { value } } } },
    },
    fileFormat: 'GEO_TIFF',
    grid: {
      dimensions: { width: 1, height: 1 },
      affineTransform: { scaleX: 1, shearX: 0, translateX: 0, shearY: 0, scaleY: -1, translateY: 0 },
      crsCode: 'EPSG:4326',
    },
    workloadTag: 'headwater-check',
  };
  const path = `/v1/projects/${project}/image:computePixels`;
  await api.pixels(
    {
      host: 'earthEngine',
      path,
      method: 'POST',
      json,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    },
    1_000_000,
  );
}

/**
 * Workload tag of a name that begins with a letter or digit: at most 63 characters a-z, 0-9, `-` and `_`, with a letter
 * or digit at the end.
 */
export const tagOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, '-')
    .slice(0, 63)
    .replace(/[^a-z0-9]+$/, '');
