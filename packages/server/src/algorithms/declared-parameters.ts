import type { AnyPipeline } from '@headwater/core';
import { type WireParameter, wireParameters } from '@headwater/http-service';

/** A parameter of an algorithm in workflow files and in `headwater run-algorithm --list`. */
export interface DeclaredParameter extends Pick<WireParameter, 'name' | 'type'> {
  /** Default value of the parameter. */
  readonly default?: string;
}

/**
 * Parameters that a run of the pipeline may have: the members of a request for a tehsil. If the pipeline computes regions, also the members
 * of a request for a region. Orchestrators send only declared parameters. The conf (the parameters of a run at Airflow) of every run
 * contains all declared parameters.
 */
export function declaredParameters({ request, regions }: AnyPipeline): readonly DeclaredParameter[] {
  const own = wireParameters(request).map(({ name, type }) => ({ name, type }));
  if (regions === undefined) return own;
  const taken = new Set(own.map(({ name }) => name));
  const ofRegions: readonly DeclaredParameter[] = [
    { name: 'region', type: 'array' },
    { name: 'year', type: 'integer' },
    { name: 'base_scheme', type: 'string', default: regions.scheme },
  ];
  return [...own, ...ofRegions.filter(({ name }) => !taken.has(name))];
}
