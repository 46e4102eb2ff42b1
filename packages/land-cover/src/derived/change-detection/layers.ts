/** Names of the five change layers. The published layer names (`layerName`) end with these names. */
export const CHANGE_NAMES = ['Urbanization', 'Degradation', 'Deforestation', 'Afforestation', 'CropIntensity'] as const;

/** One of the five change layers. */
export type ChangeName = (typeof CHANGE_NAMES)[number];

/** Change from a group of land-cover classes to another or the same group. */
export interface Transition {
  /** Value in the raster. */
  readonly code: number;
  /** Names of groups in `ChangeLayer.groups`. */
  readonly from: string;
  readonly to: string;
  /** Column of the vector, ha. */
  readonly column: string;
  /** Column of the sheet, ha. */
  readonly sheetColumn: string;
  readonly title: string;
  /** `#rrggbb`. */
  readonly color: string;
}

/** Value of a pixel without a known class in the earlier period, or in the later one. */
export const UNSEEN = 255;

/** Definition of a change layer. Sources: the published change maps and their styles. */
export interface ChangeLayer {
  readonly name: ChangeName;
  readonly title: string;
  /** Land-cover codes by group. */
  readonly groups: Readonly<Record<string, readonly number[]>>;
  readonly transitions: readonly Transition[];
  /** Columns with the sum of all changes. */
  readonly total: { readonly column: string; readonly sheetColumn: string; readonly codes: readonly number[] };
  readonly sheet: string;
  /** True if `smoothForest` first removes single years with forest and single years without forest. */
  readonly isForest: boolean;
}

const WATER = [2, 3, 4];
const CROPS = [8, 9, 10, 11];
const COVERS = { 'built-up': [1], water: WATER, forest: [6], farm: CROPS, barren: [7], 'scrub land': [12] };
const RED = '#ff0000';
const GREEN = '#73bb53';
const YELLOW = '#eee05d';
const GREY = '#a9a9a9';
const PINK = '#eaa4f0';

type Row = readonly [from: string, to: string, column: string, sheetColumn: string, color: string];

const transitions = (rows: readonly Row[]): readonly Transition[] =>
  rows.map(([from, to, column, sheetColumn, color], index) => ({
    code: index + 1,
    from,
    to,
    column,
    sheetColumn: `${sheetColumn}_area_in_ha`,
    title: from === to ? `Stays ${from}` : `From ${from} to ${to}`,
    color,
  }));

const total = (column: string, sheet: string, codes: readonly number[]): ChangeLayer['total'] => ({
  column,
  sheetColumn: `total_${sheet}_area_in_ha`,
  codes,
});

/** The five change layers. */
export const CHANGE_LAYERS: Readonly<Record<ChangeName, ChangeLayer>> = {
  Urbanization: {
    name: 'Urbanization',
    title: 'Urbanization',
    groups: { 'built-up': [1], water: WATER, 'trees or farm': [6, ...CROPS], 'barren or shrub': [7, 12] },
    transitions: transitions([
      ['built-up', 'built-up', 'bu_bu', 'built_up_to_built_up', RED],
      ['water', 'built-up', 'w_bu', 'water_to_built_up', '#1ca3ec'],
      ['trees or farm', 'built-up', 'tr_bu', 'tree_farm_to_built_up', GREEN],
      ['barren or shrub', 'built-up', 'b_bu', 'barren_shrub_to_built_up', GREY],
    ]),
    total: total('total_urb', 'urbanization', [2, 3, 4]),
    sheet: 'change_detection_urbanization',
    isForest: false,
  },
  Degradation: {
    name: 'Degradation',
    title: 'Degradation of farmland',
    groups: COVERS,
    transitions: transitions([
      ['farm', 'farm', 'f_f', 'farm_to_farm', YELLOW],
      ['farm', 'built-up', 'f_bu', 'farm_to_built_up', RED],
      ['farm', 'barren', 'f_ba', 'farm_to_barren', GREY],
      ['farm', 'scrub land', 'f_sc', 'farm_to_scrub_land', PINK],
    ]),
    total: total('total_deg', 'degradation', [2, 3, 4]),
    sheet: 'change_detection_degradation',
    isForest: false,
  },
  Deforestation: {
    name: 'Deforestation',
    title: 'Loss of tree cover',
    groups: COVERS,
    transitions: transitions([
      ['forest', 'forest', 'fo_fo', 'forest_to_forest', GREEN],
      ['forest', 'built-up', 'fo_bu', 'forest_to_built_up', RED],
      ['forest', 'farm', 'fo_fa', 'forest_to_farm', YELLOW],
      ['forest', 'barren', 'fo_ba', 'forest_to_barren', GREY],
      ['forest', 'scrub land', 'fo_sc', 'forest_to_scrub_land', PINK],
    ]),
    total: total('total_def', 'deforestation', [2, 3, 4, 5]),
    sheet: 'change_detection_deforestation',
    isForest: true,
  },
  Afforestation: {
    name: 'Afforestation',
    title: 'Gain of tree cover',
    groups: COVERS,
    transitions: transitions([
      ['forest', 'forest', 'fo_fo', 'forest_to_forest', GREEN],
      ['built-up', 'forest', 'bu_fo', 'built_up_to_forest', RED],
      ['farm', 'forest', 'fa_fo', 'farm_to_forest', YELLOW],
      ['barren', 'forest', 'ba_fo', 'barren_to_forest', GREY],
      ['scrub land', 'forest', 'sc_fo', 'scrub_land_to_forest', PINK],
    ]),
    total: total('total_aff', 'afforestation', [2, 3, 4, 5]),
    sheet: 'change_detection_afforestation',
    isForest: true,
  },
  CropIntensity: {
    name: 'CropIntensity',
    title: 'Change of cropping intensity',
    groups: {
      'built-up': [1],
      water: WATER,
      forest: [6],
      barren: [7],
      single: [8, 9],
      double: [10],
      triple: [11],
      shrub: [12],
    },
    transitions: transitions([
      ['double', 'single', 'do_si', 'double_to_single', '#ff6347'],
      ['triple', 'single', 'tr_si', 'triple_to_single', '#ff4500'],
      ['triple', 'double', 'tr_do', 'triple_to_double', RED],
      ['single', 'double', 'si_do', 'single_to_double', '#00ff00'],
      ['single', 'triple', 'si_tr', 'single_to_triple', '#32cd32'],
      ['double', 'triple', 'do_tr', 'double_to_triple', '#228b22'],
      ['single', 'single', 'si_si', 'single_to_single', '#4227f5'],
      ['double', 'double', 'do_do', 'double_to_double', '#712103'],
      ['triple', 'triple', 'tr_tr', 'triple_to_triple', '#ad27f5'],
    ]),
    total: total('total_change', 'change_crop_intensity', [1, 2, 3, 4, 5, 6]),
    sheet: 'change_detection_cropintensity',
    isForest: false,
  },
};
