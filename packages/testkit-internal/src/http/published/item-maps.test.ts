import { createMemoryAssets } from '@headwater/core/memory';
import { EXAMPLE_LAYERS, EXAMPLE_RUN, type HeadwaterOptions } from '@headwater/http-service';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { createMapPixels } from '@headwater/raster';
import { EXTENSIONS, validateItem } from '@headwater/stac';
import { expect, test } from 'vitest';
import { sampleComputing } from '../fixture/sample-service.ts';
import { startSample } from './published.fixture.ts';

const BASE = 'http://headwater.example';
const ID = 'sample_state_sample_district_sample_tehsil_sample';
const TREE = '/api/v1/stac/sample_state/sample_district/sample_tehsil/items';
const API = '/api/v1/stac-api/collections/sample_state_sample_district_sample_tehsil/items';
const { raster, vector } = EXAMPLE_LAYERS;
const RASTER = `${ID}_raster_2021`;
const VECTOR = `${ID}_vector`;
const RUN = `?run=${EXAMPLE_RUN}`;
/** Relations of links to maps and to the MBTiles file (`enclosure`). */
const OF_MAPS = ['wms', 'xyz', 'tilejson', 'enclosure'];

interface Item {
  readonly stac_extensions: readonly string[];
  readonly links: readonly { readonly rel: string; readonly href: string; readonly type: string }[];
  readonly assets: Readonly<Record<string, { readonly href: string; readonly type: string }>>;
}

const drawing: HeadwaterOptions['mapServer'] = (parts) =>
  createEmbeddedMapServer({ ...parts, pixels: createMapPixels() });
const start = (options: Partial<HeadwaterOptions> = {}) =>
  startSample({ mapServer: drawing, compute: { ...sampleComputing(), assets: createMemoryAssets() }, ...options });
const mapsOf = ({ links }: Item) => links.filter(({ rel }) => OF_MAPS.includes(rel));

test('an Item links to the maps of its layer, at addresses for the version of the Item', async () => {
  const { headwater, read } = await start();
  const [ofVector, ofRaster] = [await read<Item>(`${TREE}/${VECTOR}/`), await read<Item>(`${TREE}/${RASTER}/`)];
  const tiles = `${BASE}/geoserver/tiles/${vector.workspace}/${vector.name}`;
  expect(mapsOf(ofVector)).toEqual([
    {
      rel: 'wms',
      href: `${BASE}/geoserver/${vector.workspace}/wms${RUN}`,
      type: 'image/png',
      title: expect.stringContaining('WMS'),
      'wms:layers': [`${vector.workspace}:${vector.name}`],
      'wms:transparent': true,
    },
    { rel: 'xyz', href: `${tiles}/{z}/{x}/{y}.png${RUN}`, type: 'image/png', title: expect.any(String) },
    { rel: 'tilejson', href: `${tiles}.json${RUN}`, type: 'application/json', title: expect.any(String) },
    { rel: 'enclosure', href: `${tiles}.mbtiles${RUN}`, type: 'application/vnd.sqlite3', title: expect.any(String) },
  ]);
  expect(ofVector.assets['pmtiles']).toMatchObject({
    href: `${tiles}.pmtiles${RUN}`,
    type: 'application/vnd.pmtiles',
    alternate: { latest: { href: `${tiles}.pmtiles` } },
  });
  expect(mapsOf(ofRaster).map(({ rel }) => rel)).toEqual(['wms', 'xyz', 'tilejson']);
  expect(mapsOf(ofRaster)[1]?.href).toBe(
    `${BASE}/geoserver/tiles/${raster.workspace}/${raster.name}/{z}/{x}/{y}.png${RUN}`,
  );
  expect(ofRaster.assets).not.toHaveProperty('pmtiles');
  for (const item of [ofVector, ofRaster]) {
    expect(item.stac_extensions).toContain(EXTENSIONS.webMapLinks);
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  }
  const searched = await read<Item>(`${API}/${VECTOR}`);
  expect([mapsOf(searched), searched.assets]).toEqual([mapsOf(ofVector), ofVector.assets]);
  await headwater.close();
});

