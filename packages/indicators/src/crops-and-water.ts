import { percentOf } from '@headwater/core/values';
import type { TableRow } from '@headwater/core';
import { meanOf, sumOf, valuesOf, type Years } from './years.ts';

/** Seasons of crops: monsoon, winter, summer. */
export type Season = 'kharif' | 'rabi' | 'zaid';

/** Crops that grow in each season. */
const CROPS: Readonly<Record<Season, readonly string[]>> = {
  kharif: ['single_kharif', 'doubly', 'triply'],
  rabi: ['single_non_kharif', 'doubly', 'triply'],
  zaid: ['triply'],
};

/** Changes that degrade farmland: it is lost, or has fewer crops a year than before. */
const DEGRADATION = {
  lost: ['farm_to_barren', 'farm_to_scrub_land'],
  fewerCrops: ['double_to_single', 'triple_to_double', 'triple_to_single'],
} as const;

/**
 * Mean of a column's yearly hectares, in percent of the hectares in another column; undefined if a column is missing. Source:
 * core-stack-backend, `stats_generator/mws_indicators.py` (crops divided by the land that was cropped in any year, surface water divided by
 * the area of all water bodies).
 */
export function meanShare(years: Years, part: string, whole: number | undefined): number | undefined {
  const mean = meanOf(valuesOf(years, part));
  return mean === undefined || whole === undefined ? undefined : percentOf(mean, whole);
}

/**
 * Surface water of a season divided by its crops: 100 x water of all years / crops of all years / number of years. Only years in both
 * tables are counted, because an imported table and the table of a run may have different years. Source: core-stack-backend,
 * `stats_generator/mws_indicators.py`, which also divides by the number of years.
 */
export function waterByCrops(season: Season, water: Years, crops: Years): number | undefined {
  const kinds = CROPS[season].map((kind) => new Map(crops.get(`${kind}_cropped_area_in_ha`)));
  const known = (water.get(`${season}_area_in_ha`) ?? []).filter(([year]) => kinds.every((kind) => kind.has(year)));
  const waterHa = sumOf(known.map(([, hectares]) => hectares));
  const cropped = sumOf(known.flatMap(([year]) => kinds.map((kind) => kind.get(year) ?? 0)));
  return waterHa === undefined || cropped === undefined ? undefined : percentOf(waterHa, cropped * known.length);
}

/**
 * Degraded land in hectares: farmland that became barren or scrub land (`lost`), or has fewer crops a year (`fewerCrops`). Undefined if
 * one of the five areas is missing. Land that was built up is not included.
 * Source: core-stack-backend, `stats_generator/mws_indicators.py`.
 */
export function degradedLand(rows: Readonly<Partial<Record<keyof typeof DEGRADATION, TableRow>>>): number | undefined {
  const cells = [
    ...DEGRADATION.lost.map((change) => rows.lost?.[`${change}_area_in_ha`]),
    ...DEGRADATION.fewerCrops.map((change) => rows.fewerCrops?.[`${change}_area_in_ha`]),
  ];
  const areas = cells.filter((cell) => typeof cell === 'number');
  return areas.length < cells.length ? undefined : sumOf(areas);
}
