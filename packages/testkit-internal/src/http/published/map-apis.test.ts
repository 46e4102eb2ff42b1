import { gunzipSync } from 'node:zlib';
import { createMemoryAssets } from '@headwater/core/memory';
import { EXAMPLE_LAYERS, toFetchHandler } from '@headwater/http-service';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { expect, test } from 'vitest';
import { createSampleService, sampleComputing } from '../fixture/sample-service.ts';

const { raster, vector } = EXAMPLE_LAYERS;
const PLACE = `/geoserver/tiles/${vector.workspace}/${vector.name}`;

async function world() {
  const { service } = await createSampleService({ compute: { ...sampleComputing(), assets: createMemoryAssets() } });
  const answer = toFetchHandler(service);
  return async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    await answer(new Request(`http://headwater.example${path}`, { headers }));
}

test('TileJSON names the versioned address of the tiles, which may be cached for ever', async () => {
  const send = await world();
  const document: unknown = await (await send(`${PLACE}.json`)).json();
  expect(document).toMatchObject({
    tilejson: '3.0.0',
    vector_layers: [{ id: vector.name, fields: { uid: 'String' } }],
  });
  expect(document).toHaveProperty('tiles', [expect.stringMatching(/\/\{z\}\/\{x\}\/\{y\}\.mvt\?v=[0-9a-f]+$/)]);
  const version = /v=(\w+)/.exec(JSON.stringify(document))?.[1] ?? '';

  const tile = await send(`${PLACE}/0/0/0.mvt?v=${version}`);
  expect(tile.status).toBe(200);
  expect(tile.headers.get('content-type')).toBe('application/vnd.mapbox-vector-tile');
  expect(tile.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await tile.bytes())[0]).toBe(26);
  expect((await send(`${PLACE}/0/0/0.pbf?v=old`)).headers.get('cache-control')).toBe('no-cache');
  const etag = tile.headers.get('etag') ?? '';
  const known = await send(`${PLACE}/0/0/0.mvt?v=${version}`, { 'if-none-match': etag });
  expect([known.status, known.headers.get('cache-control')]).toEqual([304, tile.headers.get('cache-control')]);
});

test('a tile without features has no bytes; a tile outside of the world, and vector tiles of a raster, return 404', async () => {
  const send = await world();
  const empty = await send(`${PLACE}/4/0/0.mvt`);
  expect([empty.status, await empty.text()]).toEqual([200, '']);
  for (const path of [
    `${PLACE}/4/16/0.mvt`,
    `${PLACE}/25/0/0.mvt`,
    `${PLACE}/0/0/0@2x.mvt`,
    `/geoserver/tiles/${raster.workspace}/${raster.name}/0/0/0.mvt`,
    `/geoserver/tiles/${raster.workspace}/${raster.name}.pmtiles`,
    `/geoserver/ogc/tiles/v1/collections/${raster.workspace}:${raster.name}/tiles`,
    `/geoserver/ogc/tiles/v1/collections/${vector.workspace}:${vector.name}/tiles/WebMercatorQuad/0/0`,
  ])
    expect([path, (await send(path)).status]).toEqual([path, 404]);
});

test('OGC API - Tiles has the vector tiles of a layer', async () => {
  const send = await world();
  const place = `/geoserver/ogc/tiles/v1/collections/${vector.workspace}:${vector.name}/tiles`;
  const set: unknown = await (await send(`${place}/WebMercatorQuad`)).json();
  expect(set).toMatchObject({ dataType: 'vector', tileMatrixSetLimits: { length: 15 } });
  const tile = await send(`${place}/WebMercatorQuad/0/0/0`);
  expect(await tile.bytes()).toEqual(await (await send(`${PLACE}/0/0/0.mvt`)).bytes());
});

test('programs read ranges of a PMTiles file', async () => {
  const send = await world();
  const whole = await send(`${PLACE}.pmtiles`);
  const bytes = await whole.bytes();
  expect(whole.headers.get('accept-ranges')).toBe('bytes');
  expect(whole.headers.get('content-security-policy')).toContain('sandbox');
  const part = await send(`${PLACE}.pmtiles`, { range: 'bytes=7-126', 'if-range': whole.headers.get('etag') ?? '' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 7-126/${bytes.length}`]);
  expect(await part.bytes()).toEqual(bytes.slice(7, 127));
  expect((await send(`${PLACE}.pmtiles`, { range: `bytes=${bytes.length}-` })).status).toBe(416);
  expect((await send(`${PLACE}.mbtiles`)).headers.get('content-type')).toBe('application/vnd.sqlite3');
});

test('a large page of features is compressed if the client accepts it', async () => {
  const features = Array.from({ length: 900 }, (_, at) => ({
    type: 'Feature',
    properties: { uid: `12_${at}`, text: 'x'.repeat(100) },
    geometry: { type: 'Point', coordinates: [85, 24] },
  }));
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  const file = { bytes: bytes.length, etag: 'e', modified: new Date(0), stream: () => ReadableStream.from([bytes]) };
  const { service } = await createSampleService({
    mapServer: (parts) => createEmbeddedMapServer({ ...parts, openFile: async () => file }),
  });
  const answer = toFetchHandler(service);
  const path = `http://headwater.example/geoserver/ogc/features/v1/collections/${vector.workspace}:${vector.name}/items?limit=900`;
  const send = async (headers: Readonly<Record<string, string>>): Promise<Response> =>
    await answer(new Request(path, { headers }));

  const plain = await send({});
  const packed = await send({ 'accept-encoding': 'gzip' });

  expect(packed.headers.get('content-encoding')).toBe('gzip');
  expect(gunzipSync(await packed.bytes()).toString()).toBe(await plain.text());
  const etag = packed.headers.get('etag') ?? '';
  expect(etag).not.toBe(plain.headers.get('etag'));
  expect((await send({ 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(304);
  const head = await answer(new Request(path, { method: 'HEAD' }));
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, plain.headers.get('etag'), '']);
});

test('errors of the OGC APIs are problem documents (RFC 9457) that name the parameter', async () => {
  const send = await world();
  const collection = `/geoserver/ogc/features/v1/collections/${vector.workspace}:${vector.name}`;
  const wrong = await send(`${collection}/items?limit=0`);
  expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, 'application/problem+json; charset=utf-8']);
  expect(await wrong.json()).toEqual({
    title: 'Bad request',
    status: 400,
    detail: 'limit: "0" is not a whole number of 1 or more, with at most 15 digits',
    code: 'InvalidParameterValue',
    locator: 'limit',
  });
  const absent = await send(`/geoserver/ogc/features/v1/collections/${vector.workspace}:none`);
  expect(await absent.json()).toMatchObject({ title: 'Not found', status: 404, locator: 'collectionId' });
});

test('a filtered WFS response with all features equals the cached response of the whole layer, except for its time', async () => {
  const send = await world();
  const whole = `/geoserver/${vector.workspace}/ows?service=WFS&version=1.0.0&request=GetFeature&typeName=${vector.workspace}:${vector.name}&outputFormat=application/json`;
  const [cached, made] = [await send(whole), await send(`${whole}&maxFeatures=1000`)];
  const withoutTime = async (response: Response): Promise<string> =>
    (await response.text()).replace(/"timeStamp":"[^"]*"/, '');
  expect(await withoutTime(made)).toBe(await withoutTime(cached));
  expect(made.headers.get('content-type')).toBe(cached.headers.get('content-type'));
});
