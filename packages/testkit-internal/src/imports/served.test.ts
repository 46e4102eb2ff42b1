import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@headwater/core/values';
import { createMemoryStores } from '@headwater/identity/memory';
import {
  createAddresses,
  createHeadwater,
  EXAMPLE_NAMES,
  EXAMPLE_UID,
  storedAddresses,
  toFetchHandler,
} from '@headwater/http-service';
import { layerImporter, seriesImporter, workbookImporter } from '@headwater/ingest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { realPixels, type RealPixels } from '../http/fixture/real-pixels.ts';
import { SAMPLE_PLACE } from '../http/fixture/sample-place.ts';
import { SAMPLE_SECRET, SAMPLE_USERS } from '../http/fixture/sample-service.ts';
import { jsonInit } from '../http/suite/harness.ts';
import { requestOf } from './import-request.fixture.ts';
import { collectionText, LAYER_OPTIONS, writeRaster } from './layer.fixture.ts';
import { workbookParts, writeZip } from './workbook-file.fixture.ts';

const BASE = 'http://headwater.example';
const PLACE = 'sample_district_sample_tehsil';
const OTHER_UID = '12_100175';
const BOX = [
  [
    [85, 24],
    [85.02, 24],
    [85.02, 24.02],
    [85, 24.02],
    [85, 24],
  ],
];

let pixels: RealPixels;
let ask: (path: string, accept?: string) => Promise<Response>;
let close: () => Promise<void>;

const read = async (route: string, rest: Readonly<Record<string, string>> = {}): Promise<unknown> => {
  const answer = await ask(`/api/v1/${route}/?${new URLSearchParams({ ...EXAMPLE_NAMES, ...rest }).toString()}`);
  expect([route, answer.status]).toEqual([route, 200]);
  return await answer.json();
};

beforeAll(async () => {
  pixels = await realPixels();
  const stores = createMemoryStores();
  await stores.places.saveBundle(SAMPLE_PLACE);
  const parts = {
    baseUrl: BASE,
    secret: SAMPLE_SECRET,
    stores,
    compute: { ...pixels.compute, worker: false } as const,
    validateResponses: true,
  };
  const headwater = createHeadwater(parts);
  close = () => headwater.close();
  const { id } = await headwater.accounts.createUser(SAMPLE_USERS.owner);
  const handler = toFetchHandler(headwater.service);
  const json = async (path: string, body: object, token = ''): Promise<Readonly<Record<string, unknown>>> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const answer = await handler(new Request(BASE + path, { ...jsonInit(body), headers }));
    const parsed: unknown = await answer.json();
    return isObject(parsed) ? parsed : {};
  };
  const { access } = await json('/api/v1/auth/login/', SAMPLE_USERS.owner);
  const { data } = await json('/api/v1/generate_api_key/', {}, String(access));
  const key = isObject(data) ? String(data['api_key']) : '';
  ask = (path, accept = 'application/json') =>
    handler(new Request(new URL(path, BASE), { headers: { 'x-api-key': key, accept } }));

  const deps = { ...pixels.compute, stores, ownerId: id, addresses: storedAddresses(), version: '0.1.0' };
  const file = (name: string): string => join(pixels.folder, name);
  await writeZip(
    file(`${PLACE}.xlsx`),
    workbookParts({
      terrain: [
        ['UID', 'terrain_cluster_id'],
        [EXAMPLE_UID, 3],
      ],
      HYDROLOGICAL_ANNUAL: [
        ['UID', 'Precipitation_in_mm_2017-2018', 'RunOff_in_mm_2017-2018'],
        [EXAMPLE_UID, 900, 90],
      ],
      mining: [
        ['UID', 'proposal'],
        // The micro-watershed has several rows; the first row has no value.
        [EXAMPLE_UID, null],
        [EXAMPLE_UID, 'A quarry'],
      ],
      mws_intersect_villages: [
        ['MWS UID', 'Village IDs'],
        [EXAMPLE_UID, '[7]'],
      ],
      dem: [
        ['UID', 'min_elevation', 'mean_elevation', 'max_elevation'],
        [EXAMPLE_UID, 100, 150, 290],
        [OTHER_UID, 20, 50, 60],
      ],
      canal: [
        ['UID', 'canal_name'],
        [OTHER_UID, 'Main canal'],
      ],
    }),
  );
  await workbookImporter(deps).run(requestOf(file(`${PLACE}.xlsx`)));
  await writeFile(
    file(`deltaG_fortnight_${PLACE}.geojson`),
    collectionText({
      type: 'Feature',
      geometry: null,
      properties: {
        uid: EXAMPLE_UID,
        '2017-07-01': '{"ET": 31.2, "RunOff": 4.87, "Precipitation": 66.1, "G": 1, "DeltaG": 2}',
      },
    }),
  );
  await seriesImporter(deps).run(requestOf(file(`deltaG_fortnight_${PLACE}.geojson`)));
  await writeFile(
    file(`drainage_${PLACE}.geojson`),
    collectionText({
      type: 'Feature',
      geometry: { type: 'Polygon', coordinates: BOX },
      properties: { uid: EXAMPLE_UID },
    }),
  );
  await layerImporter(deps, LAYER_OPTIONS).run(requestOf(file(`drainage_${PLACE}.geojson`)));
  await writeFile(
    file(`wells_${PLACE}.geojson`),
    collectionText({ type: 'Feature', geometry: { type: 'Point', coordinates: [85.01, 24.01] }, properties: {} }),
  );
  await layerImporter(deps, { ...LAYER_OPTIONS, name: 'wells', dataset: 'Wells' }).run(
    requestOf(file(`wells_${PLACE}.geojson`)),
  );
  await writeRaster(file(`depth_${PLACE}.tif`));
  await layerImporter(deps, { ...LAYER_OPTIONS, name: 'depth' }).run(requestOf(file(`depth_${PLACE}.tif`)));
}, 120_000);

