import { rgb } from '@headwater/layer-kit';

/** Land-cover class of the raster. */
export interface LulcClass {
  readonly code: number;
  /** Slug for `classification:classes` (`^[0-9A-Za-z-_]+$`). */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb` of the published 12-class style. */
  readonly color: string;
  /** Colour in maps of this service, if it differs from `color`. */
  readonly displayColor?: string;
  /** Prefix of the column in MWS tables, before the hydrological year; null = no column. */
  readonly columnPrefix: string | null;
}

/**
 * Classes 0..12 of the published scheme. Code 5 (cropland) is in no result, because cropland is split into codes 8 to
 * 11. Shrub is drawn in its level 1 colour `#eaa4f0`, because the published style has one grey for shrub and barren.
 */
export const LULC_CLASSES: readonly LulcClass[] = [
  entry(0, 'background', 'Background', 'Outside the area, or too few clear observations in the year', '#000000', null),
  entry(
    1,
    'built_up',
    'Built-up',
    'Roofs, roads and paved ground: low NDVI all year, no seasonal change, low bare-soil index',
    '#ff0000',
    'built-up_area_',
  ),
  entry(2, 'kharif_water', 'Water in kharif', 'Open water between July and October only', '#74ccf4', 'k_water_area_'),
  entry(
    3,
    'kharif_and_rabi_water',
    'Water in kharif and rabi',
    'Open water whose last season is rabi (November to February)',
    '#1ca3ec',
    'kr_water_area_',
  ),
  entry(
    4,
    'kharif_and_rabi_and_zaid_water',
    'Water in kharif, rabi and zaid',
    'Open water whose last season is zaid (March to June)',
    '#0f5e9c',
    'krz_water_area_',
  ),
  entry(
    5,
    'crops',
    'Cropland (intermediate)',
    'Never in a result: cropland is split into classes 8 to 11',
    '#f1c232',
    'cropland_area_',
  ),
  entry(
    6,
    'trees',
    'Trees and forest',
    'NDVI stays high all year or falls without a harvest',
    '#38761d',
    'tree_forest_area_',
  ),
  entry(
    7,
    'barren_land',
    'Barren land',
    'Bare soil, sand or rock: almost no vegetation all year',
    '#a9a9a9',
    'barrenlands_area_',
  ),
  entry(
    8,
    'single_kharif_cropping',
    'Single kharif crop',
    'One growth cycle with its peak in the kharif season',
    '#bad93e',
    'single_kharif_cropped_area_',
  ),
  entry(
    9,
    'single_non-kharif_cropping',
    'Single non-kharif crop',
    'One growth cycle with its peak after the kharif season',
    '#f59d22',
    'single_non_kharif_cropped_area_',
  ),
  entry(10, 'double_cropping', 'Double crop', 'Two growth cycles', '#ff9371', 'doubly_cropped_area_'),
  entry(
    11,
    'triple_or_annual_or_perennial_cropping',
    'Triple, annual or perennial crop',
    'Three or more growth cycles; or at most one, if the land is green for about 180 days in one season or 270 days in all',
    '#b3561d',
    'triply_cropped_area_',
  ),
  {
    ...entry(
      12,
      'shrubs_and_scrubs',
      'Shrub and scrub',
      'Low seasonal vegetation without a drop at harvest',
      '#a9a9a9',
      'shrub_scrub_area_',
    ),
    displayColor: '#eaa4f0',
  },
];

function entry(code: number, name: string, ...rest: readonly [string, string, string, string | null]): LulcClass {
  const [title, description, color, columnPrefix] = rest;
  return { code, name, title, description, color, columnPrefix };
}

/** Colour in our maps, thumbnails and style files, `#rrggbb`. */
export const displayColor = (c: LulcClass): string => c.displayColor ?? c.color;

/** RGBA by value, for the raster's colour table; 0 is transparent. */
export function lulcPalette(): Readonly<Record<number, readonly [number, number, number, number]>> {
  return Object.fromEntries(
    LULC_CLASSES.map((c) => [c.code, [...rgb(displayColor(c)), c.code === 0 ? 0 : 255] as const]),
  );
}

/** Class titles by value, for the raster's categories. */
export function lulcNames(): Readonly<Record<number, string>> {
  return Object.fromEntries(LULC_CLASSES.map((c) => [c.code, c.title]));
}
