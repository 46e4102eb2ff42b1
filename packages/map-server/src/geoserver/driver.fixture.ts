import type { AssetFile } from '@headwater/core';
import type { MapLayer, MapServer, MapServerDrift, MapStyle } from '@headwater/core/ports';
import { createGeoServer } from './driver.ts';
import { FakeGeoServer } from './fake-geoserver.fixture.ts';
import type { GeoServerSettings } from './rest-client.ts';

/** Contents of uploaded files. */
export const TIFF = new TextEncoder().encode('II*\0pixels');
export const ZIP = new TextEncoder().encode('PK\u0003\u0004shapes');
export const SLD = '<StyledLayerDescriptor version="1.0.0"/>';

/** A common style, written at the first start. */
export const STYLE: MapStyle = {
  workspace: 'terrain',
  name: 'landforms',
  sld: '<StyledLayerDescriptor version="1.0.0"><NamedLayer><UserStyle><Title>Landforms</Title></UserStyle></NamedLayer></StyledLayerDescriptor>',
};

/** A raster layer. */
export const layerOf = (changes: Partial<MapLayer> = {}): MapLayer => ({
  workspace: 'LULC_level_1',
  name: 'lulc_2024',
  title: 'Land cover 2024',
  abstract: 'Classes of land cover',
  kind: 'raster',
  version: 'run_1',
  isLasting: false,
  box: [85, 25, 86, 26],
  interval: { start: '2023-07-01T00:00:00Z', end: '2024-06-30T00:00:00Z' },
  assetKey: 'run_1/1/lulc.tif',
  sldKey: 'run_1/1/lulc.sld',
  qmlKey: null,
  columns: [],
  geometryName: 'geom',
  itemHref: null,
  ...changes,
});

const GEOJSON = JSON.stringify({
  type: 'FeatureCollection',
  features: [{ type: 'Feature', geometry: { type: 'Point', coordinates: [85, 25] }, properties: { uid: '12_1' } }],
});

/** A vector layer. */
export const VECTOR = layerOf({
  assetKey: 'run_1/1/mws.geojson',
  sldKey: null,
  workspace: 'mws',
  name: 'mws_demo',
  kind: 'vector',
  columns: [{ name: 'uid', type: 'string' }],
});

/** All differences that the driver reports. */
export async function differences(driver: MapServer): Promise<readonly MapServerDrift[]> {
  const found: MapServerDrift[] = [];
  for await (const each of driver.check()) found.push(each);
  return found;
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

function fileOf(bytes: Uint8Array): AssetFile {
  return {
    bytes: bytes.byteLength,
    etag: 'x',
    modified: new Date(0),
    stream: (start, end) => ReadableStream.from(piecesOf(bytes.subarray(start, end + 1))),
  };
}

/** Files of the two layers. */
export const sampleFiles = (): Map<string, Uint8Array> =>
  new Map([
    ['run_1/1/lulc.tif', TIFF],
    ['run_1/1/mws.geojson', new TextEncoder().encode(GEOJSON)],
    ['run_1/1/lulc.sld', new TextEncoder().encode(SLD)],
  ]);

/** Layers and files of a driver, and the address of its GeoServer. */
export interface DriverWorld {
  readonly url: string;
  readonly published: () => readonly MapLayer[];
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly workspaces?: readonly string[];
  readonly styles?: readonly MapStyle[];
}

/** Creates a driver of a GeoServer at an address. */
export function driverOf(
  { url, published, files, workspaces = [], styles = [] }: DriverWorld,
  settings: Partial<GeoServerSettings> = {},
  {
    publicUrl = 'https://example.org/geoserver',
    ...tools
  }: { readonly fetch?: typeof globalThis.fetch; readonly publicUrl?: string } = {},
): MapServer {
  return createGeoServer({
    settings: { url: `${url}/`, username: 'admin', password: 'geoserver', ...settings },
    layers: {
      workspaces: async () => [...new Set([...workspaces, ...published().map((layer) => layer.workspace)])].toSorted(),
      list: (workspace) =>
        ReadableStream.from(published().filter((layer) => workspace === undefined || layer.workspace === workspace)),
      find: async (workspace, name) =>
        published().find((layer) => layer.workspace === workspace && layer.name === name),
      version: async () => '1',
    },
    commonStyles: styles,
    openFile: async (key) => {
      const bytes = files.get(key);
      return bytes && fileOf(bytes);
    },
    localPath: async () => undefined,
    pixels: undefined,
    url: publicUrl,
    title: 'Headwater',
    provider: null,
    tools: { sleep: async () => {}, ...tools },
  });
}

type StoredLayer = NonNullable<ReturnType<NonNullable<ReturnType<FakeGeoServer['workspaces']['get']>>['get']>>;

/** A vector store of a GeoServer. */
export const storeOf = (changes: Partial<StoredLayer> = {}) => ({
  type: 'datastores' as const,
  bytes: ZIP,
  isBroken: false,
  keywords: ['features'],
  title: '',
  ...changes,
});

/** Starts a fake GeoServer of a major version with a driver. */
export async function openGeoServer(major: 2 | 3, published: () => readonly MapLayer[]) {
  const fake = new FakeGeoServer({ major });
  const server = await fake.listen();
  const files = sampleFiles();
  const create = (
    changes: Partial<GeoServerSettings> = {},
    tools: { fetch?: typeof fetch } = {},
    workspaces: readonly string[] = [],
  ): MapServer => driverOf({ url: server.url, published, files, workspaces }, changes, tools);
  const driver = create();
  const publishAll = async (): Promise<void> => {
    for (const { workspace, name } of published()) await driver.publish(workspace, name);
  };
  return { fake, server, files, create, driver, publishAll };
}

/** A GeoServer and its driver. */
export type OpenedGeoServer = Awaited<ReturnType<typeof openGeoServer>>;
