import { type ComputedPlace, loadPlace, type PipelinePorts } from '@headwater/core';
import type { LulcParams } from '../request/request.ts';

/** What one run is about, read once at its start; without micro-watersheds there are rasters and no vector. */
export interface LulcJob extends ComputedPlace {
  /** Hydrological years, ascending. */
  readonly years: readonly number[];
}

/** Reads the place of a run. Throws what `loadPlace` throws. */
export async function loadJob(params: LulcParams, ports: Pick<PipelinePorts, 'places' | 'remedies'>): Promise<LulcJob> {
  const years = Array.from({ length: params.endYear - params.startYear + 1 }, (_, i) => params.startYear + i);
  return { ...(await loadPlace(params.tehsilId, ports)), years };
}
