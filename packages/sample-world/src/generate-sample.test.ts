import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateSample, sampleSize } from './generate-sample.ts';
import { DEFAULT_SEED, sampleFrame } from './sample-frame.ts';
import { sceneDates } from './scene-calendar.ts';
import { writeScene, writeTruth } from './scene-files.ts';
import { samplePlace } from './sample-places.ts';
import { paintScene, sampleWorld, truthPlane } from './scene-painter.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sample-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function digests(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile())
      found[path.slice(root.length)] = createHash('sha256')
        .update(await readFile(path))
        .digest('hex');
  }
  return found;
}

describe('generateSample', () => {
  it('removes all files if it is stopped midway', async () => {
    const stop = new AbortController();
    const run = generateSample({ dataDir: dir, signal: stop.signal, progress: () => stop.abort() });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(await readdir(dir)).toEqual([]);
  });
});

describe('the size of a sample', () => {
  it.each([0, 2, 10, 44, Number.NaN])(
    'of %s km is refused with a message that names the possible sizes',
    async (sizeKm) => {
      await expect(sampleSize(dir, sizeKm)).rejects.toMatchObject({
        code: 'validation',
        message: expect.stringMatching(/^.* is not a multiple of 4 km from 4 to 40/),
      });
    },
  );

  it('is the size of the sample on disk; another size is refused, with both sizes and a remedy in the message', async () => {
    expect(await sampleSize(dir, undefined)).toBe(4);
    expect(await sampleSize(dir, 20)).toBe(20);
    await mkdir(join(dir, 'sample'));
    const marker = { version: 2, seed: DEFAULT_SEED, sizeKm: 8, scenes: 1, mws: 40 };
    await writeFile(join(dir, 'sample', 'sample.json'), JSON.stringify(marker));
    expect(await sampleSize(dir, undefined)).toBe(8);
    expect(await sampleSize(dir, 8)).toBe(8);
    await expect(sampleSize(dir, 20)).rejects.toMatchObject({
      code: 'validation',
      message: expect.stringMatching(/a sample of 8 km, not 20 km; leave the size out.* another data folder/),
    });
  });

  it('of 8 km gives one tehsil, scenes of the whole area, and four blocks of land that each contain every class', async () => {
    const frame = sampleFrame(8);
    const world = sampleWorld(DEFAULT_SEED, frame);
    const [small, whole] = [sampleWorld(DEFAULT_SEED, sampleFrame(4)), world].map((one) => truthPlane(one, 0));
    expect(whole).toHaveLength(800 * 800);
    const block = (row: number, col: number): Uint8Array =>
      Uint8Array.from({ length: 160_000 }, (_, i) => {
        return whole![(row * 400 + Math.floor(i / 400)) * 800 + col * 400 + (i % 400)]!;
      });
    expect(block(0, 0)).toEqual(small);
    for (const [row, col] of [
      [0, 1],
      [1, 0],
      [1, 1],
    ] as const) {
      expect(new Set(block(row, col)), `${row} ${col}`).toEqual(new Set(small));
      expect(block(row, col)).not.toEqual(small);
    }
    const scene = sceneDates(DEFAULT_SEED).find(({ cloud, cutCorner }) => cloud < 0.01 && !cutCorner)!;
    const { bands, scl } = paintScene(world, scene);
    expect([bands[0]!.length, bands[4]!.length, scl.length]).toEqual([640_000, 160_000, 160_000]);
    for (const band of bands) expect(band.filter((dn) => dn === 0)).toHaveLength(0);
    const place = samplePlace(DEFAULT_SEED, frame);
    expect(place.mws).toHaveLength(40);
    const lons = place.geometry!.coordinates.flat(3).filter((_, i) => i % 2 === 0);
    expect((Math.max(...lons) - Math.min(...lons)) * 106.2).toBeCloseTo(7.2, 0);
  });
});

describe('files of a seed', () => {
  it('are the same bytes every time; another seed gives other bytes', async () => {
    const write = async (seed: number, root: string): Promise<void> => {
      const world = sampleWorld(seed, sampleFrame(4));
      const dates = sceneDates(seed);
      await writeTruth(world, root);
      for (const index of [20, 75]) await writeScene(world, dates[index]!, root);
    };
    await write(7, join(dir, 'a'));
    await write(7, join(dir, 'b'));
    await write(8, join(dir, 'c'));
    const [a, b, c] = [await digests(join(dir, 'a')), await digests(join(dir, 'b')), await digests(join(dir, 'c'))];
    expect(Object.keys(a)).toHaveLength(3 + 2 * 8);
    expect(b).toEqual(a);
    expect(c['/truth_2021.tif']).not.toBe(a['/truth_2021.tif']);
  });
});
