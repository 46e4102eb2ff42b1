import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetStore, Deliverable } from '@headwater/core';
import { boxPolygon } from '@headwater/core/geo';
import type { MapColumn } from '@headwater/core/ports';
import { guardServer, headwaterPlugin } from '@headwater/http-adapter-fastify';
import { EXAMPLE_PLACE, storedAddresses } from '@headwater/http-service';
import { createDirectoryAssets } from '@headwater/ingest';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { createMapPixels } from '@headwater/raster';
import fastify from 'fastify';
import type { Feature, Geometry, Position } from 'geojson';
import {
  createSampleService,
  publishAsSample,
  sampleComputing,
} from '../../packages/testkit-internal/src/http/fixture/sample-service.ts';
import { freePort } from '../server-process.ts';

/** A feature of a test layer. */
export type WorldFeature = Feature<Geometry | null, Readonly<Record<string, string | number | boolean | null>>>;

interface LayerBase {
  readonly workspace: string;
  readonly name: string;
  /** Extent, degrees. */
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Default style as SLD. */
  readonly sld?: string;
}

/** A layer of features to publish. */
export interface VectorLayer extends LayerBase {
  readonly features: readonly WorldFeature[];
  /** `table:columns` of the Item; required if the layer has no features. */
  readonly columns?: readonly MapColumn[];
}

/** A layer of pixels to publish. */
export interface RasterLayer extends LayerBase {
  readonly tif: Uint8Array;
}

/** A service with layers, which listens on a free port. */
export interface MapWorld {
  readonly url: string;
  /** Requested paths with queries, in order. */
  readonly requests: readonly string[];
  readonly folder: string;
  /** Runs a program without blocking this process, because the service runs in this process. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>;
  /** Converts a layer of a source to GeoJSON with GDAL; returns its features. */
  readonly read: (source: string, layer?: string, ...options: readonly string[]) => Promise<readonly WorldFeature[]>;
  readonly close: () => Promise<void>;
}

/** Starts the service and publishes the layers as a run does. */
export async function mapWorld(layers: readonly (VectorLayer | RasterLayer)[]): Promise<MapWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-maps-'));
  const requests: string[] = [];
  const app = fastify({ http: { connectionsCheckingInterval: 5000 }, return503OnClosing: false });
  guardServer(app.server);
  app.addHook('onRequest', async ({ url }) => void requests.push(url));
  // The capabilities contain the address, so the port must be known before the service is created.
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const assets = createDirectoryAssets(join(folder, 'assets'));
  const headwater = await createSampleService({
    baseUrl,
    compute: { ...sampleComputing(), assets },
    mapServer: (parts) => createEmbeddedMapServer({ ...parts, pixels: createMapPixels() }),
  });
  const sample = await headwater.stores.catalog.layer('mws', 'mws_sample_district_sample_tehsil');
  await publishAsSample(headwater, await deliverableOf(layers, assets, sample?.tehsilId ?? 1));
  await app.register(headwaterPlugin, { service: headwater.service });
  app.addHook('preClose', () => headwater.close());
  await app.listen({ port, host: '127.0.0.1' });
  const close = async (): Promise<void> => {
    await app.close();
    await rm(folder, { recursive: true });
  };
  return { url: `${baseUrl}/geoserver`, requests, folder, ...programsIn(folder), close };
}

function programsIn(folder: string): Pick<MapWorld, 'run' | 'read'> {
  const env = { ...process.env, HOME: folder, OGR_WFS_PAGING_ALLOWED: 'ON', QT_QPA_PLATFORM: 'offscreen' };
  const run: MapWorld['run'] = async (program, ...args) =>
    await new Promise((resolve, reject) => {
      execFile(program, args, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${program} ${args.join(' ')}: ${error.signal ?? error.code} ${stderr}`));
      });
    });
  let files = 0;
  const read: MapWorld['read'] = async (source, layer, ...options) => {
    const path = join(folder, `${(files += 1)}.json`);
    const precise = ['-lco', 'COORDINATE_PRECISION=12', '-lco', 'WRITE_NAME=NO'];
    const names = layer === undefined ? [] : [layer];
    await run('ogr2ogr', '-q', '-f', 'GeoJSON', ...precise, ...options, path, source, ...names);
    return (JSON.parse(await readFile(path, 'utf8')) as { features: readonly WorldFeature[] }).features;
  };
  return { run, read };
}

async function deliverableOf(
  layers: readonly (VectorLayer | RasterLayer)[],
  assets: AssetStore,
  tehsilId: number,
): Promise<Deliverable> {
  await assets.begin('world', 1);
  const collectionPath = Object.values(EXAMPLE_PLACE).join('/');
  const published = await Promise.all(
    layers.map(async (layer, at) => {
      const { workspace, name, sld } = layer;
      const isVector = 'features' in layer;
      const data = isVector ? JSON.stringify({ type: 'FeatureCollection', features: layer.features }) : layer.tif;
      const file = await assets.write('world', 1, `layer_${at}.${isVector ? 'geojson' : 'tif'}`, data);
      const style = sld === undefined ? undefined : await assets.write('world', 1, `layer_${at}.sld`, sld);
      const item = itemOf(layer, `world_layer_${at}`, style?.key);
      return {
        item: { id: item.id, collectionPath, item },
        layer: {
          workspace,
          layerName: name,
          datasetName: 'World',
          tehsilId,
          itemId: item.id,
          styleKey: null,
          layerType: isVector ? ('vector' as const) : ('raster' as const),
          assetKey: file.key,
        },
      };
    }),
  );
  return {
    items: published.map(({ item }) => item),
    layers: published.map(({ layer }) => layer),
    tables: [],
    series: [],
    timings: {},
  };
}

const ITEM_TYPES = { string: 'object', integer: 'int64', number: 'float64', boolean: 'bool' } as const;

function itemOf(layer: VectorLayer | RasterLayer, id: string, sldKey: string | undefined) {
  const columns = 'features' in layer ? (layer.columns ?? []) : [];
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    id,
    geometry: boxPolygon(layer.box),
    bbox: layer.box,
    properties: {
      title: titleOf(layer),
      description: 'A layer & its facts',
      datetime: null,
      start_datetime: '2021-07-01T00:00:00Z',
      end_datetime: '2022-06-30T23:59:59Z',
      ...(columns.length === 0
        ? {}
        : { 'table:columns': columns.map(({ name, type }) => ({ name, type: ITEM_TYPES[type], description: name })) }),
    },
    links: [],
    assets: sldKey === undefined ? {} : { sld: { href: storedAddresses().file(sldKey) } },
  };
}

/** Returns the title of a published layer. */
export const titleOf = ({ name }: Pick<LayerBase, 'name'>): string => `Layer <${name}>`;

/** Returns true if a program, such as `ogrinfo`, is installed on this machine. */
export const hasProgram = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;

/** Returns all positions of a geometry. */
export const positionsOf = (geometry: Geometry): readonly Position[] => {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(positionsOf);
  const numbers: readonly unknown[] = geometry.coordinates.flat(Infinity);
  return Array.from({ length: numbers.length / 2 }, (_, at) => [Number(numbers[2 * at]), Number(numbers[2 * at + 1])]);
};
