import type { AnyPipeline } from '@headwater/core';
import { type WireParameter, wireParameters } from '@headwater/http-service';

/** Parameter of an algorithm in workflow files and in `headwater run-algorithm --list`. */
export interface DeclaredParameter extends Pick<WireParameter, 'name' | 'type'> {
  readonly default?: string;
}

/**
 * Parameters of a run for a tehsil and, if the pipeline computes regions, for a region. Orchestrators send only
 * declared parameters.
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
