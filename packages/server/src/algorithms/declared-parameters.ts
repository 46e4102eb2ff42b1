import type { AnyPipeline } from '@headwater/core';
import { type WireParameter, wireParameters } from '@headwater/http-service';

/** A parameter as workflow files and `headwater run-algorithm --list` have it. */
export interface DeclaredParameter extends Pick<WireParameter, 'name' | 'type'> {
  /** What is meant where none is given. */
  readonly default?: string;
}

/**
 * What a run of the pipeline may be given: of a tehsil as its request asks for it and, where it computes regions, of a region too. Orchestrators send
 * declared parameters alone, and the conf of every run has these.
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
