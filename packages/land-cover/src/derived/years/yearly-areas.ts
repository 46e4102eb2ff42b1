import type { ZonalAreas } from '@headwater/core';
import { type LayerWork, share, zonesOf } from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { yearsOf } from '../../run/scenes.ts';

/**
 * Computes hectares by class and micro-watershed for each year from the published rasters. `from` and `to` are shares of the run's main step:
 * progress is reported between them.
 */
export async function yearlyAreas(
  work: LayerWork<LulcParams>,
  [from, to]: readonly [number, number],
): Promise<ReadonlyMap<number, ZonalAreas>> {
  const zones = zonesOf(work);
  const areas = new Map<number, ZonalAreas>();
  const years = yearsOf(work.params);
  for (const [index, year] of years.entries()) {
    const path = work.sources[index]?.path;
    if (path === undefined) throw new RangeError(`no raster was opened for ${year}`);
    const part = (to - from) / years.length;
    const context = share(work, [from + index * part, from + (index + 1) * part]);
    areas.set(year, await work.ports.pixels.zonal({ path, zones }, context));
  }
  return areas;
}

/** Name of a hydrological year in sheets: `2017-2018`. */
export const yearRange = (year: number): string => `${year}-${year + 1}`;

/** Text that names hydrological years, for descriptions of columns whose names have no year. */
export const yearsText = ({ startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>): string =>
  `hydrological years ${startYear} to ${endYear}`;
