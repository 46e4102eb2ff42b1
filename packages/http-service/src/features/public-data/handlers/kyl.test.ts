import type { TableRow } from '@headwater/core';
import { expect, it } from 'vitest';
import { KylRecords, kylRecords } from '../schemas/kyl-record.ts';

it('a record has the values of the sheets, and the documented values for unknown fields', () => {
  const rows = new Map([
    ['kyl_surface_water', { uid: '12_1', trend_swb: '1', avg_kharif_surface_water_mws: null, total_swb_area_in_ha: 9 }],
    ['terrain', { uid: '12_1', terrain_cluster_id: 0, area_in_ha: 7 }],
    ['terrain_lulc_plain', { uid: '12_1', cluster_name: null }],
    ['change_detection_deforestation', { uid: '12_1', total_deforestation_area_in_ha: 3.5 }],
  ]);
  const body = { swb_uid: '4', waterbodies_name: null, latitude: 24.5, longitude: 85 };
  const [record] = KylRecords.parse(kylRecords('12_1', { rows, bodies: [body] }));
  expect(record).toMatchObject({
    mws_id: '12_1',
    trend_swb: '1',
    avg_kharif_surface_water_mws: 0,
    terraincluster_id: 0,
    lulc_plain_category: '',
    decrease_in_tree_cover: 3.5,
    increase_in_tree_cover: 0,
    soge_class: '',
    cropping_intensity_trend: '',
    mws_intersect_villages: [],
    mws_intersect_swb: [{ swbId: '4', swbName: '', latitude: 24.5, longitude: 85 }],
  });
  expect(record).not.toHaveProperty('total_swb_area_in_ha');
  expect(KylRecords.parse(kylRecords('12_1', { rows: new Map(), bodies: [] }))).toMatchObject([
    { trend_swb: '-1', aquifer_class: '', relief: 0, canal_available: false, area_tree_on_slope: 0 },
  ]);
});

it('sheets of an imported workbook fill only the fields that can be computed from them without doubt', () => {
  const rows = new Map<string, TableRow>([
    [
      'hydrological_annual',
      {
        uid: '12_1',
        'precipitation_in_mm_2017-2018': 800,
        'precipitation_in_mm_2018-2019': 1000,
        'runoff_in_mm_2017-2018': 50,
        'runoff_in_mm_2018-2019': null,
        'g_in_mm_2017-2018': 9,
      },
    ],
    [
      'croppingIntensity_annual',
      { uid: '12_1', 'cropping_intensity_unit_less_2017-2018': 1, 'cropping_intensity_unit_less_2018-2019': 2 },
    ],
    [
      'croppingDrought_kharif',
      { uid: '12_1', drysp_unit_4_weeks_2017: 1, drysp_unit_4_weeks_2018: 4, severe_in_weeks_2017: 9 },
    ],
    ['nrega_annual', { mws_id: '12_1', plantations_count_2017: 3, 'other farm works_count_2018': 4, note_count: 90 }],
    ['mws_intersect_villages', { 'mws uid': '12_1', 'village ids': [12, '15', 'x'] }],
    ['restoration_vector', { uid: '12_1', wide_scale_restoration_area_in_ha: 5, protection_area_in_ha: 6 }],
    ['aquifer_vector', { uid: '12_1', aquifer_class: 'Alluvium' }],
    ['soge_vector', { uid: '12_1', class_code: '9', class_name: 'Over-Exploited' }],
    ['mining', { id: '12_1:1', uid: '12_1', division: null, proposal: 'A quarry' }],
    ['green_credit', { id: '12_1:1', uid: '12_1', division: null }],
  ]);
  const [record] = KylRecords.parse(kylRecords('12_1', { rows, bodies: [] }));
  expect(record).toMatchObject({
    avg_precipitation: 900,
    avg_runoff: 50,
    cropping_intensity_avg: 1.5,
    avg_number_dry_spell: 2.5,
    total_nrega_assets: 7,
    mws_intersect_villages: [12, 15],
    area_wide_scale_restoration: 5,
    area_protection: 6,
    aquifer_class: 1,
    soge_class: 3,
    mining: 1,
    green_credit: 0,
    lcw_conflict: 0,
    drought_category: 1,
    trend_g: '0',
  });
  const ofRun = new Map([...rows, ['kyl_cropping_intensity', { uid: '12_1', cropping_intensity_avg: 1.2 }]] as const);
  expect(kylRecords('12_1', { rows: ofRun, bodies: [] })).toMatchObject([{ cropping_intensity_avg: 1.2 }]);
});

const FIRST = 2017;
const yearRow = (columns: Readonly<Record<string, readonly (number | null)[]>>, rest: TableRow = {}): TableRow => ({
  uid: '12_1',
  ...Object.fromEntries(
    Object.entries(columns).flatMap(([name, values]) =>
      values.map((value, at) => [`${name}_${FIRST + at}-${FIRST + at + 1}`, value] as const),
    ),
  ),
  ...rest,
});

