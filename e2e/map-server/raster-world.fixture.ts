import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetFile, PixelGrid } from '@headwater/core';
import type { MapLayer, MapServerParts } from '@headwater/core/ports';
import { guardServer, headwaterPlugin } from '@headwater/http-adapter-fastify';
import { rampSld, rasterSld, type StyleClass } from '@headwater/layer-kit';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { createMapPixels, writeGeoTiff } from '@headwater/raster';
import fastify from 'fastify';
import { freePort } from '../server-process.ts';
import { createSampleService } from '../../packages/testkit-internal/src/http/fixture/sample-service.ts';

/** Grid of the layer `lulc:classes`. */
export const DEGREES: PixelGrid = {
  crs: 'EPSG:4326',
  west: 85.4,
  north: 25.3,
  pixelWidth: 0.001,
  pixelHeight: 0.001,
  cols: 320,
  rows: 240,
};
/** Grid of the layer `dem:heights`. */
export const UTM: PixelGrid = {
  crs: 'EPSG:32645',
  west: 340_000,
  north: 2_798_000,
  pixelWidth: 30,
  pixelHeight: 30,
  cols: 300,
  rows: 200,
};
const CLASSES: readonly StyleClass[] = [
  { value: 1, label: 'water & wetland', color: '#0000ff', alpha: 255 },
  { value: 2, label: 'crop', color: '#00ff00', alpha: 255 },
  { value: 3, label: 'built-up', color: '#ff0000', alpha: 128 },
];
export const STOPS: readonly StyleClass[] = [
  { value: 100, label: 'low', color: '#000000', alpha: 255 },
  { value: 300, label: 'high', color: '#ffffff', alpha: 255 },
];

/** Class of a pixel of `lulc:classes`, 0 (no data) to 3; equal in a block of 20 x 20 pixels. */
export const classAt = (col: number, row: number): number => (Math.floor(col / 20) + 2 * Math.floor(row / 20)) % 4;
/** Height of a pixel of `dem:heights`, m. */
export const heightAt = (col: number, row: number): number => 100 + ((col + 2 * row) % 200) + 0.25;

/** A service with raster layers, which listens on a free port. */
export interface RasterWorld {
  readonly url: string;
  /** Path of the file of a layer. */
  readonly pathOf: (name: 'classes' | 'heights') => string;
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/** Starts the service. */
export async function rasterWorld(): Promise<RasterWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-maps-'));
  const pathOf = (name: string): string => join(folder, `${name}.tif`);
  await writeLayers(pathOf);
  const styles = { classes: rasterSld('classes', 'Land', CLASSES), heights: rampSld('heights', 'Height', STOPS) };
  const layers = [
    layer('lulc', 'classes', [85.4, 25.06, 85.72, 25.3]),
    layer('dem', 'heights', [85.41, 25.23, 85.502, 25.288]),
  ];
  const app = fastify({ http: { connectionsCheckingInterval: 5000 }, return503OnClosing: false });
  guardServer(app.server);
  const files = new Map<string, Uint8Array>([
    ...Object.entries(styles).map(([name, text]): [string, Uint8Array] => [`${name}.sld`, Buffer.from(text)]),
    ['classes.tif', await readFile(pathOf('classes'))],
    ['heights.tif', await readFile(pathOf('heights'))],
  ]);
  // The capabilities contain the address, so the port must be known before the service is created.
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const headwater = await createSampleService({
    baseUrl,
    mapServer: (parts) =>
      createEmbeddedMapServer({
        ...parts,
        pixels: createMapPixels(),
        layers: layersOf(layers, parts),
        openFile: async (key) => asFile(key, files.get(key)) ?? (await parts.openFile(key)),
        localPath: async (key) => (files.has(key) ? join(folder, key) : await parts.localPath(key)),
      }),
  });
  await app.register(headwaterPlugin, { service: headwater.service });
  app.addHook('preClose', () => headwater.close());
  await app.listen({ port, host: '127.0.0.1' });
  const close = async (): Promise<void> => {
    await app.close();
    await rm(folder, { recursive: true });
  };
  return { url: `${baseUrl}/geoserver`, pathOf, folder, close };
}

async function writeLayers(pathOf: (name: string) => string): Promise<void> {
  const each = <T>({ cols, rows }: PixelGrid, value: (col: number, row: number) => T): T[] =>
    Array.from({ length: cols * rows }, (_, i) => value(i % cols, Math.floor(i / cols)));
  const format = { overviews: 'mode', tileSize: 128 } as const;
  const palette = { 1: [0, 0, 255, 255], 2: [0, 255, 0, 255], 3: [255, 0, 0, 255] } as const;
  const classes = Uint8Array.from(each(DEGREES, classAt));
  await writeGeoTiff(pathOf('classes'), {
    ...format,
    grid: DEGREES,
    data: classes,
    nodata: 0,
    predictor: 1,
    palette,
    names: { 1: 'water' },
  });
  const heights = Float32Array.from(each(UTM, heightAt));
  heights[0] = -9999;
  await writeGeoTiff(pathOf('heights'), { ...format, grid: UTM, data: heights, nodata: -9999, predictor: 3 });
}

function layer(workspace: string, name: string, box: NonNullable<MapLayer['box']>): MapLayer {
  return {
    workspace,
    name,
    title: `Layer <${name}>`,
    abstract: 'A layer & its facts',
    kind: 'raster',
    version: `version-of-${name}`,
    isLasting: false,
    box,
    interval: { start: '2021-07-01T00:00:00Z', end: '2022-06-30T23:59:59Z' },
    assetKey: `${name}.tif`,
    sldKey: `${name}.sld`,
    qmlKey: null,
    columns: [],
    geometryName: 'geom',
    itemHref: null,
  };
}

function layersOf(layers: readonly MapLayer[], { layers: own }: MapServerParts): MapServerParts['layers'] {
  const all = async (): Promise<readonly MapLayer[]> => {
    const found = [...layers];
    for await (const each of own.list()) found.push(each);
    return found;
  };
  return {
    workspaces: async () => [...new Set((await all()).map(({ workspace }) => workspace))].toSorted(),
    async *list(workspace) {
      yield* (await all()).filter((each) => workspace === undefined || each.workspace === workspace);
    },
    find: async (workspace, name, runId) =>
      layers.find((each) => each.workspace === workspace && each.name === name) ??
      (await own.find(workspace, name, runId)),
    version: () => own.version(),
  };
}

function asFile(key: string, bytes: Uint8Array | undefined): AssetFile | undefined {
  if (bytes === undefined) return undefined;
  return {
    bytes: bytes.byteLength,
    etag: key,
    modified: new Date(0),
    stream: (from, to) => new Blob([Buffer.from(bytes.subarray(from, to + 1))]).stream(),
  };
}
