import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { createPixelEngine } from '../engine.ts';
import { type SceneServer, startSceneServer } from '../remote/scene-server.fixture.ts';
import { quiet } from './test-plans.fixture.ts';

const SIDE = 1024;
const STEP = 0.001;
const WEST = 78;
const NORTH = 20;

const folder = mkdtempSync(join(tmpdir(), 'headwater-dem-reads-'));
let server: SceneServer;
let path: string;
beforeAll(async () => {
  path = join(folder, 'dem.tif');
  const grid = {
    crs: 'EPSG:4326',
    west: WEST,
    north: NORTH,
    pixelWidth: STEP,
    pixelHeight: STEP,
    cols: SIDE,
    rows: SIDE,
  };
  const data = Int16Array.from({ length: SIDE * SIDE }, (_, i) => 300 + (Math.imul(i + 1, 2_654_435_761) >>> 27));
  await writeGeoTiff(path, { grid, data, overviews: 'none', tileSize: 128, predictor: 2 });
  server = await startSceneServer(new Uint8Array(readFileSync(path)));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the estimated bytes and requests for elevations in a box are within a factor of 1.5 of the measured ones, for boxes of many sizes', async () => {
  const network = { allowedOrigins: [new URL(server.href).origin] };
  const engine = createPixelEngine({ scratchDir: join(folder, 'scratch'), threads: 1, network });
  for (let index = 0; index < 10; index += sized(4, 1)) {
    const side = 60 + 90 * index;
    const [west, north] = [WEST + STEP * (20 + 7 * index), NORTH - STEP * (30 + 3 * index)];
    const box = [west, north - STEP * side, west + STEP * side, north] as const;
    const estimate = await engine.estimateFiles?.({ paths: [server.href], box }, quiet());
    server.reset();
    const grid = { crs: 'EPSG:4326', west, north, pixelWidth: STEP, pixelHeight: STEP, cols: side, rows: side };
    const read = { path: server.href, grid, type: 'int16', nodata: -32_768, resampling: 'bilinear' } as const;
    const values = await engine.read(read, quiet());
    await engine.release([values]);
    const bytes = server.sent().reduce((sum, count) => sum + count, 0);
    for (const ratio of [(estimate?.bytes ?? 0) / bytes, (estimate?.requests ?? 0) / server.ranges.length])
      expect([side, ratio, ratio > 1 / 1.5 && ratio < 1.5]).toEqual([side, ratio, true]);
  }
  const box = [WEST + 0.1, NORTH - 0.2, WEST + 0.2, NORTH - 0.1] as const;
  expect((await engine.estimateFiles?.({ paths: [path], box }, quiet()))?.requests).toBe(0);
  await engine.close();
});
