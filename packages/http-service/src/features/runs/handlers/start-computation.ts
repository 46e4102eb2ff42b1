import { type AnyPipeline, DomainError, type Run } from '@headwater/core';
import { requestFor, type ScopeArea, type StartedRun, type StartOptions } from '@headwater/core/runs';
import { checkMayCompute, type UserPrincipal } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';

/** Error message of a service without pixel engine. */
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

/** Starts a computation. Throws `computing_not_allowed`, `unavailable`, and the errors of `RunService.start`. */
export async function startComputation(
  { canCompute, runs }: Ports<'canCompute' | 'runs'>,
  { principal, pipeline, request, options }: ComputationCall,
): Promise<StartedRun> {
  checkMayCompute(principal.user);
  if (!canCompute) throw new DomainError('unavailable', NO_PIXELS);
  return await runs.start(principal, pipeline, request, options);
}

/** Starts a computation of all tehsils of an area. Throws the errors of `startComputation`. */
export async function startScope(
  { canCompute, runs }: Ports<'canCompute' | 'runs'>,
  { principal, ...start }: ComputationCall & { readonly area: ScopeArea },
): Promise<StartedRun> {
  checkMayCompute(principal.user);
  if (!canCompute) throw new DomainError('unavailable', NO_PIXELS);
  return await runs.startScope(principal, start);
}

/** The pipeline and the request that start a run again. Undefined if this is not possible, as for an import. */
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
