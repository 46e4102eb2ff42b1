import { type ComputedPlace, loadPlace, type PipelinePorts } from '@headwater/core';
import { regionPlace } from '@headwater/core/places';
import type { LulcParams, LulcRunParams } from '../request/request.ts';

/** What one run over years is about, read once at its start; without micro-watersheds there are rasters and no vector. */
export interface LulcJob extends ComputedPlace {
  /** Hydrological years, ascending. */
  readonly years: readonly number[];
}

/** Reads place and years of a run. Throws what `loadPlace` throws. */
export async function loadJob(
  params: LulcRunParams,
  ports: Pick<PipelinePorts, 'places' | 'remedies'>,
): Promise<LulcJob> {
  const place = 'region' in params ? await regionPlace(params.region) : await loadPlace(params.tehsilId, ports);
  return { ...place, years: yearsOf(params) };
}

/** Hydrological years of a request, ascending. */
export const yearsOf = ({ startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>): readonly number[] =>
  Array.from({ length: endYear - startYear + 1 }, (_, i) => startYear + i);
