import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PixelEngine } from '@headwater/core';
import type { PixelPlan } from '@headwater/core/pixel-plan';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import type { CogFormat } from '../cog/cog-image.ts';
import { pointTransform } from '../warp/crs.ts';
import { createPixelEngine } from '../engine.ts';
import { dumpOutputs, quiet, testBlock, wholeArea } from './test-plans.fixture.ts';

const SIDE = 1024;
const SCENES = 3;
/** There are more dates than scenes, so the dates use the scenes in turn. */
const DATES = 15;
const ORIGIN = { crs: 'EPSG:32643', west: 500_000, north: 2_600_000 };
/** Side of each place, and distance between its corner and the scene's corner, in pixels. */
const SIZES = [60, 110, 170, 250, 340, 440, 550, 680, 830, 980].map((side, at) => ({ side, off: 3 * at }));

const folder = mkdtempSync(join(tmpdir(), 'headwater-estimate-'));
let server: Server;
let root = '';
let engine: PixelEngine;
const files = new Map<string, Buffer>();
let [requests, bytes] = [0, 0];

function fileOf(name: string): Buffer {
  const file = files.get(name) ?? readFileSync(join(folder, name));
  files.set(name, file);
  return file;
}

function samples(side: number, seed: number): Uint16Array {
  return Uint16Array.from({ length: side * side }, (_, i) => {
    const [x, y] = [i % side, Math.floor(i / side)];
    return 1200 + 400 * Math.sin(x / 40) + 300 * Math.cos(y / 25) + ((x * 31 + y * 17 + seed * 13) % 23);
  });
}

/**
 * Unusual scenes: one that is cloudy everywhere, one that covers only the western quarter, and one in the next UTM
 * zone.
 */
const KINDS = ['cloudy', 'quarter', 'zone'] as const;
type Kind = (typeof KINDS)[number];

async function writeKind(
  kind: Kind,
  shared: Pick<CogFormat, 'overviews' | 'tileSize' | 'threads' | 'nodata'>,
): Promise<void> {
  // A margin is added, because the grids are rotated against each other.
  const [x, y] = pointTransform(ORIGIN.crs, 'EPSG:32644')(ORIGIN.west, ORIGIN.north);
  const corner =
    kind === 'zone'
      ? { crs: 'EPSG:32644', west: 100 * Math.floor(x / 100) - 1000, north: 100 * Math.ceil(y / 100) + 1000 }
      : ORIGIN;
  for (const [name, size] of [...BANDS, ['scl', 20]] as const) {
    const side = (SIDE * 10) / size + (kind === 'zone' ? 2000 / size : 0);
    const cols = kind === 'quarter' ? side / 4 : side;
    const grid = { ...corner, pixelWidth: size, pixelHeight: size, cols, rows: side };
    const data =
      name === 'scl'
        ? new Uint8Array(cols * side).fill(kind === 'cloudy' ? 9 : 4)
        : samples(side, 7).slice(0, cols * side);
    await writeGeoTiff(join(folder, `${kind}-${name}.tif`), {
      ...shared,
      grid,
      data,
      predictor: name === 'scl' ? 1 : 2,
    });
  }
}

const BANDS = [
  ['red', 10],
  ['nir', 10],
  ['swir', 20],
] as const;