afterAll(async () => {
  await close();
  await pixels.remove();
});

it('imported sheets are served like sheets of runs, and indicators are computed from them', async () => {
  expect(await read('get_tehsil_data')).toEqual({
    terrain: [{ uid: EXAMPLE_UID, terrain_cluster_id: 3 }],
    hydrological_annual: [{ uid: EXAMPLE_UID, 'precipitation_in_mm_2017-2018': 900, 'runoff_in_mm_2017-2018': 90 }],
    mining: [
      { id: `${EXAMPLE_UID}:1`, uid: EXAMPLE_UID, proposal: null },
      { id: `${EXAMPLE_UID}:2`, uid: EXAMPLE_UID, proposal: 'A quarry' },
    ],
    mws_intersect_villages: [{ 'mws uid': EXAMPLE_UID, 'village ids': [7] }],
    dem: [
      { uid: EXAMPLE_UID, min_elevation: 100, mean_elevation: 150, max_elevation: 290 },
      { uid: OTHER_UID, min_elevation: 20, mean_elevation: 50, max_elevation: 60 },
    ],
    canal: [{ id: `${OTHER_UID}:1`, uid: OTHER_UID, canal_name: 'Main canal' }],
  });
  expect(await read('get_mws_kyl_indicators', { mws_id: EXAMPLE_UID })).toMatchObject([
    {
      terraincluster_id: 3,
      avg_precipitation: 900,
      avg_runoff: 90,
      mining: 1,
      green_credit: 0,
      mws_intersect_villages: [7],
    },
  ]);
  expect(await read('download_kyl_data')).toMatchObject([{ mws_id: EXAMPLE_UID, mining: 1 }, { mining: 0 }]);
});

it('relative elevations refer to the mean of the tehsil, whether one micro-watershed or all are requested', async () => {
  const expected = [
    [EXAMPLE_UID, { relief: 190, mean_elevation: 150, relative_mean_elevation: 50, canal_available: false }],
    [OTHER_UID, { relief: 40, mean_elevation: 50, relative_mean_elevation: -50, canal_available: true }],
  ] as const;
  for (const [uid, fields] of expected)
    expect(await read('get_mws_kyl_indicators', { mws_id: uid })).toMatchObject([{ mws_id: uid, ...fields }]);
  expect(await read('download_kyl_data')).toMatchObject(expected.map(([uid, fields]) => ({ mws_id: uid, ...fields })));
});

it('time series contain imported hydrology instead of 0', async () => {
  expect(await read('get_mws_data', { mws_id: EXAMPLE_UID })).toMatchObject({
    time_series: [{ date: '2017-07-01', et: 31.2, runoff: 4.87, precipitation: 66.1, ndvi_crop: '' }],
  });
});

it('imported layers are listed, and their files, Items and pages are served', async () => {
  const layers = await read('get_generated_layer_urls');
  expect(layers).toMatchObject([
    { layer_name: `depth_${PLACE}`, layer_type: 'raster', layer_version: '1.0' },
    { layer_name: `drainage_${PLACE}`, layer_type: 'vector', layer_version: '1.0' },
    { layer_name: `wells_${PLACE}`, layer_type: 'point', layer_version: '1.0' },
  ]);
  for (const layer of Array.isArray(layers) ? layers : []) {
    for (const name of ['layer_url', 'style_url']) {
      const address = isObject(layer) ? String(layer[name]) : '';
      const answer = await ask(address);
      expect([address, answer.status]).toEqual([address, 200]);
      await answer.arrayBuffer();
    }
  }
  const addresses = createAddresses(BASE);
  for (const name of ['depth', 'drainage']) {
    const at = addresses.item(
      'sample_state/sample_district/sample_tehsil',
      `sample_state_sample_district_sample_tehsil_${name}`,
    );
    const item: unknown = await (await ask(at)).json();
    expect(item).toMatchObject({ properties: { license: 'CC-BY-4.0', attribution: 'Survey office, 2021' } });
    expect(JSON.stringify(item)).not.toContain('headwater.invalid');
    const page = await ask(at, 'text/html');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    expect(await page.text()).toContain('Survey office, 2021');
  }
});
