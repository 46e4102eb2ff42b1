import type { TextName } from '../../../pages/texts.ts';

/** A measure with a column for each year. */
export interface YearlyPart {
  readonly name: TextName;
  /** Start of the column names. The year follows. */
  readonly prefix: string;
  /** Unit of the measure; `undefined` for none. If the field is absent: the sheet's unit. */
  readonly unit?: TextName | undefined;
  /** Colour in charts, `#rrggbb`. Without a colour, the measure is only in the table. */
  readonly color?: string;
}

/** A sheet whose columns are measures by year. */
export interface YearlySheet {
  readonly sheet: string;
  readonly title: TextName;
  readonly note?: TextName;
  readonly unit: TextName;
  /** `shares`: the parts of a year are one bar; `lines`: each part is a line. */
  readonly chart: 'shares' | 'lines';
  readonly parts: readonly YearlyPart[];
}

/** A sheet with one value for each measure. */
export interface SharesSheet {
  readonly sheet: string;
  readonly title: TextName;
  readonly unit: TextName;
  readonly columns: Readonly<Record<string, TextName>>;
}

/** Sheets with measures by year. Land cover has the colours of the published classes. */
export const YEARLY_SHEETS: readonly YearlySheet[] = [
  {
    sheet: 'lulc_vector',
    title: 'landCover',
    unit: 'inHectares',
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
      { name: 'unseen', prefix: 'unseen_in_ha_' },
    ],
  },
  {
    sheet: 'croppingIntensity_annual',
    title: 'cropping',
    unit: 'inHectares',
    chart: 'lines',
    parts: [
      { name: 'intensity', prefix: 'cropping_intensity_unit_less_', unit: undefined },
      { name: 'intensityPlain', prefix: 'cropping_intensity_without_class_11_unit_less_', unit: undefined },
      { name: 'singleKharif', prefix: 'single_kharif_cropped_area_in_ha_', color: '#7d9a12' },
      { name: 'singleOther', prefix: 'single_non_kharif_cropped_area_in_ha_', color: '#f59d22' },
      { name: 'double', prefix: 'doubly_cropped_area_in_ha_', color: '#e0502c' },
      { name: 'triple', prefix: 'triply_cropped_area_in_ha_', color: '#8a3f10' },
      { name: 'unseenCropable', prefix: 'unseen_cropable_area_in_ha_' },
    ],
  },
  {
    sheet: 'surfaceWaterBodies_annual',
    title: 'water',
    unit: 'inHectares',
    note: 'waterNote',
    chart: 'lines',
    parts: [
      { name: 'wholeYear', prefix: 'total_area_in_ha_', color: '#5f6b7a' },
      { name: 'kharif', prefix: 'kharif_area_in_ha_', color: '#3aa6d8' },
      { name: 'rabi', prefix: 'rabi_area_in_ha_', color: '#1c6fec' },
      { name: 'zaid', prefix: 'zaid_area_in_ha_', color: '#0f3e7c' },
      { name: 'unseenWater', prefix: 'unseen_water_area_in_ha_' },
    ],
  },
  {
    sheet: 'hydrological_annual',
    title: 'hydrology',
    unit: 'inMillimetres',
    chart: 'lines',
    parts: [
      { name: 'precipitation', prefix: 'precipitation_in_mm_', color: '#1c6fec' },
      { name: 'evapotranspiration', prefix: 'et_in_mm_', color: '#38761d' },
      { name: 'runoff', prefix: 'runoff_in_mm_', color: '#e0502c' },
      { name: 'groundwater', prefix: 'g_in_mm_', color: '#5e35b1' },
      { name: 'groundwaterChange', prefix: 'deltag_in_mm_', color: '#b0449a' },
      { name: 'wellDepth', prefix: 'welldepth_in_m_', unit: 'inMetres' },
    ],
  },
  {
    sheet: 'croppingDrought_kharif',
    title: 'drought',
    unit: 'inWeeks',
    chart: 'shares',
    parts: [
      { name: 'noDrought', prefix: 'no_drought_in_weeks_', color: '#bad93e' },
      { name: 'mildDrought', prefix: 'mild_in_weeks_', color: '#f1c232' },
      { name: 'moderateDrought', prefix: 'moderate_in_weeks_', color: '#f59d22' },
      { name: 'severeDrought', prefix: 'severe_in_weeks_', color: '#b3261e' },
    ],
  },
  {
    sheet: 'nrega_annual',
    title: 'works',
    unit: 'inWorks',
    chart: 'lines',
    parts: [
      { name: 'soilWorks', prefix: 'soil and water conservation_count_', color: '#1c6fec' },
      { name: 'landWorks', prefix: 'land restoration_count_', color: '#8a3f10' },
      { name: 'plantations', prefix: 'plantations_count_', color: '#38761d' },
      { name: 'irrigation', prefix: 'irrigation on farms_count_', color: '#3aa6d8' },
      { name: 'farmWorks', prefix: 'other farm works_count_', color: '#7d9a12' },
      { name: 'livelihood', prefix: 'off-farm livelihood assets_count_', color: '#b0449a' },
      { name: 'community', prefix: 'community assets_count_', color: '#f59d22' },
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

/** Sheets with one value per measure: terrain, land cover on slopes and on plains, and groundwater. */
export const SHARES_SHEETS: readonly SharesSheet[] = [
  {
    sheet: 'terrain',
    title: 'terrain',
    unit: 'inPercent',
    columns: {
      hill_slope_area_percent: 'hillSlope',
      plain_area_percent: 'plain',
      ridge_area_percent: 'ridge',
      slopy_area_percent: 'slopy',
      valley_area_percent: 'valley',
    },
  },
  { sheet: 'terrain_lulc_slope', title: 'slopes', unit: 'inPercent', columns: COVERS },
  { sheet: 'terrain_lulc_plain', title: 'plains', unit: 'inPercent', columns: COVERS },
  { sheet: 'soge_vector', title: 'soge', unit: 'percent', columns: { soge_dev_percent: 'sogeShare' } },
];

/** Column with the kind of terrain, 0 to 3, and the names of the kinds. */
export const TERRAIN_KIND = {
  column: 'terrain_cluster_id',
  names: ['cluster0', 'cluster1', 'cluster2', 'cluster3'],
} as const satisfies { readonly column: string; readonly names: readonly TextName[] };

/** Sheets of changes, with the columns of their totals, ha. */
export const CHANGE_SHEETS: readonly { readonly sheet: string; readonly column: string; readonly name: TextName }[] = [
  { sheet: 'change_detection_degradation', column: 'total_degradation_area_in_ha', name: 'degradation' },
  { sheet: 'change_detection_afforestation', column: 'total_afforestation_area_in_ha', name: 'afforestation' },
  { sheet: 'change_detection_deforestation', column: 'total_deforestation_area_in_ha', name: 'deforestation' },
  { sheet: 'change_detection_urbanization', column: 'total_urbanization_area_in_ha', name: 'urbanization' },
  { sheet: 'change_detection_cropintensity', column: 'total_change_crop_intensity_area_in_ha', name: 'cropChange' },
];

/** Column of all sheets of changes: the land that is unseen in a period, ha. */
export const UNSEEN_CHANGE = { column: 'unseen_area_in_ha', name: 'unseenChange' } as const;

/** Column with the area of a sheet's land, and start of the columns with its unseen part (a year may follow). */
export interface SeenSheet {
  readonly sheet: string;
  readonly whole: string;
  readonly unseen: string;
}

/** Sheets that have columns of unseen land. */
export const SEEN_SHEETS: readonly SeenSheet[] = [
  { sheet: 'lulc_vector', whole: 'area_in_ha', unseen: 'unseen_in_ha_' },
  { sheet: 'croppingIntensity_annual', whole: 'sum_area_in_ha', unseen: 'unseen_cropable_area_in_ha_' },
  { sheet: 'surfaceWaterBodies_annual', whole: 'total_swb_area_in_ha', unseen: 'unseen_water_area_in_ha_' },
  ...CHANGE_SHEETS.map(({ sheet }) => ({ sheet, whole: 'area_in_ha', unseen: UNSEEN_CHANGE.column })),
];

/** Column of the groundwater sheet with the name of its class. */
export const GROUNDWATER_CLASS = { sheet: 'soge_vector', column: 'class_name', name: 'sogeClass' } as const;

interface ShownSeries {
  readonly series: string;
  readonly name: TextName;
  readonly color: string;
}

/** Series of the NDVI section. */
export const NDVI_SERIES: readonly ShownSeries[] = [
  { series: 'ndvi_crop', name: 'ndviCrop', color: '#c0601a' },
  { series: 'ndvi_shrub', name: 'ndviShrub', color: '#b0449a' },
  { series: 'ndvi_tree', name: 'ndviTree', color: '#1f7a1f' },
];

/** Series of the hydrology section, mm. */
export const WATER_SERIES: readonly ShownSeries[] = [
  { series: 'precipitation', name: 'precipitation', color: '#1c6fec' },
  { series: 'et', name: 'evapotranspiration', color: '#38761d' },
  { series: 'runoff', name: 'runoff', color: '#e0502c' },
  { series: 'g', name: 'groundwater', color: '#5e35b1' },
  { series: 'delta_g', name: 'groundwaterChange', color: '#b0449a' },
];
