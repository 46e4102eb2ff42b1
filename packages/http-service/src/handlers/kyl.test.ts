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
