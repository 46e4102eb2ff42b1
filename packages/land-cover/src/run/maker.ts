import type { PlaceSlugs } from '@headwater/core';
import { checkYears } from '../request/resolve.ts';
import { RASTER_WORKSPACE, rasterLayer } from './names.ts';

/** The yearly rasters as a source of other layers. */
export const lulcMaker = {
  workspace: RASTER_WORKSPACE,
  pipeline: 'lulc_for_tehsil',
  /** Throws `validation` with the name of the field for impossible years. */
  checkYears,
  /** Layer name of a hydrological year. */
  layerName: (slugs: PlaceSlugs, year: number): string => rasterLayer(slugs, year).layerName,
  /** Years to request for a layer name; undefined if the name is not `LULC_{years}_{place}_level_3`. */
  requestOf: (layerName: string): { readonly startYear: number; readonly endYear: number } | undefined => {
    const [, from, to] = /^LULC_(\d\d)_(\d\d)_.+_level_3$/.exec(layerName) ?? [];
    if (from === undefined || to === undefined || (Number(from) + 1) % 100 !== Number(to)) return undefined;
    const year = 2000 + Number(from);
    return { startYear: year, endYear: year };
  },
};
