import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import type { FeatureCollection, Geometry } from 'geojson';
import { describe, expect, it, vi } from 'vitest';
import { toMercator } from '../encodings/coordinates.ts';
import { layer as sample, PROPERTIES, URL_OF_SERVER } from '../encodings/world.fixture.ts';
import { createFeatureTables, positionsOf } from '../features/feature-table.ts';
import type { EmbeddedParts } from '../parts.ts';
import { createTurns } from '../protocol/turns.ts';
import { createLayerStyles } from '../styles/layer-styles.ts';
import { featuresApi } from './index.ts';

const layer: MapLayer = { ...sample, workspace: 'mws', name: 'mws_a', box: [85, 24, 90, 26], geometryName: 'geom' };
const raster: MapLayer = { ...layer, name: 'lulc', kind: 'raster' };

/** Triangles from west to east, and a feature without a geometry. */
const features = Array.from({ length: 12 }, (_, at) => ({
  type: 'Feature' as const,
  properties: { ...PROPERTIES[at % 3], number: at + 1, day: `2021-07-${String(at + 1).padStart(2, '0')}` },
  geometry: at === 11 ? null : triangleAt(80 + at),
}));

function triangleAt(west: number): Geometry {
  const ring = [
    [west, 24],
    [west + 0.5, 24],
    [west + 0.5, 24.5],
    [west, 24],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

function parts(): EmbeddedParts {
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  const openFile = async () => ({
    bytes: bytes.byteLength,
    etag: 'e',
    modified: new Date(0),
    stream: () => new Response(bytes).body!,
  });
  return {
    layers: {
      workspaces: async () => ['mws'],
      async *list() {
        yield* [raster, layer];
      },
      find: async (workspace, name) =>
        [raster, layer].find((each) => each.workspace === workspace && each.name === name),
      version: async () => 'v',
    },
    openFile,
    localPath: async () => undefined,
    pixels: undefined,
    url: URL_OF_SERVER,
    openApiUrl: 'https://example.org/openapi.json',
    title: 'Headwater',
    provider: null,
    tables: createFeatureTables({ openFile }),
    styles: createLayerStyles({ openFile }),
    turns: createTurns(),
  };
}

async function answer(path: string): Promise<MapReply> {
  const url = new URL(path, 'https://example.org/ogc/features/v1/');
  const request: MapRequest = {
    method: 'GET',
    segments: url.pathname
      .split('/')
      .filter((each) => each !== '')
      .map(decodeURIComponent),
    query: Object.fromEntries([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value])),
    headers: {},
    signal: new AbortController().signal,
  };
  return await featuresApi(parts(), request);
}

interface ApiDocument extends FeatureCollection {
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly conformsTo: readonly string[];
  readonly collections: readonly unknown[];
}

const get = async (path: string): Promise<ApiDocument> =>
  JSON.parse(await new Response((await answer(path)).body).text());

const ITEMS = 'collections/mws:mws_a/items';
const numbers = ({ features: found }: FeatureCollection): readonly unknown[] =>
  found.map(({ properties }) => properties?.['number']);

describe('resources of OGC API Features', () => {
  it('are linked from the landing page', async () => {
    const { links } = await get('');
    expect(links.map(({ rel, href }) => [rel, href])).toEqual(
      expect.arrayContaining([
        ['service-desc', 'https://example.org/openapi.json'],
        ['conformance', 'https://example.org/geoserver/ogc/features/v1/conformance'],
        ['data', 'https://example.org/geoserver/ogc/features/v1/collections'],
      ]),
    );
    expect((await get('conformance')).conformsTo).toContain(
      'http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core',
    );
  });

  it('list vector layers with extent, interval and schema', async () => {
    const { collections } = await get('collections');
    expect(collections).toHaveLength(1);
    expect(collections[0]).toMatchObject({
      id: 'mws:mws_a',
      extent: {
        spatial: { bbox: [[85, 24, 90, 26]] },
        temporal: { interval: [['2021-07-01T00:00:00Z', '2022-06-30T00:00:00Z']] },
      },
    });
    expect(await get('collections/mws:mws_a')).toEqual(collections[0]);
    const columns = {
      uid: { type: 'string' },
      '2021-07-01': { type: 'number' },
      count: { type: 'integer' },
      // The values of this column need more than the 32 bits of GDAL's integers, so its type is `number`.
      drought_weeks_2022: { type: 'number' },
    };
    expect(await get('collections/mws:mws_a/schema')).toHaveProperty(
      'properties.properties.properties',
      expect.objectContaining(columns),
    );
    expect(await get('collections/mws:mws_a/queryables')).toHaveProperty(
      'properties',
      expect.objectContaining({ ...columns, geometry: expect.objectContaining({ format: 'geometry-any' }) }),
    );
  });

  it.each([
    ['none', 'path'],
    ['collections/mws:none', 'collectionId'],
    ['collections/mws:lulc', 'a raster, which has no features'],
    ['collections/mws_a', 'collectionId'],
    ['collections/mws:mws_a/none', 'path'],
    [`${ITEMS}/mws_a.99`, 'featureId'],
    [`${ITEMS}/mws_a.1x`, 'featureId'],
    [`${ITEMS}/mws_a.1/more`, 'path'],
  ])('do not exist at %s', async (path, message) => {
    await expect(answer(path)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining(message) });
  });
});

