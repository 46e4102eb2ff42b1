import type { PublishedTable } from '@headwater/core';

/** Kind of a column's values; `list` is a Python list, `json` a Python dict. */
export type ColumnKind = 'number' | 'integer' | 'text' | 'list' | 'json';

/** Unit of a row. Village ids are not checked, because some villages of the census have no boundary. */
export type SheetUnit = 'mws' | 'village';

/** Name, unit and columns of a sheet in a tehsil's workbook. */
export interface SheetForm {
  readonly name: string;
  readonly unit: SheetUnit;
  /** Column with the unit's id, in lower case. */
  readonly unitColumn: string;
  /**
   * Columns that distinguish several rows of a unit; empty if the rows are numbered. Absent if each unit has one row.
   */
  readonly several?: readonly string[];
  /**
   * Columns of other kinds than `number`, in lower case. Some columns of codes, such as `class_code`, are in no list:
   * their kind is derived from their cells.
   */
  readonly others: Readonly<Record<string, Exclude<ColumnKind, 'number'>>>;
  /**
   * Columns of numbers, in lower case. `{a,b}` matches `a` or `b`, `{*}` any text, `#Y` a year, `#R` an agricultural
   * year such as `2017-2018`, `#N` a number of one or two digits. `others` may use the same placeholders.
   */
  readonly numbers: readonly string[];
}

type Others = SheetForm['others'];
type Rest = Partial<Omit<SheetForm, 'name'>>;

const AREA = 'area_in_ha';
/** Column that only workbooks of this service have. */
const UNSEEN = 'unseen_area_in_ha';
const CLUSTER: Others = { terrain_cluster_id: 'integer', terrain_description: 'text' };
const COVERS =
  '{barren,forests,shrub_scrubs,single_kharif,single_non_kharif,double_cropping,triple_cropping}_area_percent';
const LANDS = '{barren,built_up,farm,forest,scrub_land}';
const WORKS =
  '{soil and water conservation,land restoration,plantations,irrigation on farms,other farm works,off-farm livelihood assets,community assets}_count_#Y';
const AQUIFERS =
  '{alluvium,banded gneissic complex,basalt,charnockite,gneiss,granite,intrusive,khondalite,laterite,limestone,quartzite,sandstone,schist,shale,none}';

const texts = (...names: readonly string[]): Others => Object.fromEntries(names.map((name) => [name, 'text']));

function byMws(name: string, numbers: readonly string[], { others = {}, ...rest }: Rest = {}): SheetForm {
  const unitColumn = rest.unitColumn ?? 'uid';
  return { name, unit: 'mws', ...rest, unitColumn, numbers, others: { [unitColumn]: 'text', ...others } };
}

function byVillage(name: string, numbers: readonly string[], rest: Rest & Pick<SheetForm, 'unitColumn'>): SheetForm {
  const others: Others = { [rest.unitColumn]: 'integer', ...rest.others };
  return { name, unit: 'village', several: [], numbers, ...rest, others };
}

const listed = (name: string, ...columns: readonly string[]): SheetForm =>
  byMws(name, [], { several: [], others: texts(...columns) });

