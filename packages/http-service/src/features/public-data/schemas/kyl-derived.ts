import { percentOf, type TableCell, type TableRow, trendOf } from '@headwater/core';
import { meanOf, sumOf, valuesOf, type Years, yearsOf } from './kyl-years.ts';

type Value = number | string | boolean | readonly number[];

/** A field of the record, and what it is; undefined where the row does not tell. */
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

/** Mean of the years, in percent of the land in another column. */
const meanPercent =
  (name: string, whole: string) =>
  (years: Years, row: TableRow): number | undefined => {
    const part = meanOf(valuesOf(years, name));
    const all = row[whole];
    return part === undefined || typeof all !== 'number' ? undefined : percentOf(part, all);
  };

/** So many weeks of moderate or severe drought make a year one of drought; beyond so many years the category stays the same. */
const DROUGHT = { weeks: 5, mostYears: 2 };

function droughtCategory(years: Years): number | undefined {
  const weeks = new Map<string, number>();
  for (const name of ['moderate_in_weeks', 'severe_in_weeks'])
    for (const [year, value] of years.get(name) ?? []) weeks.set(year, (weeks.get(year) ?? 0) + value);
  if (weeks.size === 0) return undefined;
  const droughts = [...weeks.values()].filter((each) => each >= DROUGHT.weeks).length;
  return Math.min(droughts, DROUGHT.mostYears);
}

/** Works of every kind and year. */
const works = (years: Years): number | undefined =>
  sumOf([...years].flatMap(([name, all]) => (name.endsWith('_count') ? all.map(([, count]) => count) : [])));

/** 1 where any row says more than whose it is: a conflict, a mine. */
const isThere = (_: Years, row: TableRow): number | undefined =>
  Object.entries(row).some(([name, value]) => name !== 'id' && name !== 'uid' && value !== null) ? 1 : undefined;

/** A river or canal is there where it has a row: many have no name. */
const hasRow = (): boolean => true;

/** The index of the class that a text names, its letters compared. */
const classOf =
  (column: string, classes: readonly RegExp[]) =>
  (_: Years, row: TableRow): number | undefined => {
    const text = String(row[column] ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
    const index = classes.findIndex((each) => each.test(text));
    return index < 0 ? undefined : index;
  };

const SOGE = [/^safe$/, /^semicritical$/, /^critical$/, /^overexploited$/, /^notassessed$/];
const AQUIFERS = [/^(hardrocks?|0)$/, /^(alluvi(al|um)|1)$/];

function villages(_: Years, row: TableRow): readonly number[] | undefined {
  const ids: TableCell = row['village ids'] ?? null;
  if (typeof ids !== 'object' || ids === null) return undefined;
  return ids.map(Number).filter((id) => Number.isSafeInteger(id));
}

const cropped = (times: string) => meanPercent(`${times}_cropped_area_in_ha`, 'sum_area_in_ha');
const surfaceWater = (season: string) => meanPercent(`${season}_area_in_ha`, 'total_swb_area_in_ha');

/**
 * Sheets of imported workbooks (wire-contract 2.3) by which fields of the record (2.5) are reckoned, as the live system does
 * (core-stack-backend, `stats_generator/mws_indicators.py`). Its trend of crops leaves out the last three years, by a slip: ours takes all.
 */
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
  },
  surfaceWaterBodies_annual: {
    trend_swb: trend('total_area_in_ha'),
    avg_kharif_surface_water_mws: surfaceWater('kharif'),
    avg_rabi_surface_water_mws: surfaceWater('rabi'),
    avg_zaid_surface_water_mws: surfaceWater('zaid'),
  },
  croppingDrought_kharif: { avg_number_dry_spell: mean('drysp_unit_4_weeks'), drought_category: droughtCategory },
  nrega_annual: { total_nrega_assets: works },
  mws_intersect_villages: { mws_intersect_villages: villages },
  aquifer_vector: { aquifer_class: classOf('aquifer_class', AQUIFERS) },
  soge_vector: { soge_class: classOf('class_name', SOGE) },
  lcw_conflict: { lcw_conflict: isThere },
  mining: { mining: isThere },
  green_credit: { green_credit: isThere },
  factory_csr: { factory_csr: isThere },
  canal: { canal_available: hasRow },
  river: { river_available: hasRow },
};

/** Fields that follow from the rows of a micro-watershed, by sheet. */
export function derivedFields(rows: ReadonlyMap<string, TableRow>): Readonly<Record<string, unknown>> {
  const told = [...rows].flatMap(([sheet, row]) => {
    const fields = KYL_DERIVED[sheet];
    if (fields === undefined) return [];
    const years = yearsOf(row);
    return Object.entries(fields).flatMap(([field, read]) => {
      const value = read(years, row);
      return value === undefined ? [] : [[field, value] as const];
    });
  });
  return Object.fromEntries(told);
}
