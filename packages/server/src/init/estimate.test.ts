import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Run } from '@headwater/core';
import type { PlannedReads } from '@headwater/land-cover';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { listenOnLoopback } from '../../../../scripts/loopback.mjs';
import { estimateLines, estimateRun, type EstimateTools } from './estimate.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-estimate-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const TOOLS: EstimateTools = { allowedOrigins: [], newest: undefined, signal };

const planned = (href: string, share: number, scenePixels = 0): PlannedReads => ({
  years: [{ year: 2021, scenes: 10, cloudy: 2 }],
  files: Array.from({ length: 60 }, () => ({ href, share })),
  scenePixels,
});

it('multiplies the size of each file by its share in the place', async () => {
  const file = join(folder, 'B02.tif');
  await writeFile(file, Buffer.alloc(5_000_000));
  const plan = planned(file, 0.1);
  const estimate = await estimateRun(plan, TOOLS);
  expect(estimate).toMatchObject({ scenes: 10, bytes: expect.closeTo(30e6), bytesPerSecond: undefined });
  expect(estimateLines(plan, estimate)).toEqual([
    '  2021-2022: 10 scenes, 2 more are too cloudy',
    '  cost: 10 scenes, about 30 MB from this disk, about one minute at the speed of a machine with two cores',
  ]);
});

it('finds the sizes of files and the speed of their server with at most 13 requests for ranges', async () => {
  const ranges: string[] = [];
  const file = Buffer.alloc(4_000_000);
  const server = await listenOnLoopback((request, answer) => {
    const [from = 0, to = 0] = (request.headers.range ?? '').match(/\d+/g)?.map(Number) ?? [];
    ranges.push(`${from}-${to}`);
    answer.writeHead(206, { 'content-range': `bytes ${from}-${to}/${file.length}` }).end(file.subarray(from, to + 1));
  });
  onTestFinished(() => server.close());
  const tools = { ...TOOLS, allowedOrigins: [server.origin] };
  const estimate = await estimateRun(planned(`${server.origin}/B02.tif`, 0.5), tools);
  expect(estimate.bytes).toBeCloseTo(120e6);
  expect(estimate.bytesPerSecond).toBeGreaterThan(0);
  expect(estimate.seconds).toBeCloseTo((estimate.bytes ?? 0) / (estimate.bytesPerSecond ?? 1));
  expect(ranges.length).toBeLessThanOrEqual(13);
});

it('reports an unknown size and speed if the server answers 404', async () => {
  const server = await listenOnLoopback((_request, answer) => answer.writeHead(404).end());
  onTestFinished(() => server.close());
  const plan = planned(`${server.origin}/B02.tif`, 0.5);
  const estimate = await estimateRun(plan, { ...TOOLS, allowedOrigins: [server.origin] });
  expect(estimateLines(plan, estimate).at(-1)).toMatch(/of unknown size over the network at an unknown speed, about/);
});

it('uses the speed of the newest run, and reports that a size is unknown', async () => {
  const newest: Pick<Run, 'startedAt' | 'finishedAt' | 'timings'> = {
    startedAt: '2026-01-01T00:00:00Z',
    finishedAt: '2026-01-01T00:01:40Z',
    timings: { decoded_pixels: 450e6 },
  };
  const plan = planned(join(folder, 'missing.tif'), 1, 600e6);
  const estimate = await estimateRun(plan, { ...TOOLS, newest });
  expect(estimate).toMatchObject({ bytes: undefined, seconds: 600, isMeasured: true });
  expect(estimateLines(plan, estimate).at(-1)).toBe(
    '  cost: 10 scenes, of unknown size from this disk, about 10 minutes at the speed of the newest run here',
  );
});
