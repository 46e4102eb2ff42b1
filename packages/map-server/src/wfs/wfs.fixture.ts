import type { MapLayer, MapReply, MapServerParts } from '@headwater/core/ports';
import type { Geometry } from 'geojson';
import { createEmbeddedMapServer } from '../embedded.ts';

/** Properties of the features of the sample. */
export const ROWS = [
  { uid: '12_1', area: 5.5, count: 3, wet: true, '2021-07-01': 10 },
  { uid: '12_2', area: 7, count: 1, wet: false, '2021-07-01': null },
  { uid: "it's", area: -1.25, count: 2, wet: null, '2021-07-01': -4 },
  { uid: '<b>&"', area: null, count: 9, wet: true, '2021-07-01': 0 },
] as const;

const square = (west: number, south: number): Geometry => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [west + 0.5, south],
      [west + 0.5, south + 0.5],
      [west, south + 0.5],
      [west, south],
    ],
  ],
});

/** Squares of half a degree at 85, 86 and 87 E, 24 N; the last feature has no geometry. */
export const GEOMETRIES: readonly (Geometry | null)[] = [square(85, 24), square(86, 24), square(87, 24), null];

const layerOf = (more: Partial<MapLayer>): MapLayer => ({
  workspace: 'mws',
  name: 'mws_a',
  title: 'Micro-watersheds <a>',
  abstract: 'Squares & more',
  kind: 'vector',
  version: 'v1',
  isLasting: false,
  box: [85, 24, 87.5, 24.5],
  interval: { start: '2021-07-01T00:00:00Z', end: '2022-06-30T00:00:00Z' },
  assetKey: 'run/1/mws.geojson',
  sldKey: null,
  qmlKey: null,
  columns: [{ name: 'uid', type: 'string', description: 'Id' }],
  geometryName: 'the_geom',
  itemHref: 'https://example.org/item',
  ...more,
});

const LAYERS = [
  layerOf({}),
  layerOf({ name: '2021_b', version: 'v2' }),
  layerOf({ workspace: 'lulc', name: 'raster', kind: 'raster' }),
];

/** A map server with these layers, and a function that sends requests. */
export function wfsWorld(features: readonly object[] = sampleFeatures()) {
  const bytes = new TextEncoder().encode(JSON.stringify({ type: 'FeatureCollection', features }));
  const parts: MapServerParts = {
    layers: {
      workspaces: async () => ['lulc', 'mws'],
      async *list(workspace) {
        for (const layer of LAYERS) if (workspace === undefined || layer.workspace === workspace) yield layer;
      },
      find: async (workspace, name, runId) => {
        const layer = LAYERS.find((each) => each.workspace === workspace && each.name === name);
        return runId === undefined || layer === undefined ? layer : { ...layer, isLasting: true };
      },
      version: async () => 'all',
    },
    openFile: async () => ({
      bytes: bytes.byteLength,
      etag: 'file',
      modified: new Date('2024-01-02T03:04:05Z'),
      stream: (start, end) => new Blob([bytes.slice(start, end + 1)]).stream(),
    }),
    localPath: async () => undefined,
    pixels: undefined,
    url: 'https://example.org/geoserver',
    openApiUrl: 'https://example.org/openapi.json',
    title: 'Headwater <test>',
    provider: 'Example & Co',
  };
  const server = createEmbeddedMapServer(parts);
  return {
    server,
    ask: async (path: string, query: Readonly<Record<string, string>> = {}): Promise<MapReply> =>
      await server.answer({
        method: 'GET',
        segments: path.split('/'),
        query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name.toLowerCase(), value])),
        headers: {},
        signal: new AbortController().signal,
      }),
  };
}

function sampleFeatures(): readonly object[] {
  return ROWS.map((properties, at) => ({ type: 'Feature', geometry: GEOMETRIES[at], properties }));
}

/** Body of a reply as text. */
export async function textOf({ body }: MapReply): Promise<string> {
  return await new Response(body instanceof Uint8Array ? new Uint8Array(body) : (body ?? '')).text();
}
