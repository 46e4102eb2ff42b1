import { percentOf, type TableRow } from '@headwater/core';
import { sumOf, type Years, yearsOf } from './kyl-years.ts';

type Rows = ReadonlyMap<string, TableRow>;

const WATER_SHEET = 'surfaceWaterBodies_annual';
const CROPS_SHEET = 'croppingIntensity_annual';

/** Crops that stand in the fields in each season. */
const CROPS = {
  kharif: ['single_kharif', 'doubly', 'triply'],
  rabi: ['single_non_kharif', 'doubly', 'triply'],
  zaid: ['triply'],
} as const;

/** Changes by which farmland is lost or gives fewer crops than before. */
const DEGRADATION: Readonly<Record<string, readonly string[]>> = {
  change_detection_degradation: ['farm_to_barren', 'farm_to_scrub_land'],
  change_detection_cropintensity: ['double_to_single', 'triple_to_double', 'triple_to_single'],
};

/** Sheets from two of which at a time an indicator follows. */
export const JOINT_SHEETS: readonly string[] = [WATER_SHEET, CROPS_SHEET, ...Object.keys(DEGRADATION)];

/**
 * Indicators that follow from two sheets, as the live system figures them (core-stack-backend, `stats_generator/mws_indicators.py`): water
 * beside crops in percent, hectares of degraded land. A field of which one of the sheets does not tell is left out.
 */
export function jointFields(rows: Rows): Readonly<Record<string, number>> {
  const [water, crops] = [yearsOf(rows.get(WATER_SHEET) ?? {}), yearsOf(rows.get(CROPS_SHEET) ?? {})];
  const found = {
    avg_wsr_ratio_kharif: waterRatio('kharif', water, crops),
    avg_wsr_ratio_rabi: waterRatio('rabi', water, crops),
    avg_wsr_ratio_zaid: waterRatio('zaid', water, crops),
    degradation_land_area: degradedLand(rows),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}

/**
 * Water of all years by crops of all years, in percent, and by the number of years, as the live system divides. Years of which one of
 * the sheets does not tell count in neither: a sheet of an import and one of a run may have different ones.
 */
function waterRatio(season: keyof typeof CROPS, water: Years, crops: Years): number | undefined {
  const kinds = CROPS[season].map((kind) => new Map(crops.get(`${kind}_cropped_area_in_ha`)));
  const told = (water.get(`${season}_area_in_ha`) ?? []).filter(([year]) => kinds.every((kind) => kind.has(year)));
  const held = sumOf(told.map(([, hectares]) => hectares));
  const cropped = sumOf(told.flatMap(([year]) => kinds.map((kind) => kind.get(year) ?? 0)));
  return held === undefined || cropped === undefined ? undefined : percentOf(held, cropped * told.length);
}

function degradedLand(rows: Rows): number | undefined {
  const cells = Object.entries(DEGRADATION).flatMap(([sheet, changes]) =>
    changes.map((change) => rows.get(sheet)?.[`${change}_area_in_ha`]),
  );
  const areas = cells.filter((cell) => typeof cell === 'number');
  return areas.length < cells.length ? undefined : sumOf(areas);
}
