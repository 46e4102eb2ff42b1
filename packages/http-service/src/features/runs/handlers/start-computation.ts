import { type AnyPipeline, DomainError, type Run } from '@headwater/core';
import { requestFor, type ScopeArea, type StartedRun, type StartOptions } from '@headwater/core/runs';
import { checkMayCompute, type UserPrincipal } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';

/** Error message of all operations that start computations, if the service has no pixel engine. */
export const NO_PIXELS =
  'This service has no pixel engine; give createHeadwater the option `compute` to compute layers here.';

/** A user's request for a computation. */
export interface ComputationCall {
  readonly principal: UserPrincipal;
  readonly pipeline: AnyPipeline;
  /** Output of `pipeline.request`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly options: StartOptions;
}

/**
 * Starts a computation for the API and for pages. Throws `computing_not_allowed` for a user without the permission, `unavailable` if the
 * service computes nothing, and the errors of `RunService.start`.
 */
export async function startComputation(
  { canCompute, runs }: Ports<'canCompute' | 'runs'>,
  { principal, pipeline, request, options }: ComputationCall,
): Promise<StartedRun> {
  checkMayCompute(principal.user);
  if (!canCompute) throw new DomainError('unavailable', NO_PIXELS);
  return await runs.start(principal, pipeline, request, options);
}

/** Starts a computation of all tehsils of a district or a state. Throws the errors of `startComputation`. */
export async function startScope(
  { canCompute, runs }: Ports<'canCompute' | 'runs'>,
  { principal, ...start }: ComputationCall & { readonly area: ScopeArea },
): Promise<StartedRun> {
  checkMayCompute(principal.user);
  if (!canCompute) throw new DomainError('unavailable', NO_PIXELS);
  return await runs.startScope(principal, start);
}

/**
 * The pipeline of a run, and the request that starts the run again. Undefined for a run that no request of a pipeline starts, such
 * as an import.
 */
export async function requestOfRun(
  { pipeline: name, params }: Pick<Run, 'pipeline' | 'params'>,
  { pipelines, stores }: Ports<'pipelines' | 'stores'>,
): Promise<Pick<ComputationCall, 'pipeline' | 'request'> | undefined> {
  const pipeline = pipelines.find((each) => each.name === name);
  if (pipeline === undefined) return undefined;
  const { tehsilId } = params;
  const [place] = typeof tehsilId === 'number' ? await stores.places.namesOf([tehsilId]) : [];
  const found = requestFor(pipeline, { ...params, ...place });
  return 'request' in found ? { pipeline, request: found.request } : undefined;
}
