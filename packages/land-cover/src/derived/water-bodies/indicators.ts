import type { TableColumn } from '@headwater/core';
import { trendOf } from '@headwater/indicators';
import { hectares, MWS_UID, type Sheet } from '@headwater/layer-kit';

/** Hectares of water of a micro-watershed in one year: in kharif or longer, until rabi or longer, and until zaid. */
export interface SeasonAreas {
  readonly kharif: number;
  readonly rabi: number;
  readonly zaid: number;
}

/** Indicators of a micro-watershed's surface water, with the names of the published record. */
export interface WaterIndicators {
  /** Text as in the published record: '1' rises, '-1' falls, '0' not significant (`trendOf`). */
  readonly trend_swb: '1' | '0' | '-1';
  /** Means over the years, in percent of the land with water in any year; null if there is no such land. */
  readonly avg_kharif_surface_water_mws: number | null;
  readonly avg_rabi_surface_water_mws: number | null;
  readonly avg_zaid_surface_water_mws: number | null;
}

/** Computes the indicators over years, oldest first. */
export function waterIndicators(years: readonly SeasonAreas[], everHa: number): WaterIndicators {
  const percent = (season: keyof SeasonAreas): number | null => {
    if (everHa === 0 || years.length === 0) return null;
    return (100 * years.reduce((sum, areas) => sum + areas[season], 0)) / (years.length * everHa);
  };
  return {
    trend_swb: trendOf(years.map(({ kharif }) => kharif)),
    avg_kharif_surface_water_mws: percent('kharif'),
    avg_rabi_surface_water_mws: percent('rabi'),
    avg_zaid_surface_water_mws: percent('zaid'),
  };
}

const columnsOf = (years: string): readonly TableColumn[] => [
  MWS_UID,
  {
    name: 'trend_swb',
    type: 'text',
    description: `Water in kharif or longer: 1 = rises, -1 = falls, 0 = not significant (Mann-Kendall, 5 %); ${years}`,
  },
  ...['kharif', 'rabi', 'zaid'].map((season): TableColumn => ({
    name: `avg_${season}_surface_water_mws`,
    type: 'number',
    unit: '%',
    description: `Mean share of the land with water in any year: water in ${season} or longer, percent; ${years}`,
  })),
  hectares('total_swb_area_in_ha', `Hectares with water in any of ${years}`),
];

/** Water of a micro-watershed over the years. */
export interface WaterHistory {
  readonly uid: string;
  /** Areas of water in each year, oldest first. */
  readonly years: readonly SeasonAreas[];
  readonly everHa: number;
}

/** Creates the sheet `kyl_surface_water` with a row per micro-watershed. `years` is a text for the descriptions of its columns. */
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
