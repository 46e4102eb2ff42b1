import type { ZonalAreas } from '@headwater/core';
import { stepWork } from './composites.ts';
import type { LulcJob } from './job.ts';
import type { WriteTools, YearRaster } from './rasters.ts';

/** Class areas per MWS of each year, in hectares; of no year where there is no MWS. */
export async function zonalYears(
  job: LulcJob,
  rasters: readonly YearRaster[],
  { ports, context }: WriteTools,
): Promise<ReadonlyMap<number, ZonalAreas>> {
  const zones = job.mws.map((m) => ({ id: m.uid, geometry: m.geometry }));
  const areas = new Map<number, ZonalAreas>();
  if (zones.length === 0) return areas;
  for (const [index, { result, cog }] of rasters.entries()) {
    areas.set(
      result.year,
      await ports.pixels.zonal({ path: cog.path, zones }, stepWork(context, 'zonal', { index, of: rasters.length })),
    );
  }
  return areas;
}
