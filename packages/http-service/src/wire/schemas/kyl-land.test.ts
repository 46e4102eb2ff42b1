import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
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
const TOLD = { lulc_shrub_percent: 10, lulc_forest_percent: 0.5, lulc_crop_percent: 50, drainage_density: 1.24 };

it('shrubs and forest are means of years, crops are land of any year', () => {
  expect(landIndicators(rows)).toEqual(TOLD);
  expect(landIndicators(new Map([['lulc_vector', { uid: '12_1', area_in_ha: 0, shrub_scrub_in_ha_2017: 1 }]]))).toEqual(
    {},
  );
});

it('the record has them, and 0 where no sheet tells', () => {
  const [record] = KylRecords.parse(kylRecords('12_1', rows, []));
  expect(record).toMatchObject({ ...TOLD, degradation_cropping_intensity: 4.5 });
  const [bare] = KylRecords.parse(kylRecords('12_1', new Map(), []));
  expect(bare).toMatchObject({ lulc_crop_percent: 0, drainage_density: 0, degradation_cropping_intensity: 0 });
});

it('every field of the record stands in the page on indicators', async () => {
  const page = await readFile(new URL('../../../../../docs/indicators.md', import.meta.url), 'utf8');
  const fields = Object.keys(KylRecord.shape).filter((field) => field !== 'mws_id');
  expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});
