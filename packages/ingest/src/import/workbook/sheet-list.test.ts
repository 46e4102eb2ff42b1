import { expect, it } from 'vitest';
import { columnKindOf, SHEET_FORMS, sheetFormOf } from './sheet-list.ts';

it('each sheet is listed once, and is found by its name in any case and with surrounding blanks', () => {
  const names = SHEET_FORMS.map(({ name }) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
  expect(sheetFormOf(' SurfaceWaterBodies_ANNUAL ')?.name).toBe('surfaceWaterBodies_annual');
  expect(sheetFormOf('constructor')).toBeUndefined();
});

it.each([
  ['hydrological_annual', 'welldepth_in_m_2017-2018', 'number'],
  ['hydrological_annual', 'deltag_in_mm_2017-2018', 'number'],
  ['hydrological_seasonal', 'delta g_kharif_in_mm_2017-2018', 'number'],
  ['terrain', 'terrain_cluster_id', 'integer'],
  ['terrain', 'terrain_description', 'text'],
  ['nrega_annual', 'mws_id', 'text'],
  ['nrega_annual', 'soil and water conservation_count_2018', 'number'],
  ['nrega_assets_village', 'vill_id', 'integer'],
  ['croppingIntensity_annual', 'doubly_cropped_area_in_ha_2017-2018', 'number'],
  ['croppingDrought_kharif', 'monsoon_onset_2017', 'text'],
  ['croppingDrought_kharif', 'no_drought_in_weeks_2017', 'number'],
  ['mws_intersect_villages', 'village details', 'json'],
  ['change_detection_cropintensity', 'triple_to_single_area_in_ha', 'number'],
  ['aquifer_vector', 'principle_aq_banded gneissic complex_percent', 'number'],
  ['stream_order', 'order_11_area_percent', 'number'],
  ['mws_connectivity', 'upstream_mws', 'list'],
  ['facilities_proximity', 'bank branch_distance', 'number'],
  ['dem', 'mean_elevation', 'number'],
  ['dem', 'mean_elevation_in_m', 'number'],
  ['drainage_density', 'drainage_density_std_in_km_per_km2', 'number'],
  ['terrain', 'constructor', undefined],
  ['terrain', 'plain_area_percent_2', undefined],
])('kind of a column: in the sheet %s, %s is %s', (sheet, column, kind) => {
  const form = sheetFormOf(sheet);
  expect(form === undefined ? 'no sheet' : columnKindOf(form, column)).toBe(kind);
});
