import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openElevation } from '@headwater/ingest';
import { createPixelEngine } from '@headwater/raster';
import { boxOf } from '@headwater/core';
import { expect, it } from 'vitest';
import { demGrid, demHeights, writeSampleDem } from './sample-dem.ts';
import { BLOCK_KM, DEFAULT_SEED, sampleFrame } from './sample-frame.ts';
import { samplePlace } from './sample-places.ts';

const frame = sampleFrame(BLOCK_KM);

it('the DEM is the same for the same seed, is smooth, and falls to the south', () => {
  const heights = demHeights(DEFAULT_SEED, frame);
  expect(demHeights(DEFAULT_SEED, frame)).toEqual(heights);
  expect(demHeights(1, frame)).not.toEqual(heights);
  const { cols, rows } = demGrid(frame);
  let steepest = 0;
  for (let at = 1; at < heights.length; at += 1) {
    if (at % cols !== 0) steepest = Math.max(steepest, Math.abs(heights[at]! - heights[at - 1]!));
  }
  expect(steepest).toBeGreaterThan(3);
  expect(steepest).toBeLessThan(30);
  const mean = (from: number): number => {
    const part = heights.subarray(from, from + 20 * cols);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  };
  expect(mean(0) - mean((rows - 20) * cols)).toBeGreaterThan(20);
});

it('a search for the elevations of the sample place and its surroundings finds the DEM, which is marked as synthetic', async () => {
  const root = await mkdtemp(join(tmpdir(), 'sample-dem-'));
  const pixels = createPixelEngine({ scratchDir: join(root, 'scratch'), threads: 1 });
  await writeSampleDem(DEFAULT_SEED, frame, join(root, 'dem', 'headwater-sample'));
  const place = samplePlace(DEFAULT_SEED, frame);
  const [west, south, east, north] = boxOf([place.geometry!, ...place.mws.map(({ geometry }) => geometry)]);
  const around = [west - 0.021, south - 0.021, east + 0.021, north + 0.021] as const;
  const found = await openElevation({ folder: join(root, 'dem'), pixels, warn: expect.fail }).demFor(around);
  expect(found).toMatchObject({ synthetic: true, license: 'CC0-1.0', title: 'Headwater synthetic sample elevations' });
  await pixels.close();
  await rm(root, { recursive: true });
});
