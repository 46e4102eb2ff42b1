import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PixelEngine } from '@headwater/core';
import type { PixelPlan, PlanScene } from '@headwater/core/pixel-plan';
import type { PlanOutcome } from '@headwater/core/ports';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { createPixelEngine } from '../engine.ts';
import { dumpOutputs, readDump, testBlock, wholeArea } from './test-plans.fixture.ts';

const grid = {
  crs: 'EPSG:32643',
  west: 500_000,
  north: 2_600_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 96,
  rows: 96,
};
const folder = mkdtempSync(join(tmpdir(), 'headwater-outage-'));
const scratchDir = join(folder, 'scratch');
/** The median NDVI of all five scenes is 0.5. Without the last three, it is 0.25. */
const RED = { a: 1000, b: 1000, c: 1000, d: 1000, e: 1000 };
const NIR = { a: 1500, b: 1857, c: 3000, d: 4000, e: 5667 };
type Id = keyof typeof RED;
const IDS: readonly Id[] = ['a', 'b', 'c', 'd', 'e'];

let server: Server;
let root = '';
const failures = new Map<string, number>();
let requests = new Map<string, number>();

beforeAll(async () => {
  for (const id of IDS) {
    const shared = { grid, overviews: 'none', tileSize: 32 } as const;
    for (const [band, value] of [['red', RED[id]] as const, ['nir', NIR[id]] as const]) {
      const data = new Uint16Array(96 * 96).map((_, i) => value + (i % 3));
      await writeGeoTiff(join(folder, `${id}-${band}.tif`), { ...shared, predictor: 2, data });
    }
    const data = new Uint8Array(96 * 96).fill(4);
    await writeGeoTiff(join(folder, `${id}-scl.tif`), { ...shared, predictor: 1, data });
  }
  server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const left = failures.get(path) ?? 0;
    failures.set(path, left - 1);
    if (left > 0) {
      response.writeHead(503).end();
      return;
    }
    const bytes = readFileSync(join(folder, path));
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    const part = bytes.subarray(Number(from), Number(to) + 1);
    const range = `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`;
    response.writeHead(206, { 'content-range': range }).end(part);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  failures.clear();
  requests = new Map();
});

const scene = (id: Id): PlanScene => ({
  id,
  datetime: `2023-08-0${1 + IDS.indexOf(id)}T05:30:00Z`,
  bands: Object.fromEntries(
    ['red', 'nir', 'scl'].map((band) => [
      band,
      { href: `${root}/${id}-${band}.tif`, offset: 0, scale: 0.0001, nodata: 0 },
    ]),
  ),
});
const plan = (ids: readonly Id[], mayMiss?: number): PixelPlan => ({
  kind: 'composite',
  grid,
  area: wholeArea(grid),
  scenes: ids.map(scene),
  mask: { band: 'scl', keep: [4], missing: [0], grow: [], dilate: 0 },
  steps: [{ start: '2023-07-01', end: '2024-07-01' }],
  core: [0, 1],
  indices: [{ name: 'ndvi', formula: { kind: 'ratio', plus: ['nir'], minus: ['red'] }, from: 0, to: 1 }],
  block: testBlock('dumpSeries'),
  outputs: dumpOutputs({ ndvi: 1 }),
  ...(mayMiss === undefined ? {} : { mayMiss }),
});

function withUnknownHost({ scenes, ...rest }: PixelPlan): PixelPlan {
  const moved = scenes.map((each) => {
    if (each.id !== 'e') return each;
    const bands = Object.entries(each.bands).map(([band, file]) => [
      band,
      { ...file, href: file.href.replace(root, 'http://scenes.invalid') },
    ]);
    return { ...each, bands: Object.fromEntries(bands) };
  });
  return { ...rest, scenes: moved };
}

async function execute(toExecute: PixelPlan, patienceMs = 60_000, lines: string[] = []) {
  const network = { patienceMs, firstPauseMs: 1, longestPauseMs: 1, allowedOrigins: [root] };
  const engine: PixelEngine = createPixelEngine({ scratchDir, threads: 2, network });
  const notes: string[] = [];
  const progress = (_share: number, note?: string): void => void notes.push(note ?? '');
  const work = { signal: new AbortController().signal, progress, log: (line: string) => void lines.push(line) };
  try {
    const outcome = await engine.execute(toExecute, work);
    return { outcome, notes, ndvi: await ndviOf(outcome) };
  } finally {
    await engine.close();
  }
}
const ndviOf = (outcome: PlanOutcome): Promise<Int16Array> =>
  readDump(outcome, 'ndvi:0', (key) => join(scratchDir, `${key}.u8`));