test('the map server responds at the map addresses of an Item, even if a later version has replaced the Item', async () => {
  const { headwater, read, send, compute } = await start();
  const item = await read<Item>(`${TREE}/${VECTOR}/`);
  await compute(2022);
  const present = await read<Item>(`${TREE}/${VECTOR}/`);
  expect(mapsOf(present)[0]?.href).not.toBe(mapsOf(item)[0]?.href);
  for (const { links, assets } of [item, present]) {
    const wms = '&service=WMS&version=1.3.0&request=GetMap&styles=&format=image/png&width=64&height=64';
    const world = '&crs=EPSG:3857&bbox=9462156,2753408,9573475,2875744';
    for (const { rel, href, type } of [
      ...links.filter((each) => OF_MAPS.includes(each.rel)),
      { rel: '', ...assets['pmtiles']! },
    ]) {
      const layers = `&layers=${vector.workspace}:${vector.name}`;
      const address = rel === 'wms' ? href + wms + world + layers : href.replace('{z}/{x}/{y}', '4/11/7');
      const answer = await send(address.slice(BASE.length));
      expect([address, answer.status, answer.headers.get('content-type')]).toEqual([
        address,
        200,
        expect.stringMatching(new RegExp(`^${type}`)),
      ]);
      if (rel !== 'wms') expect(answer.headers.get('cache-control')).toContain('immutable');
    }
    const tileJson = links.find(({ rel }) => rel === 'tilejson')?.href ?? '';
    const { tiles } = await read<{ tiles: readonly string[] }>(tileJson.slice(BASE.length));
    expect(tiles).toEqual([
      expect.stringMatching(new RegExp(`\\.mvt${tileJson.slice(tileJson.indexOf('?')).replace('?', '\\?')}$`)),
    ]);
  }
  await headwater.close();
});

test('an Item has links only to maps that the map server offers: without a pixel engine, only to vector tiles', async () => {
  const { headwater, read } = await startSample({ mapServer: createEmbeddedMapServer });
  expect(mapsOf(await read<Item>(`${TREE}/${VECTOR}/`)).map(({ rel }) => rel)).toEqual(['tilejson', 'enclosure']);
  expect(mapsOf(await read<Item>(`${TREE}/${RASTER}/`))).toEqual([]);
  expect((await read<Item>(`${TREE}/${RASTER}/`)).stac_extensions).not.toContain(EXTENSIONS.webMapLinks);
  await headwater.close();
});

test('the page of a layer has the addresses of its map services to copy, in English and Hindi', async () => {
  const { headwater, send } = await start();
  const page = async (path: string): Promise<string> =>
    await (await send(path, { headers: { accept: 'text/html' } })).text();
  const codesOf = (text: string) =>
    [...text.matchAll(/data-copy="the ([^"]*) address of [^"]*">([^<]*)</g)].map(([, name, address]) => [
      name,
      address,
    ]);
  const [ofVector, ofRaster] = [await page(`${TREE}/${VECTOR}/`), await page(`${TREE}/${RASTER}/`)];
  const place = (kind: 'ows' | 'tiles', { workspace, name }: typeof vector | typeof raster): string =>
    `${BASE}/geoserver/${kind === 'ows' ? workspace : `tiles/${workspace}/${name}/{z}/{x}/{y}.png`}`;
  expect(codesOf(ofVector)).toEqual([
    ['WMS', `${place('ows', vector)}/wms`],
    ['WFS', `${place('ows', vector)}/wfs`],
    ['XYZ', place('tiles', vector)],
    ['OGC API - Features', `${BASE}/geoserver/ogc/features/v1/`],
  ]);
  expect(codesOf(ofRaster)).toEqual([
    ['WMS', `${place('ows', raster)}/wms`],
    ['WCS', `${place('ows', raster)}/wcs`],
    ['XYZ', place('tiles', raster)],
  ]);
  expect(ofVector).toContain('<h2 id="use">Use this map</h2>');
  expect(ofVector).toContain(`<code>${vector.name}</code>`);
  expect(await page(`${TREE}/${VECTOR}/?lang=hi`)).toContain('<h2 id="use">इस मानचित्र का उपयोग करें</h2>');
  for (const [name, address = ''] of codesOf(ofVector)) {
    if (name === 'XYZ') continue;
    const query = name === 'OGC API - Features' ? '' : `?service=${name}&request=GetCapabilities`;
    const answer = await send(address.slice(BASE.length) + query);
    expect([address, answer.status]).toEqual([address, 200]);
  }
  await headwater.close();
});