/** Sheets of a tehsil's statistics workbook that can be imported. */
export const SHEET_FORMS: readonly SheetForm[] = [
  byMws('hydrological_annual', ['{et,runoff,g,deltag,precipitation}_in_mm_#R', 'welldepth_in_m_#R']),
  byMws('hydrological_seasonal', ['{precipitation,et,runoff,delta g,g}_{kharif,rabi,zaid}_in_mm_#R']),
  byMws('terrain', [AREA, '{hill_slope,plain,ridge,slopy,valley}_area_percent'], { others: CLUSTER }),
  byMws('terrain_lulc_slope', [AREA, COVERS, UNSEEN], { others: { ...CLUSTER, cluster_name: 'text' } }),
  byMws('terrain_lulc_plain', [AREA, COVERS, UNSEEN], { others: { ...CLUSTER, cluster_name: 'text' } }),
  byMws('surfaceWaterBodies_annual', [
    '{total,kharif,rabi,zaid,unseen,unseen_water}_area_in_ha_#R',
    'total_swb_area_in_ha',
  ]),
  byMws('mws_intersect_swb', ['latitude', 'longitude', AREA], {
    several: ['swb_uid'],
    others: texts('swb_uid', 'waterbodies_name'),
  }),
  byMws('nrega_annual', [WORKS], { unitColumn: 'mws_id' }),
  byVillage('nrega_assets_village', [WORKS], { unitColumn: 'vill_id', others: texts('vill_name') }),
  byMws('croppingIntensity_annual', [
    AREA,
    'cropping_intensity{,_without_class_11}_unit_less_#R',
    'unseen{,_cropable}_area_in_ha_#R',
    '{single,single_kharif,single_non_kharif,doubly,triply}_cropped_area_in_ha_#R',
    'sum_area_in_ha',
  ]),
  byMws(
    'croppingDrought_kharif',
    [
      '{no_drought,mild,moderate,severe}_in_weeks_#Y',
      'drysp_unit_4_weeks_#Y',
      'kharif_cropped_sqkm_#Y',
      'kharif_cropped_area_percent_#Y',
      'total_weeks_#Y',
    ],
    { others: { 'monsoon_onset_#Y': 'text' } },
  ),
  byMws('drought_causality', [AREA], {
    others: { 'severe_moderate_drought_causality_#Y': 'text', 'mild_drought_causality_#Y': 'text' },
  }),
  byMws('mws_intersect_villages', [AREA], {
    unitColumn: 'mws uid',
    others: { 'village ids': 'list', 'village details': 'json' },
  }),
  byVillage(
    'social_economic_indicator',
    ['total_population_count', 'total_{sc,st}_population_count', 'literacy_rate_percent', '{sc,st}_percent'],
    {
      unitColumn: 'village_id',
      others: texts('village_name'),
    },
  ),
  byMws('Canopy_Cover_Density', [AREA, '{high_density,low_density,missing_data}_area_in_ha_#Y']),
  byMws('Canopy_height', [AREA, '{short_trees,medium_trees,tall_trees,missing_data}_area_in_ha_#Y']),
  byMws('overall_tree_change', [
    AREA,
    '{afforestation,deforestation,degradation,improvement,no_change,partially_degraded}_area_in_ha',
    'missing_data_in_ha',
  ]),
  byMws('change_detection_afforestation', [
    AREA,
    `${LANDS}_to_forest_area_in_ha`,
    '{total_afforestation,unseen}_area_in_ha',
  ]),
  byMws('change_detection_deforestation', [
    AREA,
    `forest_to_${LANDS}_area_in_ha`,
    '{total_deforestation,unseen}_area_in_ha',
  ]),
  byMws('change_detection_degradation', [
    AREA,
    'farm_to_{barren,built_up,farm,scrub_land}_area_in_ha',
    '{total_degradation,unseen}_area_in_ha',
  ]),
  byMws('change_detection_urbanization', [
    AREA,
    '{barren_shrub,built_up,tree_farm,water}_to_built_up_area_in_ha',
    '{total_urbanization,unseen}_area_in_ha',
  ]),
  byMws('change_detection_cropintensity', [
    AREA,
    '{single,double,triple}_to_{single,double,triple}_area_in_ha',
    '{total_change_crop_intensity,unseen}_area_in_ha',
  ]),
  byMws('restoration_vector', [
    AREA,
    '{wide_scale_restoration,protection,mosaic_restoration}_area_in_ha',
    'excluded_areas_in_ha',
  ]),
  byMws('aquifer_vector', [AREA, `principle_aq_${AQUIFERS}_percent`], { others: texts('aquifer_class') }),
  byMws('soge_vector', [AREA, 'soge_dev_percent'], { others: texts('class_name') }),
  listed('lcw_conflict', 'title_of_conflict', 'link_to_conflict'),
  listed(
    'agroecological',
    'organization_name',
    'organization_type',
    'created_at',
    'contact_person',
    'email',
    'domains',
  ),
  listed('factory_csr', 'company_name', 'address', 'location t'),
  listed('green_credit', 'division', 'land_info', 'kml_url'),
  listed('mining', 'division', 'proposal', 'sector_moefcc', 'village'),
  byMws('stream_order', ['order_#N_area_percent']),
  byMws('mws_connectivity', [], {
    others: { direction: 'integer', downstream_mws: 'text', upstream_mws: 'list' },
  }),
  byMws('mws', [AREA], { others: texts('watershed_code', 'basin_code', 'sub_basin_code') }),
  byVillage('facilities_proximity', ['{*}_distance'], { unitColumn: 'censuscode2011', others: texts('censusname') }),
  byMws('dem', ['{min,max,mean}_elevation{,_in_m}']),
  byMws('canal', [], { several: [], others: texts('project_name', 'canal_code', 'canal_name') }),
  byMws('river', [], { several: [], others: texts('river_name') }),
  byMws('lulc_vector', ['sum_in_ha', '{*}_in_ha_#Y']),
  byMws('drainage_density', ['drainage_density{,_std_in_km_per_km2,_weighted_in_km_per_km2}']),
];

/**
 * Sheets of indicators, and the yearly sheets from which they are computed. Indicators are never imported, because they
 * would be outdated after a correction of yearly values.
 */
export const INDICATOR_SHEETS: ReadonlyMap<string, string> = new Map([
  ['kyl_cropping_intensity', 'croppingIntensity_annual'],
  ['kyl_surface_water', 'surfaceWaterBodies_annual'],
]);

/** Form of a table that a run published; undefined if the key of the table is not a column of micro-watershed ids. */
export function sheetFormOfTable({ name, key }: Pick<PublishedTable, 'name' | 'key'>): SheetForm | undefined {
  return MWS_COLUMNS.has(key) ? byMws(name, [], { unitColumn: key }) : undefined;
}

const MWS_COLUMNS: ReadonlySet<string> = new Set(
  SHEET_FORMS.filter(({ unit }) => unit === 'mws').map(({ unitColumn }) => unitColumn),
);

/** Finds a sheet by name, ignoring case. */
export function sheetFormOf(name: string): SheetForm | undefined {
  const wanted = name.trim().toLowerCase();
  return SHEET_FORMS.find((form) => form.name.toLowerCase() === wanted);
}

/** Kind of a column by its name in lower case; undefined for an unknown column. */
export function columnKindOf(form: SheetForm, column: string): ColumnKind | undefined {
  for (const [pattern, kind] of Object.entries(form.others)) if (expressionOf(pattern).test(column)) return kind;
  return form.numbers.some((pattern) => expressionOf(pattern).test(column)) ? 'number' : undefined;
}

function expressionOf(pattern: string): RegExp {
  const body = pattern
    .replaceAll('{*}', '.+')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
    .replaceAll('#R', String.raw`\d{4}[-_]\d{4}`)
    .replaceAll('#Y', String.raw`\d{4}`)
    .replaceAll('#N', String.raw`\d{1,2}`);
  return new RegExp(`^${body}$`);
}
