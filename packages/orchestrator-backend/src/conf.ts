import { type BackendParts, withoutBulk } from '@headwater/core/runs';
import { boxOf, type Place, type Run } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import type { BackendDeps } from './settings.ts';

/** Land-cover scheme for runs without a scheme in their request. */
const DEFAULT_SCHEME = 'indiasat';

/** Facts from which the conf of a trigger is built. The conf is the JSON that a run of a workflow gets as its input. */
export interface ConfSource {
  readonly run: Pick<Run, 'id' | 'pipeline' | 'params' | 'requestId'>;
  /** Secret token of the run. The token is sent to the orchestrator; the service stores only a digest of it. */
  readonly runToken: string;
  /** The tehsil of the run; undefined for a run without a tehsil. */
  readonly place: Place | undefined;
}

/** Builds the conf of a trigger. Unknown members except `api_base` are `null`, because a workflow that reads a missing member would fail. */
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
    // If the workflow logs this id, the lines of its log can be found by the id of the request that started the run.
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

/**
 * Returns an object with each request field of the pipeline and the value null. The conf then contains null for a field
 * that the caller did not send, and for a field whose value is too large for the conf.
 */
function nullFields(name: string, { pipelines }: Pick<BackendDeps, 'pipelines'>): Readonly<Record<string, null>> {
  return Object.fromEntries(Object.keys(pipelines.get(name)?.request.shape ?? {}).map((field) => [field, null]));
}

/** Bounding box of the run, `[west, south, east, north]`; null if unknown. */
function regionOf(params: Readonly<Record<string, unknown>>, place: Place | undefined): unknown {
  if (params['region'] !== undefined) return params['region'];
  return place === undefined || place.tehsil.geometry === null ? null : boxOf([place.tehsil.geometry]);
}

/** Returns the tehsil of a run with its district and state; undefined for a run without a tehsil. */
export async function placeOf(
  { params }: Pick<Run, 'params'>,
  { places }: Pick<BackendParts, 'places'>,
): Promise<Place | undefined> {
  const tehsilId = isObject(params) ? params['tehsilId'] : undefined;
  return typeof tehsilId === 'number' ? await places.placeOfTehsil(tehsilId) : undefined;
}
