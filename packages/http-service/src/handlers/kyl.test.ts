import type { TableRow } from '@headwater/core';
import { expect, it } from 'vitest';
import { KylRecords, kylRecords } from '../wire/schemas/kyl-record.ts';

it('a record has what the sheets tell, and what 2.5 of the wire contract says for the rest', () => {
  const rows = new Map([
    ['kyl_surface_water', { uid: '12_1', trend_swb: '1', avg_kharif_surface_water_mws: null, total_swb_area_in_ha: 9 }],
    ['terrain', { uid: '12_1', terrain_cluster_id: 0, area_in_ha: 7 }],
    ['terrain_lulc_plain', { uid: '12_1', cluster_name: null }],
    ['change_detection_deforestation', { uid: '12_1', total_deforestation_area_in_ha: 3.5 }],
  ]);
  const body = { swb_uid: '4', waterbodies_name: null, latitude: 24.5, longitude: 85 };
  const [record] = KylRecords.parse(kylRecords('12_1', rows, [body]));
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
  expect(KylRecords.parse(kylRecords('12_1', new Map(), []))).toMatchObject([{ trend_swb: '-1', aquifer_class: '' }]);
});

it('sheets of an imported workbook tell what follows from them with certainty, and nothing else', () => {
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
  const [record] = KylRecords.parse(kylRecords('12_1', rows, []));
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
    drought_category: '',
    trend_g: '',
  });
  const ofRun = new Map([...rows, ['kyl_cropping_intensity', { uid: '12_1', cropping_intensity_avg: 1.2 }]] as const);
  expect(kylRecords('12_1', ofRun, [])).toMatchObject([{ cropping_intensity_avg: 1.2 }]);
});

it('a class that is not known stays empty', () => {
  const record = (sheet: string, row: TableRow) => kylRecords('12_1', new Map([[sheet, row]]), []);
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
