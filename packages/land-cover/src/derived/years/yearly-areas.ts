import type { ZonalAreas } from '@headwater/core';
import type { PairArea } from '@headwater/core/ports';
import { type LayerWork, share, zonesOf } from '@headwater/layer-kit';
import type { LulcParams } from '../../request/request.ts';
import { yearsOf } from '../../run/scenes.ts';

/**
 * Computes hectares by class and micro-watershed for each year. Reported progress increases from `from` to `to` (0-1).
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

/**
 * Computes hectares without a class by year and uid, on land where the COG at `path` is not 0. The COG has the grid of
 * the yearly rasters.
 */
export async function unseenWithin(
  work: LayerWork<LulcParams>,
  path: string,
  [from, to]: readonly [number, number],
): Promise<ReadonlyMap<number, ReadonlyMap<string, number>>> {
  const zones = zonesOf(work);
  const years = yearsOf(work.params);
  const found = new Map<number, ReadonlyMap<string, number>>();
  for (const [index, year] of years.entries()) {
    const by = work.sources[index]?.path;
    if (by === undefined) throw new RangeError(`no raster was opened for ${year}`);
    const part = (to - from) / years.length;
    const context = share(work, [from + index * part, from + (index + 1) * part]);
    const pairs = await work.ports.pixels.zonalPairs({ path, by, zones }, context);
    found.set(year, new Map(Object.entries(pairs).map(([uid, list]) => [uid, unseenLand(list)])));
  }
  return found;
}

const unseenLand = (pairs: readonly PairArea[]): number =>
  pairs.reduce((sum, { by, value, areaHa }) => sum + (by === 0 && value > 0 ? areaHa : 0), 0);

/** Name of a hydrological year in sheets: `2017-2018`. */
export const yearRange = (year: number): string => `${year}-${year + 1}`;

/** Text of the years, for columns without a year in their names. */
export const yearsText = ({ startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>): string =>
  `hydrological years ${startYear} to ${endYear}`;