describe('items', () => {
  it('are sent in pages with links to the next and the previous page', async () => {
    const first = await get(`${ITEMS}?limit=5`);
    expect(first).toMatchObject({ type: 'FeatureCollection', numberMatched: 12, numberReturned: 5 });
    expect(first.features[0]).toEqual({ ...features[0], id: 'mws_a.1' });
    const read: unknown[] = [];
    let page = first;
    for (;;) {
      read.push(...numbers(page));
      const next = page.links.find(({ rel }) => rel === 'next');
      if (next === undefined) break;
      page = await get(next.href.replace('/geoserver', ''));
    }
    expect(read).toEqual(features.map(({ properties }) => properties.number));
    expect(page.links.find(({ rel }) => rel === 'prev')?.href).toContain('limit=5&offset=5');
    expect(await get(ITEMS)).toMatchObject({ numberReturned: 10 });
    expect(await get(`${ITEMS}?limit=99999`)).toMatchObject({ numberReturned: 12 });
    expect(await get(`${ITEMS}?offset=50`)).toMatchObject({ numberMatched: 12, numberReturned: 0 });
  });

  it.each([
    ['bbox=82.4,24,84.1,25', [3, 4, 5]],
    // The box touches the box of the first feature, but not the feature's triangle.
    ['bbox=80,24.3,80.1,24.5', []],
    ['bbox=82,24,5,84,25,9', [3, 4, 5]],
    ['bbox=89,24,-170,25', [10, 11]],
    [
      `bbox=${[...toMercator(82.4, 24), ...toMercator(84.1, 25)].join()}&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857`,
      [3, 4, 5],
    ],
    ['uid=12_3', [3, 6, 9, 12]],
    ['number=7', [7]],
    ['NUMBER=7', [7]],
    ['is_wet=true&number=1', [1]],
    ['2021-07-01=1.5&limit=2', [1, 4]],
    ["filter=uid = '12_3' AND number > 6", [9, 12]],
    ['filter="2021-07-01" IS NULL AND S_INTERSECTS(geometry, BBOX(85, 24, 90, 25))', [6, 9]],
    ['filter-lang=cql2-json&filter={"op":"in","args":[{"property":"number"},[2,3]]}', [2, 3]],
    ["filter=day LIKE '2021-07-1%25'", [10, 11, 12]],
    ['datetime=2021-07-01T00:00:00Z/..&number=1', [1]],
    ['datetime=2022-06-30&number=1', [1]],
    ['datetime=../2021-06-30', []],
    ['datetime=2022-07-01', []],
  ])('are selected by %s', async (query, expected) => {
    const page = await get(`${ITEMS}?${query}`);
    expect(numbers(page)).toEqual(expected);
  });

  it('have the chosen properties and coordinate system', async () => {
    const mercator = encodeURIComponent('http://www.opengis.net/def/crs/EPSG/0/3857');
    const { features: found } = await get(`${ITEMS}?properties=uid,number&limit=1&crs=${mercator}`);
    expect(found[0]).toMatchObject({ properties: { uid: '12_1', number: 1 }, geometry: { type: 'Polygon' } });
    expect(Object.keys(found[0]?.properties ?? {})).toHaveLength(2);
    expect([...positionsOf(found[0]?.geometry ?? null)][0]).toEqual(toMercator(80, 24));
    const { headers } = await answer(`${ITEMS}?crs=${mercator}`);
    expect(headers['content-crs']).toBe('<http://www.opengis.net/def/crs/EPSG/0/3857>');
  });

  it('can be requested by id', async () => {
    const feature = await get(`${ITEMS}/mws_a.2?properties=uid`);
    expect(feature).toMatchObject({ type: 'Feature', id: 'mws_a.2', properties: { uid: "12_2,'b'" } });
    expect(feature.links[0]?.href).toBe(
      'https://example.org/geoserver/ogc/features/v1/collections/mws:mws_a/items/mws_a.2',
    );
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=ten', 'limit'],
    ['offset=-1', 'offset'],
    ['bbox=1,2,3', 'bbox'],
    ['bbox=1,2,3,', 'bbox'],
    ['bbox=1,5,3,4', 'bbox'],
    ['bbox=1,2,300,4', 'bbox'],
    ['bbox-crs=EPSG:4326', 'bbox-crs'],
    ['crs=EPSG:4326', 'crs'],
    ['datetime=yesterday', 'datetime'],
    ['datetime=../..', 'datetime'],
    ['datetime=2022-01-02/2022-01-01', 'datetime'],
    ['properties=uid,none', 'properties'],
    ['none=1', 'none'],
    ['number=x', 'number'],
    ['is_wet=1', 'is_wet'],
    ['filter=none = 1', 'filter'],
    ['filter=number =', 'filter'],
    ['filter=strStartsWith(uid, 1) = true', 'filter'],
    ['filter={', 'filter'],
    ['filter-lang=cql2-json&filter={', 'filter'],
    ['filter-lang=ecql&filter=number=1', 'filter-lang'],
    ['filter-crs=EPSG:4326', 'filter-crs'],
    ['f=html', 'f'],
    [`filter=${'NOT ('.repeat(30)}number=1${')'.repeat(30)}`, 'filter'],
  ])('refuse %s', async (query, name) => {
    await expect(answer(`${ITEMS}?${query}`)).rejects.toMatchObject({
      code: 'validation',
      message: expect.stringMatching(new RegExp(`^${name}: `)),
      details: { locator: name },
    });
  });

  it('refuse a filter that takes too long, even if the request has a bbox', async () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 2000));
    try {
      const query = 'bbox=-180,-90,180,90&filter=number > 0';
      await expect(answer(`${ITEMS}?${query}`)).rejects.toMatchObject({ details: { locator: 'filter' } });
    } finally {
      clock.mockRestore();
    }
  });
});
