import { createMemoryDomainStores } from '@headwater/core/memory';
import type { ActiveState, DatedLayer, EoExportStore } from '@headwater/core/ports';
import { expect, it } from 'vitest';
import { createPublicLists } from './public-lists.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { layerRecords } from '../schemas/public-layers.ts';

const LAYER: DatedLayer = {
  workspace: 'mws',
  layerName: 'mws_a_b',
  datasetName: 'MWS',
  layerType: 'vector',
  tehsilId: 1,
  itemId: 'a_b_mws',
  assetKey: 'run/1/mws.geojson',
  styleKey: null,
  version: 1,
  start: null,
  end: null,
  shape: null,
};

const ADDRESSES = createAddresses('http://headwater.example');

const refused = () => Promise.reject(new Error('exports were read although the service has none'));
const NONE: Pick<EoExportStore, 'ofFiles' | 'list'> = { ofFiles: refused, list: refused };

function sources(exports: Pick<EoExportStore, 'ofFiles' | 'list'> = NONE) {
  const state: { layers: readonly DatedLayer[]; version: string; reads: number; active: readonly ActiveState[] } = {
    layers: [LAYER],
    version: '1',
    reads: 0,
    active: [],
  };
  const lists = createPublicLists({
    catalog: {
      layersVersionOf: async () => state.version,
      layersOf: async () => {
        state.reads += 1;
        return state.layers;
      },
    },
    lookups: { activeLocations: async () => state.active },
    addresses: ADDRESSES,
    eoExports: exports,
    hasExports: exports !== NONE,
  });
  return { state, lists };
}

it('builds the list of layers of a tehsil once for each version of its layers', async () => {
  const { state, lists } = sources();
  const first = await lists.layersOf(1);
  expect([await lists.layersOf(1), state.reads]).toEqual([first, 1]);
  expect(await lists.layersOf(2)).not.toBe(first);
  [state.layers, state.version] = [[{ ...LAYER, version: 2 }], '2'];
  const second = await lists.layersOf(1);
  expect(second.prepared.etag).not.toBe(first.prepared.etag);
  expect(new TextDecoder().decode(second.prepared.bytes)).toContain('"layer_version":"2.0"');
});

it('builds the tree of active places only once while the places do not change', async () => {
  const { state, lists } = sources();
  const first = await lists.activeLocations();
  expect(await lists.activeLocations()).toBe(first);
  state.active = [{ id: 1, name: 'Nadi Pradesh', districts: [] }];
  const second = await lists.activeLocations();
  expect(new TextDecoder().decode(second.prepared.bytes)).toBe(
    '[{"label":"Nadi Pradesh","state_id":"1","district":[]}]',
  );
});

it('lists the newest of layers whose names in a workspace differ only in case, marks layers of points, and skips internal layers', () => {
  const layer = (layerName: string, more: Partial<DatedLayer> = {}): DatedLayer => ({ ...LAYER, layerName, ...more });
  const layers = [
    layer('a_b', { workspace: 'drainage' }),
    layer('a_b', { workspace: 'panchayat_boundaries' }),
    layer('MWS_A_B', { version: 10 }),
    layer('mws_a_b', { version: 9 }),
    layer('a_b_mws_centroid', { workspace: 'mws_centroid', shape: 'point' }),
    layer('a_b_Run_Off'),
    layer('a_b_evapotranspiration', { layerType: 'raster' }),
    layer('precipitation_a_b'),
    layer('precipitation_mws_connectivity'),
  ];
  const records = layerRecords(layers, ADDRESSES);
  expect(records.map((each) => [each.layer_name, each.layer_type, each.layer_version])).toEqual([
    ['a_b', 'vector', '1.0'],
    ['a_b', 'vector', '1.0'],
    ['MWS_A_B', 'vector', '10.0'],
    ['a_b_mws_centroid', 'point', '1.0'],
    ['precipitation_mws_connectivity', 'vector', '1.0'],
  ]);
  expect(records[3]?.layer_url).toMatch(/service=WFS/);
});

it.each([
  ['2021-07-01T00:00:00.000Z', '2024-06-30T00:00:00.000Z', [2021, 2023]],
  ['2018-01-01T00:00:00.000Z', '2019-12-31T00:00:00.000Z', [2018, 2019]],
  ['2024-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z', [null, null]],
  [null, null, [null, null]],
])('a layer from %s to %s has the years %j', (start, end, [first, last]) => {
  const [record] = layerRecords([{ ...LAYER, start, end }], ADDRESSES);
  expect(record).toMatchObject({ start_year: first, end_year: last });
});

it('shows the path of the exported asset only after the export is done', async () => {
  const { eoExports } = createMemoryDomainStores();
  const { lists, state } = sources(eoExports);
  const shown = async (): Promise<unknown> =>
    (JSON.parse(new TextDecoder().decode((await lists.layersOf(1)).prepared.bytes)) as readonly object[])[0];
  expect(await shown()).toMatchObject({ eo_asset_path: LAYER.assetKey, gee_asset_path: LAYER.assetKey });
  const { workspace, layerName, assetKey } = LAYER;
  const createdAt = '2026-11-29T00:00:00.000Z';
  await eoExports.add({ id: crypto.randomUUID(), workspace, layerName, assetKey, accountId: 1, createdAt });
  const claimed = await eoExports.claim(new Date(createdAt), 1000);
  if (claimed === undefined) throw new Error('no export is due');
  const assetPath = 'projects/p/assets/a';
  await eoExports.save(claimed, { assetPath }, claimed);
  expect(await shown()).toMatchObject({ eo_asset_path: LAYER.assetKey });
  await eoExports.save(claimed, { state: 'done' });
  expect(await shown()).toMatchObject({ eo_asset_path: assetPath, gee_asset_path: assetPath });
  expect(state.reads).toBe(2);
});
