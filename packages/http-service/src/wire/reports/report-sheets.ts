import type { TextName } from '../../pages/texts.ts';

/** A measure of a sheet that has a column for each year. */
export interface YearlyPart {
  readonly name: TextName;
  /** Name of its columns up to the year, as `2021` or `2021-2022`. */
  readonly prefix: string;
  /** `#rrggbb` in charts; a measure without one stands in the table only. */
  readonly color?: string;
}

/** A sheet (wire-contract 2.3) whose columns are measures by year; hectares, but for what has no colour. */
export interface YearlySheet {
  readonly sheet: string;
  readonly title: TextName;
  readonly note?: TextName;
  /** `shares`: the parts make up a whole; `lines`: each stands for itself. */
  readonly chart: 'shares' | 'lines';
  readonly parts: readonly YearlyPart[];
}

/** A sheet with one value for each measure: percent of the area. */
export interface SharesSheet {
  readonly sheet: string;
  readonly title: TextName;
  /** Column -> measure. */
  readonly columns: Readonly<Record<string, TextName>>;
}

/** Colours are those of the published classes of land cover. */
export const YEARLY_SHEETS: readonly YearlySheet[] = [
  {
    sheet: 'lulc_vector',
    title: 'landCover',
    chart: 'shares',
    parts: [
      { name: 'builtUp', prefix: 'built-up_in_ha_', color: '#ff0000' },
      { name: 'waterKharif', prefix: 'k_water_in_ha_', color: '#74ccf4' },
      { name: 'waterRabi', prefix: 'kr_water_in_ha_', color: '#1ca3ec' },
      { name: 'waterZaid', prefix: 'krz_water_in_ha_', color: '#0f5e9c' },
      { name: 'trees', prefix: 'tree_forest_in_ha_', color: '#38761d' },
      { name: 'barren', prefix: 'barrenlands_in_ha_', color: '#a9a9a9' },
      { name: 'singleKharif', prefix: 'single_kharif_cropped_in_ha_', color: '#bad93e' },
      { name: 'singleOther', prefix: 'single_non_kharif_cropped_in_ha_', color: '#f59d22' },
      { name: 'double', prefix: 'doubly_cropped_in_ha_', color: '#ff9371' },
      { name: 'triple', prefix: 'triply_cropped_in_ha_', color: '#b3561d' },
      { name: 'shrub', prefix: 'shrub_scrub_in_ha_', color: '#eaa4f0' },
    ],
  },
  {
    sheet: 'croppingIntensity_annual',
    title: 'cropping',
    chart: 'lines',
    parts: [
      { name: 'intensity', prefix: 'cropping_intensity_unit_less_' },
      { name: 'singleKharif', prefix: 'single_kharif_cropped_area_in_ha_', color: '#7d9a12' },
      { name: 'singleOther', prefix: 'single_non_kharif_cropped_area_in_ha_', color: '#f59d22' },
      { name: 'double', prefix: 'doubly_cropped_area_in_ha_', color: '#e0502c' },
      { name: 'triple', prefix: 'triply_cropped_area_in_ha_', color: '#8a3f10' },
    ],
  },
  {
    sheet: 'surfaceWaterBodies_annual',
    title: 'water',
    note: 'waterNote',
    chart: 'lines',
    parts: [
      { name: 'kharif', prefix: 'kharif_area_in_ha_', color: '#3aa6d8' },
      { name: 'rabi', prefix: 'rabi_area_in_ha_', color: '#1c6fec' },
      { name: 'zaid', prefix: 'zaid_area_in_ha_', color: '#0f3e7c' },
    ],
  },
];

const COVERS: Readonly<Record<string, TextName>> = {
  barren_area_percent: 'barren',
  forests_area_percent: 'trees',
  shrub_scrubs_area_percent: 'shrub',
  single_kharif_area_percent: 'singleKharif',
  single_non_kharif_area_percent: 'singleOther',
  double_cropping_area_percent: 'double',
  triple_cropping_area_percent: 'triple',
};

/** Sheets of the terrain. */
export const SHARES_SHEETS: readonly SharesSheet[] = [
  {
    sheet: 'terrain',
    title: 'terrain',
    columns: {
      hill_slope_area_percent: 'hillSlope',
      plain_area_percent: 'plain',
      ridge_area_percent: 'ridge',
      slopy_area_percent: 'slopy',
      valley_area_percent: 'valley',
    },
  },
  { sheet: 'terrain_lulc_slope', title: 'slopes', columns: COVERS },
  { sheet: 'terrain_lulc_plain', title: 'plains', columns: COVERS },
];

/** Column of the terrain's sheet that holds its kind, 0 to 3, and the words for these. */
export const TERRAIN_KIND = {
  column: 'terrain_cluster_id',
  names: ['cluster0', 'cluster1', 'cluster2', 'cluster3'],
} as const satisfies { readonly column: string; readonly names: readonly TextName[] };

/** Sheets of changes with their totals, hectares. */
export const CHANGE_SHEETS: readonly { readonly sheet: string; readonly column: string; readonly name: TextName }[] = [
  { sheet: 'change_detection_degradation', column: 'total_degradation_area_in_ha', name: 'degradation' },
  { sheet: 'change_detection_afforestation', column: 'total_afforestation_area_in_ha', name: 'afforestation' },
  { sheet: 'change_detection_deforestation', column: 'total_deforestation_area_in_ha', name: 'deforestation' },
  { sheet: 'change_detection_urbanization', column: 'total_urbanization_area_in_ha', name: 'urbanization' },
  { sheet: 'change_detection_cropintensity', column: 'total_change_crop_intensity_area_in_ha', name: 'cropChange' },
];

/** Series by fortnight. */
export const NDVI_SERIES: readonly { readonly series: string; readonly name: TextName; readonly color: string }[] = [
  { series: 'ndvi_crop', name: 'ndviCrop', color: '#c0601a' },
  { series: 'ndvi_shrub', name: 'ndviShrub', color: '#b0449a' },
  { series: 'ndvi_tree', name: 'ndviTree', color: '#1f7a1f' },
];
