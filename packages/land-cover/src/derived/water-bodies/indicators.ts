import type { TableColumn } from '@headwater/core';
import { trendOf } from '@headwater/indicators';
import { isMostlySeen } from '@headwater/core/values';
import { hectares, MWS_UID, type Sheet } from '@headwater/layer-kit';

/** Hectares with water in one year: until kharif or longer, until rabi or longer, and until zaid. */
export interface SeasonAreas {
  readonly kharif: number;
  readonly rabi: number;
  readonly zaid: number;
  /** Hectares without a class on land that has water in any year. */
  readonly unseen: number;
}

/** Indicators of a micro-watershed's surface water, named as in the CoRE Stack backend. */
export interface WaterIndicators {
  /** Text, as in the CoRE Stack backend: '1' rises, '-1' falls, '0' not significant (`trendOf`). */
  readonly trend_swb: '1' | '0' | '-1';
  /**
   * Means over the years, percent of the seen land that has water in any year. Years with less than half of this land
   * seen are left out. Null if no year remains.
   */
  readonly avg_kharif_surface_water_mws: number | null;
  readonly avg_rabi_surface_water_mws: number | null;
  readonly avg_zaid_surface_water_mws: number | null;
  /** Number of years that are left out of the means and the trend. 0 if no land has water in any year. */
  readonly unseen_years: number;
}

/** Computes the indicators. `years`: oldest first. The trend is the trend of the water in kharif. */
export function waterIndicators(years: readonly SeasonAreas[], everHa: number): WaterIndicators {
  const known = years.filter(({ unseen }) => everHa > 0 && isMostlySeen(unseen, everHa));
  const shares = (season: 'kharif' | 'rabi' | 'zaid'): readonly number[] =>
    known.map((areas) => (100 * areas[season]) / (everHa - areas.unseen));
  const percent = (season: 'kharif' | 'rabi' | 'zaid'): number | null =>
    known.length === 0 ? null : shares(season).reduce((sum, share) => sum + share, 0) / known.length;
  return {
    trend_swb: trendOf(shares('kharif')),
    avg_kharif_surface_water_mws: percent('kharif'),
    avg_rabi_surface_water_mws: percent('rabi'),
    avg_zaid_surface_water_mws: percent('zaid'),
    unseen_years: everHa === 0 ? 0 : years.length - known.length,
  };
}

const SEEN = 'the years in which at least half of the land that ever had water was seen';

const columnsOf = (years: string): readonly TableColumn[] => [
  MWS_UID,
  {
    name: 'trend_swb',
    type: 'text',
    description: `Share of water in kharif or longer in the seen land that ever had water: 1 = rises, -1 = falls, 0 = not significant (Mann-Kendall, 5 %, over ${SEEN}); ${years}`,
  },
  ...['kharif', 'rabi', 'zaid'].map((season): TableColumn => ({
    name: `avg_${season}_surface_water_mws`,
    type: 'number',
    unit: '%',
    description: `Land with water in ${season} or longer, in percent of the seen land that ever had water; mean over ${SEEN}; ${years}`,
  })),
  {
    name: 'unseen_years',
    type: 'integer',
    description: `Number of years without figures. A year has no figures if less than half of the land that ever had water was seen in it; ${years}`,
  },
  hectares('total_swb_area_in_ha', `Hectares with water in any of ${years}`),
];

/** Water of a micro-watershed over the years. */
export interface WaterHistory {
  readonly uid: string;
  /** Areas of each year, oldest first. */
  readonly years: readonly SeasonAreas[];
  readonly everHa: number;
}

/** Creates the sheet `kyl_surface_water`. `years`: text for the descriptions of the columns. */
export const indicatorSheet = (histories: readonly WaterHistory[], years: string): Sheet => ({
  name: 'kyl_surface_water',
  key: MWS_UID.name,
  columns: columnsOf(years),
  rows: histories.map(({ uid, years: areas, everHa }) => ({
    uid,
    ...waterIndicators(areas, everHa),
    total_swb_area_in_ha: everHa,
  })),
});
