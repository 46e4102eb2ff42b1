import { expect, test } from 'vitest';
import { kindOfLayer } from './layer-kinds.ts';

test.each([
  ['mws', 'mws MWS_telangana micro_watersheds Micro-Watershed_2023 tehsil_mws watershed mws.boundaries'],
  ['villages', 'villages Village_Boundaries settlement village.shp'],
  ['places', 'tehsils SUB-DISTRICT_boundary sub_districts taluka blocks_2011 boundary boundaries places mandal'],
  [undefined, 'rivers blockage tehsildar layer1 roads'],
])('layers of the kind %s are told by a word of their name', (kind, names) => {
  expect(names.split(' ').map((name) => [name, kindOfLayer(name)])).toEqual(
    names.split(' ').map((name) => [name, kind]),
  );
});
