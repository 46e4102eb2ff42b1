import type { TableCell, TableRow } from '@headwater/core';
import { z } from 'zod';
import { KYL_DERIVED, derivedFields } from './kyl-derived.ts';
import { JOINT_SHEETS, jointFields } from './kyl-joint.ts';
import { LAND_SHEETS, landIndicators } from './kyl-land.ts';

const same = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]));
const total = (change: string, field: string): Readonly<Record<string, string>> => ({
  [`total_${change}_area_in_ha`]: field,
});

/** Sheets with indicators: column name -> field of the record. */
export const KYL_SHEETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kyl_cropping_intensity: same(
    'cropping_intensity_trend',
    'cropping_intensity_avg',
    'avg_single_cropped',
    'avg_double_cropped',
    'avg_triple_cropped',
  ),
  kyl_surface_water: same(
    'trend_swb',
    'avg_kharif_surface_water_mws',
    'avg_rabi_surface_water_mws',
    'avg_zaid_surface_water_mws',
  ),
  terrain: { terrain_cluster_id: 'terraincluster_id' },
  terrain_lulc_slope: { cluster_name: 'lulc_slope_category' },
  terrain_lulc_plain: { cluster_name: 'lulc_plain_category' },
  change_detection_afforestation: total('afforestation', 'increase_in_tree_cover'),
  change_detection_deforestation: total('deforestation', 'decrease_in_tree_cover'),
  change_detection_urbanization: total('urbanization', 'urbanization_area'),
  change_detection_cropintensity: total('change_crop_intensity', 'degradation_cropping_intensity'),
  restoration_vector: {
    wide_scale_restoration_area_in_ha: 'area_wide_scale_restoration',
    protection_area_in_ha: 'area_protection',
  },
};

/** Sheets for the record of a micro-watershed, except `WATER_BODIES_SHEET`. */
export const RECORD_SHEETS: readonly string[] = [
  ...new Set([...Object.keys({ ...KYL_SHEETS, ...KYL_DERIVED }), ...JOINT_SHEETS, ...LAND_SHEETS]),
];

/** Sheet of the water bodies in each micro-watershed, with several rows per uid. */
export const WATER_BODIES_SHEET = 'mws_intersect_swb';

/** Combines the rows of one micro-watershed: the first known value of each column. */
export function rowOfAll(rows: readonly TableRow[]): TableRow | undefined {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return first;
  const cellOf = (column: string): TableCell => rows.find((row) => (row[column] ?? null) !== null)?.[column] ?? null;
  return Object.fromEntries(Object.keys(first).map((column) => [column, cellOf(column)]));
}

const number = z.number();
const code = z.union([z.number(), z.literal('')]);
const text = z.string();
const flag = z.boolean();

const INDICATORS = {
  avg_precipitation: number,
  avg_runoff: number,
  cropping_intensity_avg: number,
  avg_single_cropped: number,
  avg_double_cropped: number,
  avg_triple_cropped: number,
  avg_wsr_ratio_kharif: number,
  avg_wsr_ratio_rabi: number,
  avg_wsr_ratio_zaid: number,
  avg_kharif_surface_water_mws: number,
  avg_rabi_surface_water_mws: number,
  avg_zaid_surface_water_mws: number,
  avg_number_dry_spell: number,
  total_nrega_assets: number,
  degradation_land_area: number,
  increase_in_tree_cover: number,
  decrease_in_tree_cover: number,
  degradation_cropping_intensity: number,
  urbanization_area: number,
  area_wide_scale_restoration: number,
  area_protection: number,
  lcw_conflict: number,
  mining: number,
  green_credit: number,
  factory_csr: number,
  lulc_shrub_percent: number,
  lulc_forest_percent: number,
  lulc_crop_percent: number,
  drainage_density: number,
  relief: number,
  mean_elevation: number,
  relative_mean_elevation: number,
  // Mean shares of unseen land, percent. Means of other areas refer to the seen land.
  unseen_land_percent: number,
  unseen_crop_percent: number,
  unseen_water_percent: number,
  // Always unknown: no sheet has these areas.
  area_tree_on_slope: number,
  area_shrubs_on_slope: number,
  area_crops_on_plain: number,
  terraincluster_id: code,
  drought_category: code,
  aquifer_class: code,
  soge_class: code,
  cropping_intensity_trend: text,
  trend_swb: text,
  trend_g: text,
  lulc_slope_category: text,
  lulc_plain_category: text,
  canal_available: flag,
  river_available: flag,
};

const waterBody = z.object({ swbId: text, swbName: text, latitude: number, longitude: number });

/** The indicators of a micro-watershed. */
export const KylRecord = z.object({
  mws_id: text,
  ...INDICATORS,
  mws_intersect_villages: z.array(number),
  mws_intersect_swb: z.array(waterBody),
});

/** Indicators of a micro-watershed, as a list of one record. */
export const KylRecords = z.array(KylRecord).meta({ id: 'KylRecords' });

/** Data of a micro-watershed. */
export interface KylFacts {
  /** The combined row (`rowOfAll`) of each sheet of `RECORD_SHEETS`. */
  readonly rows: ReadonlyMap<string, TableRow>;
  readonly bodies: readonly TableRow[];
  /** Mean elevation of the tehsil, metres. */
  readonly tehsilElevation?: number | undefined;
}

type Value = number | string | boolean;

const unknownOf = (schema: (typeof INDICATORS)[keyof typeof INDICATORS]): Value => {
  if (schema === flag) return false;
  return schema === number ? 0 : '';
};

const UNKNOWN: Readonly<Record<string, Value>> = {
  ...Object.fromEntries(Object.entries(INDICATORS).map(([name, schema]) => [name, unknownOf(schema)])),
  trend_swb: '-1',
};

/** Converts the data of a micro-watershed into its wire form. */
export function kylRecords(
  uid: string,
  { rows, bodies, tehsilElevation }: KylFacts,
): readonly Readonly<Record<string, unknown>>[] {
  const fromSheets = [...rows].flatMap(([sheet, row]) =>
    Object.entries(KYL_SHEETS[sheet] ?? {}).flatMap(([column, field]): readonly (readonly [string, TableCell])[] => {
      const value = row[column] ?? null;
      return value === null ? [] : [[field, value]];
    }),
  );
  const waterBodies = bodies.map(({ swb_uid: id, waterbodies_name: name, latitude, longitude }) => ({
    swbId: String(id),
    swbName: typeof name === 'string' ? name : '',
    latitude: Number(latitude),
    longitude: Number(longitude),
  }));
  const lists = { mws_intersect_villages: [], mws_intersect_swb: waterBodies };
  // Columns of `KYL_SHEETS` and indicators of `LAND_SHEETS` take precedence over other derived values.
  const derived = { ...derivedFields(rows), ...jointFields(rows) };
  const computed = { ...Object.fromEntries(fromSheets), ...landIndicators(rows, tehsilElevation) };
  return [{ mws_id: uid, ...UNKNOWN, ...lists, ...derived, ...computed }];
}
