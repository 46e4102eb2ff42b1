import type { TableRow } from '@headwater/core';

/** Sheets of land cover and drainage from which indicators are figured. */
export const LAND_SHEETS = ['lulc_vector', 'croppingIntensity_annual', 'drainage_density'] as const;

/** Indicators that later records of the live system have: percent of the micro-watershed, and km of streams per km2. */
type Field = 'lulc_shrub_percent' | 'lulc_forest_percent' | 'lulc_crop_percent' | 'drainage_density';

/**
 * What rows of these sheets tell, as the live system figures it (core-stack-backend, `stats_generator/mws_indicators.py`): shrubs and forest
 * are means of all years, crops are land that was cropped in any year. Two decimals; a field of which nothing is known is left out.
 */
export function landIndicators(rows: ReadonlyMap<string, TableRow>): Partial<Record<Field, number>> {
  const [cover = {}, crops = {}, drainage = {}] = LAND_SHEETS.map((sheet) => rows.get(sheet));
  const found: Readonly<Record<Field, number | undefined>> = {
    lulc_shrub_percent: percent(meanOfYears(cover, 'shrub_scrub_in_ha_'), cover),
    lulc_forest_percent: percent(meanOfYears(cover, 'tree_forest_in_ha_'), cover),
    lulc_crop_percent: percent(numberAt(crops, 'sum_area_in_ha'), crops),
    drainage_density: rounded(numberAt(drainage, 'drainage_density_std_in_km_per_km2')),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function meanOfYears(row: TableRow, beginning: string): number | undefined {
  const names = Object.keys(row).filter((name) => name.startsWith(beginning));
  const values = names.flatMap((name) => numberAt(row, name) ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Hectares as a share of the micro-watershed. */
function percent(hectares: number | undefined, row: TableRow): number | undefined {
  const all = numberAt(row, 'area_in_ha');
  return hectares === undefined || all === undefined || all <= 0 ? undefined : rounded((hectares / all) * 100);
}

function numberAt(row: TableRow, name: string): number | undefined {
  const value = row[name];
  return typeof value === 'number' ? value : undefined;
}

function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value * 100) / 100;
}
