import type { TableRow } from '@headwater/core';
import {
  aquiferClass,
  cropableLand,
  droughtCategory,
  extractionStage,
  hasFacts,
  meanOf,
  meanShare,
  ofSeenLand,
  totalWorks,
  trendOf,
  unseenShare,
  valuesOf,
  villageIds,
  waterLand,
  type Years,
  yearsOf,
} from '@headwater/indicators';

type Value = number | string | boolean | readonly number[];

/** Functions that compute a field of a KYL record from a row. They return undefined if the row has no value. */
type Derived = Readonly<Record<string, (years: Years, row: TableRow) => Value | undefined>>;

const mean =
  (name: string) =>
  (years: Years): number | undefined =>
    meanOf(valuesOf(years, name));

const trend =
  (name: string) =>
  (years: Years): string | undefined => {
    const values = valuesOf(years, name);
    return values.length === 0 ? undefined : trendOf(values);
  };

const cropped = (times: string) => (years: Years, row: TableRow) =>
  meanShare(years, `${times}_cropped_area_in_ha`, cropableLand(row));
const surfaceWater = (season: string) => (years: Years, row: TableRow) =>
  meanShare(years, `${season}_area_in_ha`, waterLand(row));

const waterTrend = (years: Years, row: TableRow): string | undefined => {
  const values = ofSeenLand(years, 'total_area_in_ha', waterLand(row)).map(([, hectares]) => hectares);
  return values.length === 0 ? undefined : trendOf(values);
};

const isThere = (_: Years, row: TableRow): number | undefined => (hasFacts(row) ? 1 : undefined);

/** True if the sheet has a row. The name in the row is not checked, because many rivers and canals have no name. */
const hasRow = (): boolean => true;

/** Sheets that runs publish or workbooks contain, and the fields that are computed from each. */
export const KYL_DERIVED: Readonly<Record<string, Derived>> = {
  hydrological_annual: {
    avg_precipitation: mean('precipitation_in_mm'),
    avg_runoff: mean('runoff_in_mm'),
    trend_g: trend('g_in_mm'),
  },
  croppingIntensity_annual: {
    cropping_intensity_avg: mean('cropping_intensity_unit_less'),
    cropping_intensity_trend: trend('cropping_intensity_unit_less'),
    avg_single_cropped: cropped('single'),
    avg_double_cropped: cropped('doubly'),
    avg_triple_cropped: cropped('triply'),
    unseen_crop_percent: (years, row) => unseenShare(years, cropableLand(row)),
  },
  surfaceWaterBodies_annual: {
    trend_swb: waterTrend,
    unseen_water_percent: (years, row) => unseenShare(years, waterLand(row)),
    avg_kharif_surface_water_mws: surfaceWater('kharif'),
    avg_rabi_surface_water_mws: surfaceWater('rabi'),
    avg_zaid_surface_water_mws: surfaceWater('zaid'),
  },
  croppingDrought_kharif: { avg_number_dry_spell: mean('drysp_unit_4_weeks'), drought_category: droughtCategory },
  lulc_vector: {
    unseen_land_percent: (years, { area_in_ha: area }) =>
      unseenShare(years, { whole: typeof area === 'number' ? area : undefined, unseen: 'unseen_in_ha' }),
  },
  nrega_annual: { total_nrega_assets: totalWorks },
  mws_intersect_villages: { mws_intersect_villages: (_, row) => villageIds(row) },
  aquifer_vector: { aquifer_class: (_, row) => aquiferClass(row) },
  soge_vector: { soge_class: (_, row) => extractionStage(row) },
  lcw_conflict: { lcw_conflict: isThere },
  mining: { mining: isThere },
  green_credit: { green_credit: isThere },
  factory_csr: { factory_csr: isThere },
  canal: { canal_available: hasRow },
  river: { river_available: hasRow },
};

/** Computes fields from the rows of a micro-watershed. `rows`: one combined row for each sheet. */
export function derivedFields(rows: ReadonlyMap<string, TableRow>): Readonly<Record<string, unknown>> {
  const found = [...rows].flatMap(([sheet, row]) => {
    const fields = KYL_DERIVED[sheet];
    if (fields === undefined) return [];
    const years = yearsOf(row);
    return Object.entries(fields).flatMap(([field, read]) => {
      const value = read(years, row);
      return value === undefined ? [] : [[field, value] as const];
    });
  });
  return Object.fromEntries(found);
}