it('trends, crops and water of an imported workbook are computed from all its years', () => {
  const years = yearRow({ deltag_in_mm: [5, 4, 3, 2, 1], g_in_mm: [1, 2, 3, 4, 5] });
  const crops = {
    cropping_intensity_unit_less: [1, 1.1, 1.2, 1.3, 1.4],
    single_cropped_area_in_ha: [10, 20, 30, 20, 20],
    doubly_cropped_area_in_ha: [5, 5, 5, 5, 5],
    triply_cropped_area_in_ha: [0, 0, null, 0, 1],
  };
  const water = {
    total_area_in_ha: [5, 4, 3, 2, 1],
    kharif_area_in_ha: [5, 4, 3, 2, 1],
    rabi_area_in_ha: [1, 1, 1, 1, 1],
    zaid_area_in_ha: [0, 0, 0, 0, 0],
  };
  const rows = new Map([
    // The order of the columns must not matter.
    ['hydrological_annual', { 'g_in_mm_2022-2023': 6, ...years }],
    ['croppingIntensity_annual', yearRow(crops, { sum_area_in_ha: 40 })],
    ['surfaceWaterBodies_annual', yearRow(water, { total_swb_area_in_ha: 6 })],
  ]);
  const [record] = KylRecords.parse(kylRecords('12_1', { rows, bodies: [] }));
  expect(record).toMatchObject({
    trend_g: '1',
    cropping_intensity_trend: '1',
    avg_single_cropped: 50,
    avg_double_cropped: 12.5,
    avg_triple_cropped: 0.625,
    trend_swb: '-1',
    avg_kharif_surface_water_mws: 50,
    avg_rabi_surface_water_mws: 16.6667,
    avg_zaid_surface_water_mws: 0,
  });
  const own = {
    kyl_cropping_intensity: { uid: '12_1', cropping_intensity_trend: '0', avg_single_cropped: 49 },
    kyl_surface_water: { uid: '12_1', trend_swb: '0', avg_kharif_surface_water_mws: 48 },
  };
  const ofRun = new Map<string, TableRow>([...rows, ...Object.entries(own)]);
  expect(kylRecords('12_1', { rows: ofRun, bodies: [] })).toMatchObject([
    { cropping_intensity_trend: '0', avg_single_cropped: 49, trend_swb: '0', avg_kharif_surface_water_mws: 48 },
  ]);
});

const DROUGHTS: readonly (readonly [string, Readonly<Record<string, readonly (number | null)[]>>, number | ''])[] = [
  ['four weeks in a year are no drought', { moderate: [4, 0], severe: [0, 4] }, 0],
  ['moderate and severe weeks of a year are added', { moderate: [3, 0, 0], severe: [2, 0, 0] }, 1],
  ['two years with drought are category 2', { moderate: [5, 0], severe: [0, 5] }, 2],
  ['three years with drought are category 2 too', { moderate: [5, 6, 7], severe: [0, 0, 0] }, 2],
  ['the category is empty if all weeks are unknown', { moderate: [null], severe: [null] }, ''],
];

it.each(DROUGHTS)('drought: %s', (_, weeks, category) => {
  const cells = Object.entries(weeks).flatMap(([kind, values]) =>
    values.map((value, at) => [`${kind}_in_weeks_${FIRST + at}`, value] as const),
  );
  const rows = new Map([['croppingDrought_kharif', { uid: '12_1', ...Object.fromEntries(cells) }]]);
  expect(kylRecords('12_1', { rows, bodies: [] })).toMatchObject([{ drought_category: category }]);
});

it('canals and rivers are available if they have a row, even without a name', () => {
  const rows = new Map([['river', { id: '12_1:1', uid: '12_1', river_name: null }]]);
  const [record] = KylRecords.parse(kylRecords('12_1', { rows, bodies: [] }));
  expect(record).toMatchObject({ river_available: true, canal_available: false });
});

it('an unknown class stays empty', () => {
  const record = (sheet: string, row: TableRow) => kylRecords('12_1', { rows: new Map([[sheet, row]]), bodies: [] });
  const aquifers = [
    ['Hard-Rock', 0],
    ['1', 1],
    ['Basalt', ''],
    [null, ''],
  ] as const;
  for (const [name, code] of aquifers)
    expect(record('aquifer_vector', { aquifer_class: name })).toMatchObject([{ aquifer_class: code }]);
  const soge = [
    ['safe', 0],
    ['Semi Critical', 1],
    ['Critical', 2],
    ['Not Assessed', 4],
    ['Saline', ''],
  ] as const;
  for (const [name, code] of soge)
    expect(record('soge_vector', { class_name: name })).toMatchObject([{ soge_class: code }]);
});

it('shares and trends of yearly sheets refer to the land that was seen; the unseen land has separate fields', () => {
  const hidden = [0, 1, 2, 3, 4, 5];
  const crops = {
    doubly_cropped_area_in_ha: hidden.map((ha) => 10 - ha),
    unseen_cropable_area_in_ha: hidden,
  };
  const water = {
    total_area_in_ha: hidden.map((ha) => 20 - 2 * ha),
    kharif_area_in_ha: hidden.map((ha) => 20 - 2 * ha),
    unseen_water_area_in_ha: hidden.map((ha) => 2 * ha),
  };
  const rows = new Map([
    ['croppingIntensity_annual', yearRow(crops, { sum_area_in_ha: 10 })],
    ['surfaceWaterBodies_annual', yearRow(water, { total_swb_area_in_ha: 20 })],
    ['lulc_vector', { uid: '12_1', area_in_ha: 200, unseen_in_ha_2020: 10, unseen_in_ha_2021: 30 }],
  ]);
  const [record] = KylRecords.parse(kylRecords('12_1', { rows, bodies: [] }));
  expect(record).toMatchObject({
    avg_double_cropped: 100,
    avg_kharif_surface_water_mws: 100,
    trend_swb: '0',
    unseen_crop_percent: 25,
    unseen_water_percent: 25,
    unseen_land_percent: 10,
  });
});
