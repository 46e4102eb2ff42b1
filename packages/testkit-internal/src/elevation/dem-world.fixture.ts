import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PixelEngine, PixelGrid } from '@headwater/core';
import { createPixelEngine, writeGeoTiff } from '@headwater/raster';
import { afterAll, beforeEach } from 'vitest';
import { listenOnLoopback } from '../../../../scripts/loopback.mjs';

/** Elevation tiles, a file server, and a pixel engine. */
export interface DemWorld {
  readonly root: string;
  readonly folder: string;
  readonly pixels: PixelEngine;
  readonly origin: string;
  /** Object with the function `answer`, which tests replace. If `answer` returns false, the server sends the file. */
  readonly server: { answer: (...request: Parameters<RequestListener>) => boolean };
  readonly json: (path: string, value: unknown) => Promise<void>;
}

/** Creates the fixture. The server handles range requests and sends ETags. */
export async function demWorld(): Promise<DemWorld> {
  const root = await mkdtemp(join(tmpdir(), 'dem-stac-'));
  const server: DemWorld['server'] = { answer: () => false };
  const loopback = await listenOnLoopback((request, response) => {
    if (server.answer(request, response)) return;
    void sendFile(join(root, request.url ?? ''), request.headers.range, response);
  });
  const network = { allowedOrigins: [loopback.origin] };
  const pixels = createPixelEngine({ scratchDir: join(root, 'scratch'), threads: 1, network });
  const folder = join(root, 'dem');
  beforeEach(async () => {
    server.answer = () => false;
    await rm(folder, { recursive: true, force: true });
    await rm(join(root, 'web'), { recursive: true, force: true });
  });
  afterAll(async () => {
    await pixels.close();
    await loopback.close();
    await rm(root, { recursive: true });
  });
  const json = async (path: string, value: unknown): Promise<void> => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), JSON.stringify(value));
  };
  return { root, folder, pixels, origin: loopback.origin, server, json };
}

async function sendFile(path: string, range: string | undefined, response: ServerResponse): Promise<void> {
  const bytes = await readFile(path).catch(() => undefined);
  const [, from, to] = /bytes=(\d+)-(\d+)/.exec(range ?? '') ?? [];
  if (bytes === undefined || from === undefined) {
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
    return;
  }
  const part = bytes.subarray(Number(from), Number(to) + 1);
  const headers = { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}` };
  response.writeHead(206, { ...headers, etag: `"${bytes.reduce((a, b) => (a * 31 + b) % 65_521, 7)}"` }).end(part);
}

type Corner = readonly [number, number];

/** Writes a tile of one degree with 100 rows and `cols` columns. Heights in m: 10 lon + 20 * lat. */
export async function writeTile(path: string, [west, south]: Corner, cols = 100): Promise<PixelGrid> {
  const grid = { crs: 'EPSG:4326', west, north: south + 1, pixelWidth: 1 / cols, pixelHeight: 0.01, cols, rows: 100 };
  const data = Float32Array.from({ length: cols * 100 }, (_, i) => {
    const lon = west + ((i % cols) + 0.5) / cols;
    return 10 * lon + 20 * (south + 1 - (Math.floor(i / cols) + 0.5) * 0.01);
  });
  await mkdir(dirname(path), { recursive: true });
  await writeGeoTiff(path, { grid, data, overviews: 'none', predictor: 3, tileSize: 64 });
  return grid;
}

/** An Item with the members of the Copernicus DEM. */
export const demItem = ([west, south]: Corner, href: string, change: object = {}) => ({
  type: 'Feature',
  id: `${west}-${south}`,
  collection: 'cop-dem-glo-30',
  bbox: [west, south, west + 1, south + 1],
  properties: { datetime: '2021-04-22T00:00:00Z' },
  assets: { data: { href, type: 'image/tiff; application=geotiff; profile=cloud-optimized', roles: ['data'] } },
  links: [],
  ...change,
});

export const COLLECTION = {
  type: 'Collection',
  id: 'cop-dem-glo-30',
  title: 'Copernicus DEM GLO-30',
  license: 'proprietary',
  providers: [
    { name: 'A host', roles: ['host'] },
    { name: 'European Space Agency', roles: ['licensor'] },
  ],
};
