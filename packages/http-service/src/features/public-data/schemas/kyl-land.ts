import type { TableRow } from '@headwater/core';
import { croppedShare, drainageDensity, elevation, landShare, relativeElevation, relief } from '@headwater/indicators';

/** Sheet of the elevations of each micro-watershed, in metres. */
export const DEM_SHEET = 'dem';

/** Sheets of land cover, crops, drainage and elevation, from which indicators are computed. */
export const LAND_SHEETS = ['lulc_vector', 'croppingIntensity_annual', 'drainage_density', DEM_SHEET] as const;

/** Units: percent of the seen land (crops: of all land), km of streams per km2, metres. */
type Field =
  | 'lulc_shrub_percent'
  | 'lulc_forest_percent'
  | 'lulc_crop_percent'
  | 'drainage_density'
  | 'relief'
  | 'mean_elevation'
  | 'relative_mean_elevation';

/** Computes fields from `LAND_SHEETS`. `tehsilElevation`: mean elevation of the tehsil, metres. */
export function landIndicators(
  rows: ReadonlyMap<string, TableRow>,
  tehsilElevation?: number,
): Partial<Record<Field, number>> {
  const [cover = {}, crops = {}, drainage = {}, dem = {}] = LAND_SHEETS.map((sheet) => rows.get(sheet));
  const found: Readonly<Record<Field, number | undefined>> = {
    lulc_shrub_percent: landShare(cover, 'shrub_scrub'),
    lulc_forest_percent: landShare(cover, 'tree_forest'),
    lulc_crop_percent: croppedShare(crops),
    drainage_density: drainageDensity(drainage),
    relief: relief(dem),
    mean_elevation: elevation(dem),
    relative_mean_elevation: relativeElevation(dem, tehsilElevation),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
