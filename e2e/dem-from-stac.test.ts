import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlaceBundle } from '@headwater/core';
import { slopePercentagePipeline } from '@headwater/terrain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boxPolygon } from '../scripts/boxes.mjs';
import { listenOnLoopback, type Loopback } from '../scripts/loopback.mjs';
import { storeOf } from './loopback.fixture.ts';
import { arcSecondGrid, writePaintedDem } from './painted-dem.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';

const BOX = { west: 78.005, south: 17.405, east: 78.015, north: 17.415 };
const AROUND = [77.97, 17.37, 78.05, 17.45] as const;
const PLACE: PlaceBundle = {
  state: 'Virtapradesh',
  district: 'Nirmalgarh',
  tehsil: 'Rangpur',
  geometry: boxPolygon(BOX),
  mws: [],
  villages: [],
};

let folder: string;
let api: Loopback;
let service: SmallService;
/** State of the fake API: `isAway` is true while the API is unavailable, `hasTile` while it lists the tile. */
const state = { isAway: false, hasTile: false };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-dem-stac-'));
  const files = storeOf(folder);
  api = await listenOnLoopback((request, response) => {
    if (state.isAway) response.writeHead(503).end();
    else if (request.url === '/v1/search') response.end(JSON.stringify(found()));
    else if (request.url === '/v1/collections/heights') response.end(JSON.stringify(COLLECTION));
    else files(request, response);
  });
  const demApi = { url: `${api.origin}/v1`, collection: COLLECTION.id };
  service = await startSmallService({ places: [PLACE], pipelines: [slopePercentagePipeline], demApi });
});
afterAll(async () => {
  await service.close();
  await api.close();
  await rm(folder, { recursive: true });
});

const COLLECTION = { type: 'Collection', id: 'heights', title: 'Heights of Rangpur', license: 'CC-BY-4.0' };
const found = () => ({
  type: 'FeatureCollection',
  features: state.hasTile
    ? [
        {
          type: 'Feature',
          id: 't',
          bbox: AROUND,
          properties: {},
          assets: { dem: { href: '/painted.tif', type: 'image/tiff' } },
        },
      ]
    : [],
});
const paint = (height: (row: number) => number) => writePaintedDem(folder, arcSecondGrid(AROUND), height);
const make = () =>
  service.compute({ state: PLACE.state, district: PLACE.district, block: PLACE.tehsil }, 'generate_slope_percentage');

it('without elevations, the error names both ways to provide elevations', async () => {
  const { status, body } = await make();
  expect([status, JSON.stringify(body)]).toEqual([409, expect.stringMatching(/DATA_DIR\/dem.*DEM_STAC_API_URL/)]);
});

it('a layer is computed from tiles of a STAC API, and computed again after the tiles were replaced', async () => {
  state.hasTile = true;
  await paint((row) => row);
  const first = await make();
  expect([first.status, first.body['error']]).toEqual([200, undefined]);
  const { items } = await service.published();
  expect(JSON.stringify(items)).toContain('"headwater:elevation_title":"Heights of Rangpur"');
  const runs = await service.runCount();
  await make();
  expect(await service.runCount()).toBe(runs);
  await paint((row) => 2 * Math.floor(row / 7));
  await make();
  expect(await service.runCount()).toBe(runs + 1);
});

it('while the API is unavailable, a request gets 503, and no run is created', async () => {
  state.isAway = true;
  const runs = await service.runCount();
  const { status } = await make();
  expect([status, await service.runCount()]).toEqual([503, runs]);
});
