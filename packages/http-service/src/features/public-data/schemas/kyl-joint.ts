import type { TableRow } from '@headwater/core';
import { cropableLand, degradedLand, waterByCrops, waterLand, yearsOf } from '@headwater/indicators';

const WATER_SHEET = 'surfaceWaterBodies_annual';
const CROPS_SHEET = 'croppingIntensity_annual';
const LOST_SHEET = 'change_detection_degradation';
const FEWER_CROPS_SHEET = 'change_detection_cropintensity';

/** Sheets that are combined to compute indicators, two for each indicator. */
export const JOINT_SHEETS: readonly string[] = [WATER_SHEET, CROPS_SHEET, LOST_SHEET, FEWER_CROPS_SHEET];

/** Computes the fields that need two sheets. Fields of missing sheets are left out. */
export function jointFields(rows: ReadonlyMap<string, TableRow>): Readonly<Record<string, number>> {
  const [wet, cropped] = [rows.get(WATER_SHEET) ?? {}, rows.get(CROPS_SHEET) ?? {}];
  const water = { years: yearsOf(wet), land: waterLand(wet) };
  const crops = { years: yearsOf(cropped), land: cropableLand(cropped) };
  const [lost = {}, fewerCrops = {}] = [rows.get(LOST_SHEET), rows.get(FEWER_CROPS_SHEET)];
  const found = {
    avg_wsr_ratio_kharif: waterByCrops('kharif', { water, crops }),
    avg_wsr_ratio_rabi: waterByCrops('rabi', { water, crops }),
    avg_wsr_ratio_zaid: waterByCrops('zaid', { water, crops }),
    degradation_land_area: degradedLand({ lost, fewerCrops }),
  };
  return Object.fromEntries(
    Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  );
}
