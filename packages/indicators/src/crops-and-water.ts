import { percentOf } from '@headwater/core/values';
import type { TableRow } from '@headwater/core';
import { meanOf, ofSeenLand, type SeenLand, sumOf, valuesOf, type Years } from './years.ts';

/** Seasons of crops: monsoon, winter, summer. */
export type Season = 'kharif' | 'rabi' | 'zaid';

/** Yearly water and yearly crops of a micro-watershed, each with the land to which the hectares refer. */
export type YearlyTables = Readonly<Record<'water' | 'crops', { readonly years: Years; readonly land: SeenLand }>>;

const CROPS: Readonly<Record<Season, readonly string[]>> = {
  kharif: ['single_kharif', 'doubly', 'triply'],
  rabi: ['single_non_kharif', 'doubly', 'triply'],
  zaid: ['triply'],
};

const DEGRADATION = {
  lost: ['farm_to_barren', 'farm_to_scrub_land'],
  fewerCrops: ['double_to_single', 'triple_to_double', 'triple_to_single'],
} as const;

/** Land that is cropped in any year. */
export const cropableLand = (row: TableRow): SeenLand => landOf(row, 'sum_area_in_ha', 'unseen_cropable_area_in_ha');

/** Land that has water in any year. */
export const waterLand = (row: TableRow): SeenLand => landOf(row, 'total_swb_area_in_ha', 'unseen_water_area_in_ha');

function landOf(row: TableRow, whole: string, unseen: string): SeenLand {
  const value = row[whole];
  return { whole: typeof value === 'number' ? value : undefined, unseen };
}

/**
 * Mean of a column's yearly hectares, in percent of the land that was seen in the year; undefined without the column.
 * Source: core-stack-backend, `stats_generator/mws_indicators.py`, which does not consider unseen land.
 */
export function meanShare(years: Years, part: string, land: SeenLand): number | undefined {
  const mean = meanOf(ofSeenLand(years, part, land).map(([, value]) => value));
  return mean === undefined || land.whole === undefined ? undefined : percentOf(mean, land.whole);
}

/** Mean percentage of the cropped (or water) land that no scene shows; undefined without columns of unseen land. */
export function unseenShare(years: Years, { whole, unseen }: SeenLand): number | undefined {
  const mean = meanOf(valuesOf(years, unseen));
  return mean === undefined || whole === undefined ? undefined : percentOf(mean, whole);
}

/**
 * Surface water of a season divided by its crops: 100 x water of all years / crops of all years / number of years. Only
 * years in both tables count. Hectares are divided by the seen share of their land. Source: core-stack-backend,
 * `stats_generator/mws_indicators.py`.
 */
export function waterByCrops(season: Season, { water, crops }: YearlyTables): number | undefined {
  const kinds = CROPS[season].map((kind) => new Map(ofSeenLand(crops.years, `${kind}_cropped_area_in_ha`, crops.land)));
  const wet = ofSeenLand(water.years, `${season}_area_in_ha`, water.land);
  const known = wet.filter(([year]) => kinds.every((kind) => kind.has(year)));
  const waterHa = sumOf(known.map(([, hectares]) => hectares));
  const cropped = sumOf(known.flatMap(([year]) => kinds.map((kind) => kind.get(year) ?? 0)));
  return waterHa === undefined || cropped === undefined ? undefined : percentOf(waterHa, cropped * known.length);
}

/**
 * Farmland that became barren or scrub land (`lost`), or has fewer crops a year (`fewerCrops`), ha. Undefined if one of
 * the five areas is missing. Source: core-stack-backend, `stats_generator/mws_indicators.py`.
 */
export function degradedLand(rows: Readonly<Partial<Record<keyof typeof DEGRADATION, TableRow>>>): number | undefined {
  const cells = [
    ...DEGRADATION.lost.map((change) => rows.lost?.[`${change}_area_in_ha`]),
    ...DEGRADATION.fewerCrops.map((change) => rows.fewerCrops?.[`${change}_area_in_ha`]),
  ];
  const areas = cells.filter((cell) => typeof cell === 'number');
  return areas.length < cells.length ? undefined : sumOf(areas);
}
