import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { meanElevation } from '@headwater/indicators';
import { landIndicators } from './kyl-land.ts';
import { KylRecord, KylRecords, kylRecords } from './kyl-record.ts';

const rows = new Map([
  [
    'lulc_vector',
    {
      uid: '12_1',
      area_in_ha: 200,
      shrub_scrub_in_ha_2017: 10,
      shrub_scrub_in_ha_2018: 30,
      tree_forest_in_ha_2017: 1,
      tree_forest_in_ha_2018: null,
    },
  ],
  ['croppingIntensity_annual', { uid: '12_1', area_in_ha: 199, sum_area_in_ha: 99.5 }],
  ['drainage_density', { uid: '12_1', drainage_density_std_in_km_per_km2: 1.238 }],
  ['change_detection_cropintensity', { uid: '12_1', total_change_crop_intensity_area_in_ha: 4.5 }],
]);
const INDICATORS = { lulc_shrub_percent: 10, lulc_forest_percent: 0.5, lulc_crop_percent: 50, drainage_density: 1.24 };

it('shrubs and forest are means of the years; crops are land that was cropped in any year', () => {
  expect(landIndicators(rows)).toEqual(INDICATORS);
  expect(landIndicators(new Map([['lulc_vector', { uid: '12_1', area_in_ha: 0, shrub_scrub_in_ha_2017: 1 }]]))).toEqual(
    {},
  );
});

it('shares of land cover are shares of the land that was seen; means leave out years without figures', () => {
  const cover = {
    uid: '12_1',
    area_in_ha: 200,
    tree_forest_in_ha_2017: 100,
    unseen_in_ha_2017: 0,
    tree_forest_in_ha_2018: 60,
    unseen_in_ha_2018: 80,
    tree_forest_in_ha_2019: null,
    unseen_in_ha_2019: 120,
  };
  expect(landIndicators(new Map([['lulc_vector', cover]]))).toEqual({ lulc_forest_percent: 50 });
});

it.each(['drainage_density_std_in_km_per_km2', 'drainage_density'])(
  'reads the stream density from the column %s',
  (column) => {
    expect(landIndicators(new Map([['drainage_density', { uid: '12_1', [column]: 1.238 }]]))).toEqual({
      drainage_density: 1.24,
    });
  },
);

it.each(['', '_in_m'])(
  'reads elevations from the columns *_elevation%s and compares the mean with the mean of the tehsil',
  (unit) => {
    const row = (min: number, mean: number | null, max: number) => ({
      [`min_elevation${unit}`]: min,
      [`mean_elevation${unit}`]: mean,
      [`max_elevation${unit}`]: max,
    });
    const own = row(100.004, 150.126, 290);
    const tehsil = meanElevation([own, row(0, 50.126, 60), row(0, null, 9)]);
    expect(tehsil).toBeCloseTo(100.126, 9);
    expect(landIndicators(new Map([['dem', own]]), tehsil)).toEqual({
      relief: 190,
      mean_elevation: 150.13,
      relative_mean_elevation: 50,
    });
    expect(landIndicators(new Map([['dem', own]]))).not.toHaveProperty('relative_mean_elevation');
    expect(landIndicators(new Map(), tehsil)).toEqual({});
    expect(meanElevation([row(0, null, 9)])).toBeUndefined();
  },
);

it('the record contains the indicators, with 0 for an indicator without a value in any sheet', () => {
  const [record] = KylRecords.parse(kylRecords('12_1', { rows, bodies: [] }));
  expect(record).toMatchObject({ ...INDICATORS, degradation_cropping_intensity: 4.5 });
  const [bare] = KylRecords.parse(kylRecords('12_1', { rows: new Map(), bodies: [] }));
  expect(bare).toMatchObject({ lulc_crop_percent: 0, drainage_density: 0, degradation_cropping_intensity: 0 });
});

it('docs/indicators.md describes every field of the record', async () => {
  const page = await readFile(new URL('../../../../../../docs/indicators.md', import.meta.url), 'utf8');
  const fields = Object.keys(KylRecord.shape).filter((field) => field !== 'mws_id');
  expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});
