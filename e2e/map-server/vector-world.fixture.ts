import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MapLayer } from '@headwater/core/ports';
import { guardServer, headwaterPlugin } from '@headwater/http-adapter-fastify';
import { createEmbeddedMapServer } from '@headwater/map-server';
import fastify from 'fastify';
import type { Feature, FeatureCollection, Geometry } from 'geojson';
import { freePort } from '../server-process.ts';
import { createSampleService } from '../../packages/testkit/src/http/fixture/sample-service.ts';
import { asFile, layersOf } from './raster-world.fixture.ts';

/** Micro-watersheds from west to east, each with a hole; the 13th has two parts, and the last has no geometry. */
const areas: readonly Feature<Geometry | null>[] = Array.from({ length: 25 }, (_, at) => ({
  type: 'Feature',
  geometry: areaAt(at),
  properties: {
    uid: `12_${100 + at}`,
    name: at % 2 === 0 ? `जल ${at} & <"x">` : null,
    area_in_ha: 500 + at / 8,
    count: at === 20 ? 5_000_000_000 : at,
    is_wet: at % 3 === 0,
    '2021-07-01': at === 0 ? null : at / 4,
  },
}));

function areaAt(at: number): Geometry | null {
  if (at === 24) return null;
  const west = 85 + at / 64;
  const ring = (left: number, south: number, side: number): number[][] => [
    [left, south],
    [left + side, south],
    [left + side, south + side],
    [left, south + side],
    [left, south],
  ];
  const polygon = [ring(west, 24.5, 1 / 128), ring(west + 1 / 512, 24.501_953_125, 1 / 512).toReversed()];
  return at === 12
    ? { type: 'MultiPolygon', coordinates: [polygon, [ring(west, 24.6, 1 / 128)]] }
    : { type: 'Polygon', coordinates: polygon };
}

const wells: readonly Feature<Geometry | null>[] = Array.from({ length: 12 }, (_, at) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [85 + at / 128, 24.5 + at / 1024] },
  properties: { depth: at * 1.5, kind: at % 2 === 0 ? 'open' : 'bore' },
}));

/** Stored features of the layers, by the names of the layers. */
export const STORED: Readonly<Record<'areas' | 'wells', readonly Feature<Geometry | null>[]>> = { areas, wells };

/** A service with vector layers, which listens on a free port. */
export interface VectorWorld {
  /** Address of the map server. */
  readonly url: string;
  readonly folder: string;
  readonly close: () => Promise<void>;
}

/** Starts the service. */
export async function vectorWorld(): Promise<VectorWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-features-'));
  const files = new Map(
    Object.entries(STORED).map(([name, features]) => {
      const collection = { type: 'FeatureCollection', features } as FeatureCollection<Geometry>;
      return [`${name}.geojson`, new TextEncoder().encode(JSON.stringify(collection))];
    }),
  );
  const layers = [layer('areas', [85, 24.5, 85.39, 24.61]), layer('wells', [85, 24.5, 85.12, 24.52])];
  const app = fastify({ http: { connectionsCheckingInterval: 5000 }, return503OnClosing: false });
  guardServer(app.server);
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const headwater = await createSampleService({
    baseUrl,
    mapServer: (parts) =>
      createEmbeddedMapServer({
        ...parts,
        layers: layersOf(layers, parts),
        openFile: async (key) => asFile(key, files.get(key)) ?? (await parts.openFile(key)),
      }),
  });
  await app.register(headwaterPlugin, { service: headwater.service });
  app.addHook('preClose', () => headwater.close());
  await app.listen({ port, host: '127.0.0.1' });
  const close = async (): Promise<void> => {
    await app.close();
    await rm(folder, { recursive: true });
  };
  return { url: `${baseUrl}/geoserver`, folder, close };
}

function layer(name: string, box: NonNullable<MapLayer['box']>): MapLayer {
  return {
    workspace: 'mws',
    name,
    title: `Layer <${name}>`,
    abstract: 'A layer & its facts',
    kind: 'vector',
    version: `version-of-${name}`,
    isLasting: false,
    box,
    interval: { start: '2021-07-01T00:00:00Z', end: '2022-06-30T23:59:59Z' },
    assetKey: `${name}.geojson`,
    sldKey: null,
    qmlKey: null,
    columns: [],
    geometryName: 'geom',
    itemHref: null,
  };
}
