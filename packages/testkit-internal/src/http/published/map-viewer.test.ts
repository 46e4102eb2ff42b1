import type { Deliverable } from '@headwater/core';
import { backgroundProblem, createHeadwater, type HeadwaterOptions, type ItemMap } from '@headwater/http-service';
import { describe, expect, it } from 'vitest';
import { publishAsSample, SAMPLE_SECRET } from '../fixture/sample-service.ts';
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

async function world(options: Partial<HeadwaterOptions>, items: Deliverable['items'] = []) {
  const { headwater, send } = await startSample({ baseUrl: 'http://headwater.example/geo', ...options });
  if (items.length > 0) await publishAsSample(headwater, { items, layers: [], timings: {} });
  const page = async (id: string, language = 'en'): Promise<Response> =>
    await send(`${ITEMS}${id}/`, { headers: { accept: 'text/html', 'accept-language': language } });
  const map = async (id: string, language?: string): Promise<ItemMap | undefined> => {
    const [, text] = /data-map="([^"]*)"/.exec(await (await page(id, language)).text()) ?? [];
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

  it('passes to the map the classes and years of a raster, and vector polygons without their columns for other years', async () => {
    const sld = { href: `${FILES}/vector.sld`, type: 'application/vnd.ogc.sld+xml', roles: ['metadata'] };
    const vector = itemOf('cover_vector', { assets: { geojson: geojson(9), sld }, columns: COLUMNS });
    const { map } = await world({ mapViewer: viewer }, [rasterOf(2021), rasterOf(2022), vector]);
    const files = '/geo/api/v1/assets/0190a000-0000-7000-8000-000000000002/1';
    const latest = '/geo/api/v1/assets/latest/a/b/c/cover_raster_2021';
    expect(await map('cover_raster_2022')).toMatchObject({
      backgrounds: [],
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
      zones: { columns: { length: COLUMNS.length }, style: `${files}/vector.sld` },
    });
    // Polygons above a raster are drawn as outlines, so they have no style.
    expect((await map('cover_raster_2022'))?.zones).not.toHaveProperty('style');
  });

  it('has the style and the unit of a raster of measured values, and its other years', async () => {
    const heights = (year: number) => {
      const cog = {
        ...tif(`heights_${year}`),
        roles: ['data'],
        'file:size': 9,
        bands: [{ name: 'height', unit: 'm' }],
      };
      const sld = { href: `${FILES}/heights.sld`, type: 'application/vnd.ogc.sld+xml', roles: ['metadata'] };
      const legend = { 'classification:classes': [{ value: 1, title: '0 m', color_hint: '000000' }] };
      const { item, ...key } = itemOf(`heights_raster_${year}`, { year, assets: { cog, sld } });
      const { thumbnail, ...assets } = item['assets'] as Readonly<Record<string, object>>;
      return { ...key, item: { ...item, assets: { ...assets, thumbnail: { ...thumbnail, ...legend } } } };
    };
    const { map } = await world({ mapViewer: viewer }, [heights(2021), heights(2022)]);
    const found = await map('heights_raster_2022');
    expect(found).toMatchObject({ classes: [], years: [{ label: '2022-2023' }, { label: '2021-2022' }] });
    expect(found?.ramp).toEqual({
      style: '/geo/api/v1/assets/0190a000-0000-7000-8000-000000000002/1/heights.sld',
      unit: 'm',
    });
  });

  it('has the texts of the map in the language of the reader, and a link to the other language', async () => {
    const { map, page } = await world({ mapViewer: viewer }, [rasterOf(2021)]);
    const [english, hindi] = [await map('cover_raster_2021'), await map('cover_raster_2021', 'hi')];
    expect([english?.language, english?.texts.mapOpen]).toEqual(['en', 'Open the interactive map']);
    expect([hindi?.language, hindi?.texts.mapOpen]).toEqual(['hi', 'इंटरैक्टिव मानचित्र खोलें']);
    expect(hindi?.others[0]).toEqual({ href: '?lang=en', language: 'en', title: 'In English' });
    const answer = await page('cover_raster_2021', 'hi');
    expect(answer.headers.get('vary')).toMatch(/Accept, Accept-Language/);
    expect(await answer.text()).toContain('<div class="mapplace" lang="hi"');
  });

  it('has no map if the browser cannot draw the layer from files of this origin', async () => {
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

describe('backgrounds of maps', () => {
  const streets = {
    name: 'Streets',
    url: 'https://tiles.example.org/streets/{z}/{x}/{y}.png',
    attribution: '© the map makers',
  };

  it('are passed to maps; only pages with a map may load pictures from their origins', async () => {
    const satellite = { ...streets, name: 'Satellite', url: 'https://tiles.example.org:8443/{z}/{y}/{x}' };
    const mapBackgrounds = [streets, satellite];
    const { map, page, send } = await world({ mapViewer: viewer, mapBackgrounds }, [rasterOf(2021)]);
    expect((await map('cover_raster_2021'))?.backgrounds).toEqual(mapBackgrounds);
    const allowed = "img-src 'self' data: https://tiles.example.org https://tiles.example.org:8443;";
    const policyOf = (answer: Response): string => answer.headers.get('content-security-policy') ?? '';
    expect(policyOf(await page('cover_raster_2021'))).toContain(allowed);
    expect(policyOf(await send('/places/'))).toContain(allowed);
    for (const path of ['/', '/docs/plain/', '/api/v1/stac/'])
      expect([path, policyOf(await send(path, { headers: { accept: 'text/html' } }))]).toEqual([
        path,
        expect.not.stringContaining('tiles.example.org'),
      ]);
  });

  it.each<[string, object, RegExp]>([
    ['no name', { ...streets, name: ' ' }, /^\[0\]\.name must be a text/],
    ['no credit', { name: 'a', url: streets.url }, /^\[0\]\.attribution must be a text/],
    ['http', { ...streets, url: streets.url.replace('https', 'http') }, /\.url must begin with https:\/\//],
    ['no {y}', { ...streets, url: 'https://tiles.example.org/{z}/{x}.png' }, /\.url must contain \{y\} once/],
    [
      'a host that varies',
      { ...streets, url: 'https://{a-c}.example.org/{z}/{x}/{y}' },
      /\.url must begin with .*fixed host/,
    ],
    [
      'a host that depends on the tile',
      { ...streets, url: 'https://{z}.example.org/{x}/{y}' },
      /\.url must begin with .*fixed host/,
    ],
    [
      'another directive',
      { ...streets, url: "https://a.org;script-src 'unsafe-inline'/{z}/{x}/{y}" },
      /\.url must begin/,
    ],
    ['a user', { ...streets, url: 'https://me:pw@a.org/{z}/{x}/{y}' }, /\.url must begin/],
  ])('with %s are refused with a message that names the member', (_, background, message) => {
    expect(backgroundProblem([streets, background])?.replace('[1]', '[0]')).toMatch(message);
  });

  it('make `createHeadwater` throw if they are not valid', () => {
    const mapBackgrounds = [{ ...streets, url: 'http://tiles.example.org/{z}/{x}/{y}.png' }];
    expect(() =>
      createHeadwater({ baseUrl: 'http://a.example', secret: SAMPLE_SECRET, mapViewer: viewer, mapBackgrounds }),
    ).toThrow(/^mapBackgrounds\[0\]\.url must begin with https/);
  });

  it('with the same name are refused', () => {
    expect(backgroundProblem([streets, streets])).toMatch(/"Streets" twice/);
    expect(backgroundProblem({ name: 'Streets' })).toMatch(/^is not a list/);
    expect(backgroundProblem([])).toBeUndefined();
  });
});

it('each file of a map has an address; browsers may cache chunks for ever, but must check map.js for a new version', async () => {
  const { send } = await world({ mapViewer: viewer });
  const script = await send('/map/files/map.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.headers.get('cache-control')).toBe('no-cache');
  expect(await script.text()).toBe('draw();');
  expect((await send('/map/files/part-AB12.js')).headers.get('cache-control')).toContain('immutable');
  for (const name of ['other.js', 'constructor', '..%2fmap.js'])
    expect((await send(`/map/files/${name}`)).status).toBe(404);
});

it('if building the files of a map fails, they are built again after ten seconds, not by each request', async () => {
  let [isBroken, attempts, ms] = [true, 0, Date.UTC(2026, 0, 1)];
  const files = async (): Promise<ReadonlyMap<string, Uint8Array>> => {
    attempts += 1;
    if (isBroken) throw new Error('ENOENT');
    return await viewer.files();
  };
  const { send } = await world({ mapViewer: { files }, clock: { now: () => new Date(ms) } });
  for (let request = 0; request < 3; request++) expect((await send('/map/files/map.js')).status).toBe(500);
  expect(attempts).toBe(1);
  isBroken = false;
  ms += 9_999;
  expect((await send('/map/files/map.js')).status).toBe(500);
  ms += 1;
  expect((await send('/map/files/map.js')).status).toBe(200);
  expect((await send('/map/files/map.js')).status).toBe(200);
  expect(attempts).toBe(2);
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
