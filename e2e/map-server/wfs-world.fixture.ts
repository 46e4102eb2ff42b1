import { spawnSync } from 'node:child_process';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryAssets } from '@headwater/core/memory';
import { guardServer, headwaterPlugin } from '@headwater/http-adapter-fastify';
import { EXAMPLE_ITEM } from '@headwater/http-service';
import { createEmbeddedMapServer } from '@headwater/map-server';
import { createMapPixels } from '@headwater/raster';
import fastify from 'fastify';
import type { Feature, Geometry } from 'geojson';
import {
  createSampleService,
  publishAsSample,
  sampleComputing,
} from '../../packages/testkit/src/http/fixture/sample-service.ts';
import { freePort } from '../server-process.ts';

/** A feature of a layer of the world. */
export type WorldFeature = Feature<Geometry, Readonly<Record<string, string | number | boolean | null>>>;

const TEXTS = ['plain', "it's", '<b>&"', 'तहसील', 'İstanbul', '100%', ''] as const;

/** Rows with every type, missing values, and names that are no XML names. */
const rowOf = (at: number): WorldFeature['properties'] => ({
  uid: `12_${at}`,
  text: at % 11 === 3 ? null : (TEXTS[at % TEXTS.length] ?? ''),
  area_in_ha: at % 7 === 2 ? null : 1.5 + at / 3,
  count: at,
  wet: at % 5 === 4 ? null : at % 2 === 0,
  '2021-07-01': at - 50,
});

const round = (value: number): number => Math.round(value * 1e6) / 1e6;
const ring = (west: number, south: number, size: number): number[][] =>
  [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ].map((position) => position.map(round));

const GEOMETRIES: Readonly<Record<string, (at: number) => Geometry>> = {
  wells: (at) => ({ type: 'Point', coordinates: [round(85 + (at % 20) / 10), round(24 + Math.floor(at / 20) / 10)] }),
  streams: (at) => ({ type: 'LineString', coordinates: ring(85 + at / 100, 24 + at / 200, 0.005).slice(0, 4) }),
  // Every second polygon has two parts, of which the first has a hole.
  fields: (at) => {
    const [west, south] = [85 + (at % 10) / 5, 24 + Math.floor(at / 10) / 5];
    const first = [ring(west, south, 0.1), ring(west + 0.02, south + 0.02, 0.03).toReversed()];
    return at % 2 === 0
      ? { type: 'Polygon', coordinates: first }
      : { type: 'MultiPolygon', coordinates: [first, [ring(west + 0.11, south, 0.02)]] };
  },
};

/** Layers by their names: points, lines, and polygons of two types. */
export const WORLD: Readonly<Record<string, readonly WorldFeature[]>> = Object.fromEntries(
  Object.entries(GEOMETRIES).map(([name, geometryOf]) => [
    name,
    Array.from({ length: 230 }, (_each, at) => ({ type: 'Feature', properties: rowOf(at), geometry: geometryOf(at) })),
  ]),
);

/** A service with vector layers in the workspace `field`, which listens on a free port. */
export interface WfsWorld {
  /** Address of the map server. */
  readonly url: string;
  /** Addresses, paths with queries, that clients requested, in their order. */
  readonly requests: readonly string[];
  readonly folder: string;
  /** Runs a program; returns its output. The service answers in this process, so the call must not block. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>;
  /** Converts a layer of a source (default: its only layer) to GeoJSON with GDAL; returns its features. */
  readonly read: (source: string, layer?: string, ...options: readonly string[]) => Promise<readonly WorldFeature[]>;
  readonly close: () => Promise<void>;
}

/** Starts the service and publishes the layers; default: those of `WORLD`. */
export async function wfsWorld(
  published: Readonly<Record<string, readonly Feature<Geometry | null>[]>> = WORLD,
): Promise<WfsWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-maps-'));
  const requests: string[] = [];
  const app = fastify({ http: { connectionsCheckingInterval: 5000 }, return503OnClosing: false });
  guardServer(app.server);
  app.addHook('onRequest', async ({ url }) => void requests.push(url));
  // Capabilities contain the address of the service, so it is needed before the service listens.
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const assets = createMemoryAssets();
  const headwater = await createSampleService({
    baseUrl,
    compute: { ...sampleComputing(), assets },
    mapServer: (parts) => createEmbeddedMapServer({ ...parts, pixels: createMapPixels() }),
  });
  await assets.begin('world', 1);
  const sample = await headwater.stores.catalog.layer('mws', 'mws_sample_district_sample_tehsil');
  const layers = await Promise.all(
    Object.entries(published).map(async ([layerName, features]) => {
      const text = JSON.stringify({ type: 'FeatureCollection', features });
      const { key: assetKey } = await assets.write('world', 1, `${layerName}.geojson`, text);
      const names = { workspace: 'field', layerName, datasetName: 'World', layerType: 'vector' } as const;
      return { ...names, tehsilId: sample?.tehsilId ?? 1, itemId: EXAMPLE_ITEM, assetKey, styleKey: null };
    }),
  );
  await publishAsSample(headwater, { items: [], layers, tables: [], series: [], timings: {} });
  await app.register(headwaterPlugin, { service: headwater.service });
  app.addHook('preClose', () => headwater.close());
  await app.listen({ port, host: '127.0.0.1' });
  const env = { ...process.env, HOME: folder, OGR_WFS_PAGING_ALLOWED: 'ON' };
  const run: WfsWorld['run'] = async (program, ...args) =>
    await new Promise((resolve, reject) => {
      execFile(program, args, { env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new Error(`${program} ${args.join(' ')}: ${stderr}`));
      });
    });
  let files = 0;
  return {
    url: `${baseUrl}/geoserver`,
    requests,
    folder,
    run,
    read: async (source, layer, ...options) => {
      const path = join(folder, `${(files += 1)}.json`);
      const precise = ['-lco', 'COORDINATE_PRECISION=12', '-lco', 'WRITE_NAME=NO'];
      const names = layer === undefined ? [] : [layer];
      await run('ogr2ogr', '-q', '-f', 'GeoJSON', ...precise, ...options, path, source, ...names);
      return (JSON.parse(await readFile(path, 'utf8')) as { features: readonly WorldFeature[] }).features;
    },
    close: async () => {
      await app.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** True if a program, such as one of GDAL, is installed on this machine. */
export const hasProgram = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
