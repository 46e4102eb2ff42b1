import type { TableRow } from '@headwater/core';
import { expect, it } from 'vitest';
import { jointFields } from './kyl-joint.ts';
import { kylRecords } from './kyl-record.ts';

const WATER: TableRow = {
  uid: '12_1',
  'kharif_area_in_ha_2017-2018': 4,
  'kharif_area_in_ha_2018-2019': 2,
  'rabi_area_in_ha_2017-2018': 3,
  'rabi_area_in_ha_2018-2019': 1,
  'zaid_area_in_ha_2017-2018': 1,
  'zaid_area_in_ha_2018-2019': 0,
};
const CROPS: TableRow = {
  uid: '12_1',
  'single_kharif_cropped_area_in_ha_2017-2018': 10,
  'single_kharif_cropped_area_in_ha_2018-2019': 15,
  'single_non_kharif_cropped_area_in_ha_2017-2018': 1,
  'single_non_kharif_cropped_area_in_ha_2018-2019': 4,
  'doubly_cropped_area_in_ha_2017-2018': 2,
  'doubly_cropped_area_in_ha_2018-2019': 2,
  'triply_cropped_area_in_ha_2017-2018': 1,
  'triply_cropped_area_in_ha_2018-2019': 0,
};
const sheets = (water: TableRow, crops: TableRow): ReadonlyMap<string, TableRow> =>
  new Map([
    ['surfaceWaterBodies_annual', water],
    ['croppingIntensity_annual', crops],
  ]);
// 100 * (sum of water) / (sum of crops) / (number of years), for each season.
const RATIOS = { avg_wsr_ratio_kharif: 10, avg_wsr_ratio_rabi: 20, avg_wsr_ratio_zaid: 50 };

it('divides the water of a season by the crops of the season', () => {
  expect(jointFields(sheets(WATER, CROPS))).toEqual(RATIOS);
  expect(kylRecords('12_1', { rows: sheets(WATER, CROPS), bodies: [] })).toMatchObject([RATIOS]);
});

it('ignores years that are missing in one of the sheets', () => {
  const more = { ...WATER, 'kharif_area_in_ha_2019-2020': 90, 'rabi_area_in_ha_2019-2020': null };
  expect(jointFields(sheets(more, CROPS))).toEqual(RATIOS);
  const gap = { ...CROPS, 'doubly_cropped_area_in_ha_2018-2019': null };
  // Kharif and rabi need doubly cropped land, so only their year 2017-2018 counts. Zaid does not need it.
  expect(jointFields(sheets(WATER, gap))).toEqual({
    avg_wsr_ratio_kharif: 30.7692,
    avg_wsr_ratio_rabi: 75,
    avg_wsr_ratio_zaid: 50,
  });
});

it('divides the areas of a year by the share of the land that was seen in the year', () => {
  // In each sheet, one year has unseen land, and its areas are smaller by the unseen share. Divided by the seen share,
  // they equal the areas above, so the ratios are the same.
  const water = {
    ...WATER,
    total_swb_area_in_ha: 8,
    'unseen_water_area_in_ha_2017-2018': 4,
    'kharif_area_in_ha_2017-2018': 2,
    'rabi_area_in_ha_2017-2018': 1.5,
    'zaid_area_in_ha_2017-2018': 0.5,
  };
  const crops = {
    ...CROPS,
    sum_area_in_ha: 40,
    'unseen_cropable_area_in_ha_2018-2019': 8,
    'single_kharif_cropped_area_in_ha_2018-2019': 12,
    'single_non_kharif_cropped_area_in_ha_2018-2019': 3.2,
    'doubly_cropped_area_in_ha_2018-2019': 1.6,
  };
  expect(jointFields(sheets(water, crops))).toEqual(RATIOS);
});

it('gives 0 without crops, and no field if one of the sheets is missing', () => {
  const bare = Object.fromEntries(Object.keys(CROPS).map((name) => [name, name === 'uid' ? '12_1' : 0]));
  expect(jointFields(sheets(WATER, bare))).toEqual({
    avg_wsr_ratio_kharif: 0,
    avg_wsr_ratio_rabi: 0,
    avg_wsr_ratio_zaid: 0,
  });
  expect(jointFields(new Map([['surfaceWaterBodies_annual', WATER]]))).toEqual({});
  expect(jointFields(new Map([['croppingIntensity_annual', CROPS]]))).toEqual({});
});

const FARMS: TableRow = {
  farm_to_barren_area_in_ha: 1,
  farm_to_scrub_land_area_in_ha: 2,
  farm_to_built_up_area_in_ha: 900,
  total_degradation_area_in_ha: 903,
};
const FEWER: TableRow = {
  double_to_single_area_in_ha: 4,
  triple_to_double_area_in_ha: 8,
  triple_to_single_area_in_ha: 16,
  single_to_double_area_in_ha: 500,
  total_change_crop_intensity_area_in_ha: 528,
};

it('degraded land is farmland that became barren or scrub, or has fewer crops a year; built-up land does not count', () => {
  const rows = new Map([
    ['change_detection_degradation', FARMS],
    ['change_detection_cropintensity', FEWER],
  ]);
  expect(jointFields(rows)).toEqual({ degradation_land_area: 31 });
  expect(kylRecords('12_1', { rows, bodies: [] })).toMatchObject([
    { degradation_land_area: 31, degradation_cropping_intensity: 528 },
  ]);
  for (const [sheet, row] of rows)
    expect(kylRecords('12_1', { rows: new Map([[sheet, row]]), bodies: [] })).toMatchObject([
      { degradation_land_area: 0 },
    ]);
});
