import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PlaceFeature } from '../../places/place-features.ts';
import { FeatureSpool, type SpoolLimits } from './feature-spool.ts';
import { box } from './import-files.fixture.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-spool-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FEATURE: PlaceFeature = { properties: new Map(), polygons: [[box(78, 17)]], where: 'feature 1' };

/** Writes ten features, and calls `checkRoom` after each. Returns the number of calls of `free`. */
function write(limits: Partial<SpoolLimits>, free = 10_000): number {
  let checks = 0;
  const spool = new FeatureSpool(join(folder, `spool ${randomUUID()}`), {
    most: 1e6,
    leaves: 1000,
    checkEvery: 1e6,
    free: () => {
      checks += 1;
      return free;
    },
    ...limits,
  });
  try {
    for (let row = 1; row <= 10; row += 1) {
      spool.add({}, FEATURE, row);
      spool.checkRoom();
    }
  } finally {
    spool.close();
  }
  return checks;
}

it('a working file grows no larger than its limit', () => {
  expect(() => write({ most: 500 })).toThrow('its features take more than 5e-7 GB of the disk');
});

it('checks the free space after a number of written bytes, not after each feature, and leaves some space free', () => {
  expect(write({})).toBe(0);
  const checks = write({ checkEvery: 200 });
  expect(checks).toBeGreaterThan(1);
  expect(checks).toBeLessThan(10);
  expect(() => write({ checkEvery: 200 }, 999)).toThrow(expect.objectContaining({ code: 'storage_full' }));
});