describe('a server that does not respond for a while', () => {
  it('does not change the map, although a map without the affected scenes would be different', async () => {
    const whole = await execute(plan(IDS));
    const thinned = await execute(plan(['a', 'b']));
    expect(thinned.ndvi).not.toEqual(whole.ndvi);
    // The first nine requests for each of these files fail. They all request the header, which is read before the
    // tiles.
    for (const id of ['c', 'd', 'e'] as const) failures.set(`/${id}-scl.tif`, 9);
    const late = await execute(plan(IDS));
    expect(late.ndvi).toEqual(whole.ndvi);
    expect(late.outcome).toMatchObject({ skipped: {}, unavailable: [], contributing: ['a', 'b', 'c', 'd', 'e'] });
    expect(late.notes.filter((note) => /^waiting for 127\.0\.0\.1:\d+ \(HTTP 503\)/.test(note))).not.toEqual([]);
  });

  it('causes one line in the log if its host name cannot be resolved', async () => {
    const lines: string[] = [];
    const { outcome } = await execute(withUnknownHost(plan(IDS, 1)), 10, lines);
    expect(outcome.unavailable).toEqual(['e']);
    expect(lines).toEqual([expect.stringMatching(/^The name scenes\.invalid cannot be resolved: check its spelling/)]);
  });

  it('is also reported in the progress while the workers read tiles', async () => {
    const headers = IDS.flatMap((id) => ['red', 'nir', 'scl'].map((band) => `/${id}-${band}.tif`));
    const whole = await execute(plan(IDS));
    const first = new Map(requests);
    for (const path of headers) failures.set(path, 0);
    requests = new Map();
    // The server sends one good response for the header, then six failures for the tiles.
    const atTiles = new Map(headers.map((path) => [path, 6]));
    server.prependListener('request', (request) => {
      const path = request.url ?? '';
      const extra = atTiles.get(path);
      if (extra === undefined || (requests.get(path) ?? 0) < 1) return;
      atTiles.delete(path);
      failures.set(path, extra);
    });
    const late = await execute(plan(IDS));
    expect(late.ndvi).toEqual(whole.ndvi);
    expect(late.notes.some((note) => note.startsWith('waiting for'))).toBe(true);
    expect(requests.get('/c-scl.tif') ?? 0).toBeGreaterThan(first.get('/c-scl.tif') ?? 0);
  });

  it('makes the plan fail as unavailable if more scenes are missing than `mayMiss` allows', async () => {
    failures.set('/e-red.tif', Infinity);
    await expect(execute(plan(IDS, 0.1), 5)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^1 of 5 scenes are unavailable, but at most 10 % may be missing\. The first is e: http.*HTTP 503.*[^.]\. Try again later\.$/,
      ),
    });
  });

  it('adds `isUnresolved` to the error of a failed plan only if its host name is unknown', async () => {
    const isUnresolved = { code: 'unavailable', details: { isUnresolved: true } };
    await expect(execute(withUnknownHost(plan(IDS, 0.1)), 5)).rejects.toMatchObject(isUnresolved);
    await expect(execute(withUnknownHost(plan(['e'], 1)), 5)).rejects.toMatchObject(isUnresolved);
    failures.set('/e-red.tif', Infinity);
    const answers = { code: 'unavailable', details: expect.not.objectContaining({ isUnresolved: true }) };
    await expect(execute(plan(IDS, 0.1), 5)).rejects.toMatchObject(answers);
  });

  it('is accepted if `mayMiss` allows it: its scenes are left out and listed', async () => {
    failures.set('/e-nir.tif', Infinity);
    const { outcome } = await execute(plan(IDS, 0.2), 5);
    expect(outcome.unavailable).toEqual(['e']);
    expect(outcome.skipped['e']).toMatch(/no response/);
    expect(outcome.contributing).toEqual(['a', 'b', 'c', 'd']);
  });

  it('makes the plan fail with `unavailable`, not with `no_scenes`, if it is the only server', async () => {
    for (const id of IDS) failures.set(`/${id}-scl.tif`, Infinity);
    await expect(execute(plan(IDS), 5)).rejects.toMatchObject({ code: 'unavailable' });
  });
});
