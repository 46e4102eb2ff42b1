import { type BackendParts, withoutBulk } from '@headwater/core/runs';
import { boxOf, type Place, type Run } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import type { BackendDeps } from './settings.ts';

const DEFAULT_SCHEME = 'indiasat';

/** Facts for the conf, the JSON input of a workflow run. */
export interface ConfSource {
  readonly run: Pick<Run, 'id' | 'pipeline' | 'params' | 'requestId'>;
  /** Secret token of the run; the service stores only its digest. */
  readonly runToken: string;
  /** Tehsil of the run, if any. */
  readonly place: Place | undefined;
}

/**
 * Builds the conf of a trigger. Members without a value are `null`, because workflows fail at missing members.
 * Only an unknown `api_base` and a missing trace are left out.
 */
export function confOf(
  { run, runToken, place }: ConfSource,
  deps: Pick<BackendDeps, 'version' | 'wireNames' | 'serviceApiBase' | 'pipelines' | 'traceOf'>,
): Readonly<Record<string, unknown>> {
  const { version, wireNames, serviceApiBase } = deps;
  const params = wireNames(withoutBulk(run.params));
  const startYear = params['start_year'] ?? params['year'] ?? null;
  const endYear = params['end_year'] ?? params['year'] ?? startYear;
  return {
    ...wireNames(nullFields(run.pipeline, deps)),
    ...params,
    pipeline: run.pipeline,
    pipeline_version: version,
    job_id: run.id,
    run_token: runToken,
    // The workflow can log the id of the request.
    request_id: run.requestId,
    ...(serviceApiBase === undefined ? {} : { api_base: serviceApiBase }),
    ...deps.traceOf?.(run.id),
    region: regionOf(params, place),
    year: params['year'] ?? endYear,
    start_year: startYear,
    end_year: endYear,
    base_scheme: params['base_scheme'] ?? DEFAULT_SCHEME,
    state: place?.state.name ?? params['state'] ?? null,
    district: place?.district.name ?? params['district'] ?? null,
    block: place?.tehsil.name ?? params['block'] ?? null,
  };
}

/** Returns null for each request field, so that the conf also contains fields that were not sent or are too large. */
function nullFields(name: string, { pipelines }: Pick<BackendDeps, 'pipelines'>): Readonly<Record<string, null>> {
  return Object.fromEntries(Object.keys(pipelines.get(name)?.request.shape ?? {}).map((field) => [field, null]));
}

function regionOf(params: Readonly<Record<string, unknown>>, place: Place | undefined): unknown {
  if (params['region'] !== undefined) return params['region'];
  return place === undefined || place.tehsil.geometry === null ? null : boxOf([place.tehsil.geometry]);
}

/** Tehsil of a run with district and state, if any. */
export async function placeOf(
  { params }: Pick<Run, 'params'>,
  { places }: Pick<BackendParts, 'places'>,
): Promise<Place | undefined> {
  const tehsilId = isObject(params) ? params['tehsilId'] : undefined;
  return typeof tehsilId === 'number' ? await places.placeOfTehsil(tehsilId) : undefined;
}
