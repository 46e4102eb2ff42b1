import type { ActiveState, LayerRecord } from '@headwater/core';
import { expect, it } from 'vitest';
import { createPublicLists } from './public-lists.ts';
import { createAddresses } from './wire/addresses.ts';

const LAYER: LayerRecord = {
  workspace: 'mws',
  layerName: 'mws_a_b',
  datasetName: 'MWS',
  layerType: 'vector',
  tehsilId: 1,
  itemId: 'a_b_mws',
  assetKey: 'run/1/mws.geojson',
  styleKey: null,
  version: 1,
};

/** Lists over layers and places that a test changes. */
function sources() {
  const state: { layers: readonly LayerRecord[]; active: readonly ActiveState[] } = { layers: [LAYER], active: [] };
  const lists = createPublicLists({
    catalog: { layersOf: async () => state.layers },
    lookups: { activeLocations: async () => state.active },
    addresses: createAddresses('http://headwater.example'),
  });
  return { state, lists };
}

it('makes the list of layers once for the publications that it tells of', async () => {
  const { state, lists } = sources();
  const first = await lists.layersOf(1);
  state.layers = [{ ...LAYER }];
  expect(await lists.layersOf(1)).toBe(first);
  expect(await lists.layersOf(2)).not.toBe(first);
  for (const change of [{ version: 2 }, { assetKey: 'another/1/mws.geojson' }, { layerName: 'mws_a_c' }]) {
    state.layers = [{ ...LAYER, ...change }];
    expect((await lists.layersOf(1)).prepared.etag).not.toBe(first.prepared.etag);
  }
});

it('makes the tree of active places once as long as it stays the same', async () => {
  const { state, lists } = sources();
  const first = await lists.activeLocations();
  expect(await lists.activeLocations()).toBe(first);
  state.active = [{ id: 1, name: 'Nadi Pradesh', districts: [] }];
  const second = await lists.activeLocations();
  expect(new TextDecoder().decode(second.prepared.bytes)).toBe(
    '[{"label":"Nadi Pradesh","state_id":"1","district":[]}]',
  );
});
