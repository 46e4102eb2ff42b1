import type { WorkContext, ZonalAreas } from '@headwater/core';
import type { ZonalRequest } from '@headwater/core/ports';
import { pixelAreasM2 } from './pixel-areas.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { addClassAreas } from './class-sums.ts';
import { checkZonal, coverZones, sameGrid, sumZones } from './zone-strips.ts';
import type { ZoneCoverage } from './zone-strips.ts';

type Zones = ZonalRequest['zones'];
/** Square metres of a hectare. */
export const M2_PER_HA = 10_000;

/**
 * Hectares per value 0-255 in each zone: covered fraction (planar in lon/lat) x ellipsoidal pixel area.
 * Pixels outside of the raster do not count; zones with one id are added. Throws `input_data` unless the file is uint8, EPSG:4326.
 */
export async function zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas> {
  const [areas] = await zonalMany([request.path], request.zones, context);
  return areas ?? {};
}

/** `zonal` of several rasters; coverage is computed once for all rasters with one grid. */
export async function zonalMany(paths: readonly string[], zones: Zones, context: WorkContext): Promise<ZonalAreas[]> {
  const results: ZonalAreas[] = [];
  let coverage: ZoneCoverage | undefined;
  for (const [index, path] of paths.entries()) {
    const file = await openRaster(path, { signal: context.signal });
    try {
      if (coverage === undefined || !sameGrid(coverage.grid, file.grid)) coverage = coverZones(zones, file.grid);
      const progress = (share: number): void => context.progress((index + share) / paths.length);
      results.push(await sumFile(file, coverage, { signal: context.signal, progress }));
    } finally {
      file.close();
    }
  }
  return results;
}

async function sumFile(file: RasterFile, coverage: ZoneCoverage, context: WorkContext): Promise<ZonalAreas> {
  checkZonal(file, 'class areas', ['uint8']);
  const rowAreas = pixelAreasM2(file.grid);
  const make = (): Float64Array => new Float64Array(256);
  const sums = await sumZones({ file, coverage, make }, context, async ({ window, parts }) => {
    const data = new Uint8Array(window.cols * window.rows);
    await file.readWindow(window, data);
    for (const part of parts) addClassAreas(part.coverage, { data, ...window }, { rowAreas, sums: part.sums });
  });
  return Object.fromEntries([...sums].map(([id, m2]) => [id, Array.from(m2, (area) => area / M2_PER_HA)]));
}