beforeAll(async () => {
  const shared = { overviews: 'none', tileSize: 256, threads: 1, nodata: 0 } as const;
  for (let id = 0; id < SCENES; id += 1) {
    for (const [name, size] of BANDS) {
      const side = (SIDE * 10) / size;
      const grid = { ...ORIGIN, pixelWidth: size, pixelHeight: size, cols: side, rows: side };
      await writeGeoTiff(join(folder, `${id}-${name}.tif`), { ...shared, grid, data: samples(side, id), predictor: 2 });
    }
    const side = SIDE / 2;
    const grid = { ...ORIGIN, pixelWidth: 20, pixelHeight: 20, cols: side, rows: side };
    const data = Uint8Array.from({ length: side * side }, (_, i) => (((i % side) + id * 4) % 30 < 10 ? 9 : 4));
    await writeGeoTiff(join(folder, `${id}-scl.tif`), { ...shared, grid, data, predictor: 1 });
  }
  for (const kind of KINDS) await writeKind(kind, shared);
  server = createServer((request, response) => {
    const file = fileOf((request.url ?? '').replace(/^\/\d+\//, ''));
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const part = file.subarray(Number(from), Number(to) + 1);
    requests += 1;
    bytes += part.length;
    response
      .writeHead(206, { 'content-range': `bytes ${from}-${Number(from) + part.length - 1}/${file.length}` })
      .end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  engine = createPixelEngine({ scratchDir: join(folder, 'scratch'), threads: 2, network: { allowedOrigins: [root] } });
}, 60_000);
afterAll(async () => {
  await engine.close();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => void ([requests, bytes] = [0, 0]));

/** Each date has its own addresses, because otherwise a run would open a file only once. */
function planOf({ side, off }: (typeof SIZES)[number], kinds: readonly Kind[] = []): PixelPlan {
  const corner = { crs: ORIGIN.crs, west: ORIGIN.west + 10 * off, north: ORIGIN.north - 10 * off };
  const grid = { ...corner, pixelWidth: 10, pixelHeight: 10, cols: side, rows: side };
  const first = Date.UTC(2023, 6, 1);
  const hrefOf = (date: number, name: string): string =>
    `${root}/${date}/${(date % 2 === 1 ? kinds[(date >> 1) % kinds.length] : undefined) ?? date % SCENES}-${name}.tif`;
  return {
    kind: 'composite',
    grid,
    area: wholeArea(grid),
    scenes: Array.from({ length: DATES }, (_, date) => ({
      id: `scene ${date}`,
      datetime: new Date(first + date * 15 * 86_400_000 + 20_000_000).toISOString(),
      bands: Object.fromEntries(
        ['red', 'nir', 'swir', 'scl'].map((name) => [
          name,
          { href: hrefOf(date, name), offset: 0, scale: 0.0001, nodata: 0 },
        ]),
      ),
    })),
    mask: { band: 'scl', keep: [4], missing: [0], grow: [], dilate: 0 },
    steps: [
      { start: '2023-07-01', end: '2023-12-01' },
      { start: '2023-12-01', end: '2024-07-01' },
    ],
    core: [0, 2],
    indices: [
      { name: 'ndvi', formula: { kind: 'ratio', plus: ['nir'], minus: ['red'] }, from: 0, to: 2 },
      { name: 'ndbi', formula: { kind: 'ratio', plus: ['swir'], minus: ['nir'] }, from: 0, to: 2 },
    ],
    block: testBlock('dumpSeries'),
    outputs: dumpOutputs({ ndvi: 2, ndbi: 2 }),
  };
}

const factor = (a: number, b: number): number => Math.max(a / b, b / a);

describe('estimate of a plan', () => {
  it.each(SIZES.filter((_, at) => at % sized(2, 1) === 0))(
    'scenes, bytes and requests of a place of $side pixels are within a factor of 1.5 of the run',
    async (size) => {
      const plan = planOf(size);
      const estimate = await engine.estimate?.(plan, quiet());
      const cost = requests;
      [requests, bytes] = [0, 0];
      const outcome = await engine.execute(plan, quiet());
      expect(estimate?.scenes).toBe(outcome.contributing.length);
      expect(factor(estimate?.bytes ?? 0, bytes)).toBeLessThan(1.5);
      expect(factor(estimate?.requests ?? 0, requests)).toBeLessThan(1.5);
      expect(factor(estimate?.decodedPixels ?? 0, outcome.decodedPixels)).toBeLessThan(1.5);
      // The estimate reads only the headers of at most twelve scenes.
      expect(cost).toBeLessThanOrEqual(12 * 4);
      await engine.release(Object.values(outcome.outputs));
    },
  );

  it.each([
    // A run does not read the bands of the cloudy scenes, so the estimate may be too high.
    [['cloudy'], 3],
    [['quarter'], 1.5],
    [['zone'], 1.5],
    [KINDS, 2],
  ] as const)('is near the reads of the run if half of the dates have scenes of the kinds %j', async (kinds, most) => {
    for (const size of SIZES.filter((_, at) => at % sized(10, 1) === sized(4, 0))) {
      const plan = planOf(size, kinds);
      const estimate = await engine.estimate?.(plan, quiet());
      [requests, bytes] = [0, 0];
      const outcome = await engine.execute(plan, quiet());
      const ratios = [
        (estimate?.bytes ?? 0) / bytes,
        (estimate?.requests ?? 0) / requests,
        (estimate?.decodedPixels ?? 0) / outcome.decodedPixels,
      ];
      for (const ratio of ratios)
        expect([size.side, ratio, ratio > 1 / 1.5 && ratio < most]).toEqual([size.side, ratio, true]);
      await engine.release(Object.values(outcome.outputs));
    }
  });

  it('counts no requests for local files', async () => {
    const plan = planOf({ side: 300, off: 0 });
    const local = (href: string): string => href.replace(/^.*\//, `${folder}/`);
    const scenes = plan.scenes.map(({ bands, ...scene }) => ({
      ...scene,
      bands: Object.fromEntries(
        Object.entries(bands).map(([name, band]) => [name, { ...band, href: local(band.href) }]),
      ),
    }));
    const estimate = await engine.estimate?.({ ...plan, scenes }, quiet());
    expect(estimate).toMatchObject({ scenes: DATES, requests: 0, diskBytes: 300 * 300 * 10 });
    expect(estimate?.bytes).toBeGreaterThan(1_000_000);
  });
});
