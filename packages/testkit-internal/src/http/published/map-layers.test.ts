import type { MapLayer, MapServerParts } from '@headwater/core/ports';
import { createMemoryAssets } from '@headwater/core/memory';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { EXAMPLE_FILES, EXAMPLE_ITEM, EXAMPLE_LAYERS, EXAMPLE_RUN, toFetchHandler } from '@headwater/http-service';
import { expect, test } from 'vitest';
import { createSampleService, publishSampleAgain, sampleComputing } from '../fixture/sample-service.ts';

const { raster, vector } = EXAMPLE_LAYERS;

async function world() {
  let parts: MapServerParts | undefined;
  const assets = createMemoryAssets();
  const headwater = await createSampleService({
    compute: { ...sampleComputing(), assets },
    mapServer: (given) => {
      parts = given;
      return createEmbeddedMapServer(given);
    },
  });
  if (parts === undefined) throw new Error('fixture: the service created no map server');
  const answer = toFetchHandler(headwater.service);
  const send = async (path: string, init?: RequestInit) =>
    await answer(new Request(`http://headwater.example${path}`, init));
  return { headwater, assets, parts, send };
}

async function listed({ layers }: MapServerParts, workspace?: string): Promise<readonly MapLayer[]> {
  const found: MapLayer[] = [];
  for await (const layer of layers.list(workspace)) found.push(layer);
  return found;
}

test('the map server lists every published layer with the facts of its Item', async () => {
  const { headwater, parts } = await world();
  const all = await listed(parts);
  expect(all.map(({ workspace, name }) => `${workspace}:${name}`)).toEqual([
    'mws:mws_sample_district_sample_tehsil',
    'panchayat_boundaries:sample_district_sample_tehsil',
    `${raster.workspace}:${raster.name}`,
    `${vector.workspace}:${vector.name}`,
  ]);
  expect(await parts.layers.workspaces()).toEqual(expect.arrayContaining(all.map(({ workspace }) => workspace)));
  expect(await listed(parts, raster.workspace)).toEqual([
    {
      ...raster,
      title: 'Sample layer 2021',
      abstract: 'Synthetic result for suites that need a published Item.',
      kind: 'raster',
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
      isLasting: false,
      box: expect.arrayContaining([expect.any(Number)]),
      interval: { start: '2021-07-01T00:00:00Z', end: '2022-06-30T23:59:59Z' },
      assetKey: `${EXAMPLE_RUN}/1/${EXAMPLE_FILES.raster}`,
      sldKey: null,
      qmlKey: null,
      columns: [],
      geometryName: 'geom',
      itemHref: expect.stringContaining(`/items/${EXAMPLE_ITEM}/`),
    },
  ]);
  expect(await parts.layers.find(vector.workspace, vector.name)).toMatchObject({
    kind: 'vector',
    columns: [{ name: 'uid', type: 'string', description: 'Micro-watershed id' }],
  });
  expect(await parts.layers.find('mws', vector.name)).toBeUndefined();
  expect(parts).toMatchObject({ url: 'http://headwater.example/geoserver', provider: expect.any(String) });
  await headwater.close();
});

test('a publication changes the version of its layers and of the list; an address with the first run still has the first file', async () => {
  const { headwater, assets, parts } = await world();
  const [before, version] = [await parts.layers.find(raster.workspace, raster.name), await parts.layers.version()];
  expect(await parts.layers.version()).toBe(version);
  await publishSampleAgain(headwater, assets, Uint8Array.of(1, 2, 3));
  const after = await parts.layers.find(raster.workspace, raster.name);
  expect(after?.assetKey).not.toBe(before?.assetKey);
  expect(after?.version).not.toBe(before?.version);
  await expect.poll(() => parts.layers.version(), { timeout: 1000 }).not.toBe(version);
  const first = await parts.layers.find(raster.workspace, raster.name, EXAMPLE_RUN);
  expect(first).toMatchObject({ isLasting: true, assetKey: before?.assetKey, title: 'Sample layer 2021' });
  expect(await parts.layers.find(raster.workspace, raster.name, 'none')).toBeUndefined();
  await headwater.close();
});

test('the map server is ready, and responds to unknown workspaces with errors in the format of the protocol', async () => {
  const { headwater, send } = await world();
  const statusOf = async (path: string): Promise<readonly unknown[]> => {
    const { status, headers } = await send(`/geoserver${path}`);
    return [status, headers.get('content-type')?.split(';')[0]];
  };
  expect(await statusOf('/web/')).toEqual([200, 'text/plain']);
  expect(await statusOf('/web')).toEqual([200, 'text/plain']);
  expect((await send('/geoserver/web/', { method: 'HEAD' })).status).toBe(200);
  expect(await statusOf('/none/wms')).toEqual([404, 'application/xml']);
  for (const service of ['wfs', 'wms']) {
    const empty = await send(`/geoserver/pan_india_asset/${service}?service=${service}&request=GetCapabilities`);
    expect(empty.status).toBe(200);
    expect(await empty.text()).not.toContain('sample_district');
  }
  for (const closed of ['/rest', '/rest/workspaces', '/gwc/rest', '/wps', '/TestWfsPost', '/web/wicket/page'])
    expect([closed, (await send(`/geoserver${closed}`)).status]).toEqual([closed, 404]);
  // The map server must not parse a document that a client posts.
  const posted = await send('/geoserver/wfs', { method: 'POST', body: '<GetFeature/>' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, expect.stringContaining('GET')]);
  expect(await statusOf('/toString/wfs?version=1.0.0')).toEqual([404, 'application/xml']);
  expect(await statusOf('/ows')).toEqual([400, 'application/xml']);
  expect(await statusOf(`/styles/${vector.workspace}/${vector.name}.sld`)).toEqual([404, 'application/xml']);
  expect(await (await send('/geoserver/none/wfs?version=2.0.0&outputFormat=json')).json()).toMatchObject({
    code: 'InvalidParameterValue',
    exceptions: [{ locator: 'workspace', text: expect.stringContaining('"none" is unknown') }],
  });
  await headwater.close();
});
