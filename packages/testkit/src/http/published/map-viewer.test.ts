import type { Deliverable } from '@headwater/core';
import type { HeadwaterOptions, ItemMap } from '@headwater/http-service';
import { describe, expect, it } from 'vitest';
import { publishAsSample } from '../fixture/sample-service.ts';
import { startSample } from './published.fixture.ts';

const FILES = 'https://base.headwater.invalid/api/v1/assets/0190a000-0000-7000-8000-000000000002/1';
const ITEMS = '/api/v1/stac/a/b/c/items/';
const TITLE = `"><script>alert('x')</script>`;
const CLASSES = [
  { value: 0, title: 'Background', nodata: true },
  { value: 6, title: 'Trees', color_hint: '38761D' },
  { value: 7, title: TITLE },
];

interface Parts {
  readonly year?: number;
  readonly assets: Readonly<Record<string, object>>;
  readonly columns?: readonly object[];
}

function itemOf(id: string, { year = 2021, assets, columns = [] }: Parts): Deliverable['items'][number] {
  const item = {
    type: 'Feature',
    id,
    bbox: [78.5, 17.4, 78.6, 17.5],
    properties: {
      title: TITLE,
      start_datetime: `${year}-07-01T00:00:00Z`,
      end_datetime: `${year + 1}-06-30T00:00:00Z`,
      'table:columns': columns,
    },
    assets: { ...assets, thumbnail: { href: `${FILES}/${id}.png`, type: 'image/png', roles: ['thumbnail'] } },
    links: [],
  };
  return { id, collectionPath: 'a/b/c', item };
}

const tif = (name: string) => ({ href: `${FILES}/${name}.tif`, type: 'image/tiff; application=geotiff' });
const raster = (name: string) => ({ ...tif(name), roles: ['data'], 'file:size': 9, 'classification:classes': CLASSES });
const geojson = (bytes: number) => ({
  href: `${FILES}/vector.geojson`,
  type: 'application/geo+json',
  roles: ['data'],
  'file:size': bytes,
});
const rasterOf = (year: number) =>
  itemOf(`cover_raster_${year}`, {
    year,
    assets: { cog: raster(`cover_${year}`), confidence: { ...tif(`confidence_${year}`), roles: ['metadata'] } },
  });
const COLUMNS = ['uid', 'area', 'trees_2021', 'trees_2022'].map((name) => ({ name, description: `About ${name}` }));

/** Starts a service under a prefix; returns functions that read its pages. */
async function world(options: Partial<HeadwaterOptions>, items: Deliverable['items'] = []) {
  const { headwater, send } = await startSample({ baseUrl: 'http://headwater.example/geo', ...options });
  if (items.length > 0) await publishAsSample(headwater, { items, layers: [], timings: {} });
  const page = async (id: string): Promise<Response> =>
    await send(`${ITEMS}${id}/`, { headers: { accept: 'text/html' } });
  const map = async (id: string): Promise<ItemMap | undefined> => {
    const [, text] = /data-map="([^"]*)"/.exec(await (await page(id)).text()) ?? [];
    if (text === undefined) return undefined;
    return JSON.parse(
      text
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll(/&(lt|gt|amp);/g, plain),
    );
  };
  return { send, page, map };
}

const plain = (_: string, name: string): string => ({ lt: '<', gt: '>', amp: '&' })[name] ?? '';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const viewer = {
  files: async () => new Map(Object.entries({ 'map.js': bytes('draw();'), 'part-AB12.js': bytes('part();') })),
};

describe('the page of a layer with a map viewer', () => {
  it('allows scripts of this origin, and loads the map below the picture', async () => {
    const { page } = await world({ mapViewer: viewer }, [rasterOf(2021)]);
    const answer = await page('cover_raster_2021');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+'; connect-src 'self'$/);
    expect(policy).not.toContain('unsafe');
    const text = await answer.text();
    expect(text).toContain('<script type="module" src="/geo/map/files/map.js"></script>');
    expect(text).not.toContain('<script>');
    expect(text.indexOf('<img')).toBeLessThan(text.indexOf('data-map='));
    expect(text).toContain('<tr data-class="6">');
  });

  it('passes to the map the classes and years of a raster, and the polygons below the raster with the columns of its year', async () => {
    const vector = itemOf('cover_vector', { assets: { geojson: geojson(9) }, columns: COLUMNS });
    const { map } = await world({ mapViewer: viewer }, [rasterOf(2021), rasterOf(2022), vector]);
    const files = '/geo/api/v1/assets/0190a000-0000-7000-8000-000000000002/1';
    const latest = '/geo/api/v1/assets/latest/a/b/c/cover_raster_2021';
    expect(await map('cover_raster_2022')).toEqual({
      title: TITLE,
      box: [78.5, 17.4, 78.6, 17.5],
      classes: [
        { value: 6, title: 'Trees', color: '#38761D' },
        { value: 7, title: TITLE },
      ],
      years: [
        {
          label: '2022-2023',
          raster: `${files}/cover_2022.tif`,
          confidence: `${files}/confidence_2022.tif`,
          isThis: true,
        },
        { label: '2021-2022', raster: `${latest}/cog`, confidence: `${latest}/confidence`, isThis: false },
      ],
      zones: {
        href: `${files}/vector.geojson`,
        columns: ['uid', 'area', 'trees_2022'].map((name) => ({ name, title: `About ${name}` })),
      },
    });
    expect(await map('cover_vector')).toMatchObject({
      classes: [],
      years: [],
      zones: { columns: { length: COLUMNS.length } },
    });
  });

  it('has no map of a layer that the browser cannot draw from files of this origin', async () => {
    const elsewhere = { ...raster('x'), href: 'https://files.example/x.tif' };
    const { map, page } = await world({ mapViewer: viewer }, [
      itemOf('elsewhere', { assets: { cog: elsewhere } }),
      itemOf('numbers', { assets: { cog: { ...raster('x'), 'classification:classes': [] } } }),
      itemOf('large_vector', { assets: { geojson: geojson(30_000_000) } }),
    ]);
    for (const id of ['elsewhere', 'numbers', 'large_vector']) {
      expect([id, await map(id)]).toEqual([id, undefined]);
      expect(await (await page(id)).text()).toContain('<img');
    }
  });
});

it('each file of the map viewer has its own address; browsers cache only chunks without checking for a newer version', async () => {
  const { send } = await world({ mapViewer: viewer });
  const script = await send('/map/files/map.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.headers.get('cache-control')).toBe('no-cache');
  expect(await script.text()).toBe('draw();');
  expect((await send('/map/files/part-AB12.js')).headers.get('cache-control')).toContain('immutable');
  for (const name of ['other.js', 'constructor', '..%2fmap.js'])
    expect((await send(`/map/files/${name}`)).status).toBe(404);
});

it('the files of the map viewer are built again if the first attempt to build them failed', async () => {
  let isBroken = true;
  const files = async (): Promise<ReadonlyMap<string, Uint8Array>> => {
    if (isBroken) throw new Error('ENOENT');
    return await viewer.files();
  };
  const { send } = await world({ mapViewer: { files } });
  expect((await send('/map/files/map.js')).status).toBe(500);
  isBroken = false;
  expect((await send('/map/files/map.js')).status).toBe(200);
});

it('the page of a layer without a map viewer shows only the picture of the layer', async () => {
  const { page, send } = await world({}, [rasterOf(2021)]);
  const answer = await page('cover_raster_2021');
  expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'$/);
  const text = await answer.text();
  expect(text).toContain('<img');
  expect(text).not.toMatch(/data-map|map\.js/);
  expect((await send('/map/files/map.js')).status).toBe(404);
});
