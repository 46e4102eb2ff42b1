import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { PlanScene } from '@headwater/core/pixel-plan';
import { describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { areaMap } from './area-map.ts';
import { cutSections } from './cut-sections.ts';
import { prepareScenes } from './prepare.ts';
import { testEngine } from './test-engine.fixture.ts';
import { band, dumpOutputs, plan, quiet, wholeArea } from './test-plans.fixture.ts';

const { engine, folder, dump } = testEngine(2);

const FILE: PixelGrid = {
  crs: 'EPSG:32643',
  west: 600_000,
  north: 2_600_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 2048,
  rows: 1536,
};
/** The grid begins and ends within tiles of the files. */
const GRID: PixelGrid = { ...FILE, west: 600_000 + 1000, north: 2_600_000 - 340, cols: 1800, rows: 1400 };
const [COL, ROW] = [100, 34];

const at = (seed: number, col: number, row: number): number =>
  1000 + ((col * 7 + row * 13 + seed * 97 + ((col * row) & 63)) % 5000);

/** Value of the first scene's 10 m band at a pixel of the grid. */
const at1 = (i: number): number => at(1, COL + (i % GRID.cols), ROW + Math.floor(i / GRID.cols));

async function write(name: string, seed: number, size: 10 | 20): Promise<string> {
  const path = join(folder, `${name}.tif`);
  const step = size / 10;
  const grid = { ...FILE, pixelWidth: size, pixelHeight: size, cols: FILE.cols / step, rows: FILE.rows / step };
  const data = Uint16Array.from({ length: grid.cols * grid.rows }, (_, i) =>
    at(seed, i % grid.cols, Math.floor(i / grid.cols)),
  );
  await writeGeoTiff(path, { grid, tileSize: 512, nodata: 0, overviews: 'none', predictor: 2, level: 1, data });
  return path;
}

const BOTH = ['fine', 'coarse'] as const;
const indices = BOTH.map((name) => ({ name, formula: { kind: 'band', band: name }, from: 0, to: 1 }) as const);

async function scenes(): Promise<readonly PlanScene[]> {
  return Promise.all(
    [1, 2].map(async (day) => ({
      id: `day ${day}`,
      datetime: `2023-08-0${day}T05:30:00Z`,
      bands: {
        fine: band(await write(`fine-${day}`, day, 10), 0),
        coarse: band(await write(`coarse-${day}`, day + 10, 20), 0),
      },
    })),
  );
}

/** Returns a function that cuts `GRID` into sections. It first applies `change` to all bands of the scenes. */
function cutter(
  { steps, scenes: prepared }: Awaited<ReturnType<typeof prepareScenes>>,
  dated?: Awaited<ReturnType<typeof prepareScenes>>['scenes'],
) {
  return (change: { readonly remote?: boolean }, threads = 1) =>
    cutSections({
      plan: {
        grid: GRID,
        indices,
        steps,
        scenes: prepared.map((scene) => ({
          ...scene,
          bands: Object.fromEntries(Object.entries(scene.bands).map(([name, each]) => [name, { ...each, ...change }])),
        })),
      },
      area: areaMap(GRID, wholeArea(GRID)),
      threads,
      ...(dated && { dated }),
    }).sections;
}

describe('panes that are parts of tiles', () => {
  it('have the values of the whole files, and decode each tile of a 10 m band once', async () => {
    const both = await scenes();
    const work = plan(GRID, both, { mask: null, indices, outputs: dumpOutputs({ fine: 1, coarse: 1 }) });
    const outcome = await engine.execute(work, quiet());
    const [fine, coarse] = [await dump(outcome, 'fine:0'), await dump(outcome, 'coarse:0')];
    const wrong = { fine: 0, coarse: 0 };
    for (let i = 0; i < fine.length; i++) {
      const [col, row] = [COL + (i % GRID.cols), ROW + Math.floor(i / GRID.cols)];
      if (fine[i] !== (at(1, col, row) + at(2, col, row)) >> 1) wrong.fine++;
      if (coarse[i] !== (at(11, col >> 1, row >> 1) + at(12, col >> 1, row >> 1)) >> 1) wrong.coarse++;
    }
    expect(wrong).toEqual({ fine: 0, coarse: 0 });
    const pixels = FILE.cols * FILE.rows;
    expect(outcome.decodedPixels).toBeGreaterThan(2 * GRID.cols * GRID.rows);
    expect(outcome.decodedPixels).toBeLessThanOrEqual(2 * pixels + (2 * 2 * pixels) / 4);
    await engine.release(Object.values(outcome.outputs));
  });

  it('leave out a scene with damage in rows that no pane needs, as whole tiles do', async () => {
    const both = await scenes();
    const grid = { ...GRID, rows: 300 };
    const [level] = (await openRaster(join(folder, 'fine-2.tif'))).levels;
    const damaged = join(folder, 'damaged.tif');
    const bytes = readFileSync(join(folder, 'fine-2.tif'));
    const at = level!.offsets[1]! + Math.floor(level!.byteCounts[1]! * 0.95);
    bytes[at] = bytes[at]! ^ 0x11;
    writeFileSync(damaged, bytes);
    const [good, bad] = [both[0]!, { ...both[1]!, bands: { ...both[1]!.bands, fine: band(damaged, 0) } }];
    const change = { mask: null, indices, outputs: dumpOutputs({ fine: 1, coarse: 1 }) };
    const outcome = await engine.execute(plan(grid, [good, bad], change), quiet());
    expect(outcome.skipped).toEqual({ 'day 2': expect.stringMatching(/the tile at byte \d+ is damaged/) });
    const fine = await dump(outcome, 'fine:0');
    expect(fine.every((value, i) => value === at1(i))).toBe(true);
    await engine.release(Object.values(outcome.outputs));
  });

  it('decode the tiles of a scene once for each step that contains it', async () => {
    const steps = [1, 2, 3].map(() => ({ start: '2023-07-01', end: '2023-09-01' }));
    const every = indices.map((index) => ({ ...index, to: 3 }));
    const [scene] = await scenes();
    const outputs = dumpOutputs({ fine: 3, coarse: 3 });
    const outcome = await engine.execute(
      plan(GRID, [scene!], { mask: null, indices: every, steps, core: [0, 3], outputs }),
      quiet(),
    );
    const pixels = FILE.cols * FILE.rows;
    expect(outcome.decodedPixels).toBeLessThanOrEqual(3 * (pixels + pixels / 2));
    const planes = await Promise.all([0, 1, 2].map((step) => dump(outcome, `fine:${step}`)));
    for (const plane of planes) expect(plane.every((value, i) => value === at1(i))).toBe(true);
    await engine.release(Object.values(outcome.outputs));
  });

  it('are sorted from top to bottom in each column of a section; remote files have panes of whole tiles', async () => {
    const work = plan(GRID, await scenes(), { mask: null, indices });
    const found = await prepareScenes(work, { signal: quiet().signal, network: {}, onWait: () => {} });
    const cut = cutter(found);
    const parts = cut({});
    expect(parts).toHaveLength(1);
    const panes = parts[0]!.panes;
    expect(Math.max(...panes.map(({ cols, rows }) => cols * rows))).toBeLessThanOrEqual(256 * 1024);
    expect(panes.map(({ col, row }) => [col, row])).toEqual(
      panes.map(({ col, row }) => [col, row] as const).toSorted(([a, b], [c, d]) => a - c || b - d),
    );
    expect(panes.reduce((sum, { cols, rows }) => sum + cols * rows, 0)).toBe(GRID.cols * GRID.rows);
    expect(panes.length).toBe(12);
    expect(cut({ remote: true })[0]!.panes).toHaveLength(4);
  });

  it('are in sections that keep all threads busy; tiles of remote files are not read repeatedly for that', async () => {
    const work = plan(GRID, await scenes(), { mask: null, indices });
    const cut = cutter(await prepareScenes(work, { signal: quiet().signal, network: {}, onWait: () => {} }));
    const pixels = ({
      panes,
    }: {
      readonly panes: readonly { readonly cols: number; readonly rows: number }[];
    }): number => panes.reduce((sum, { cols, rows }) => sum + cols * rows, 0);
    // With one thread, one section has the whole grid.
    for (const threads of [2, 3, 4]) {
      const sizes = cut({}, threads).map(pixels);
      expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
      const loads = Array.from({ length: threads }, () => 0);
      for (const size of sizes) loads[loads.indexOf(Math.min(...loads))]! += size;
      expect((threads * Math.max(...loads)) / (GRID.cols * GRID.rows)).toBeLessThan(1.5);
    }
    expect(cut({}, 8)).toHaveLength(12);
    expect([1, 2, 4, 8, 16].map((threads) => cut({ remote: true }, threads).length)).toEqual([1, 2, 4, 12, 12]);
  });

  it.each([
    ['20 steps of a few dates', 20],
    ['one step', 1],
  ])('have fewer rows if more scenes have unfinished tiles, down to a minimum, for %s', async (_name, count) => {
    const steps = Array.from({ length: count }, () => ({ start: '2023-07-01', end: '2023-09-01' }));
    const every = indices.map((index) => ({ ...index, to: count }));
    const work = plan(GRID, await scenes(), { mask: null, indices: every, steps, core: [0, count] });
    const found = await prepareScenes(work, { signal: quiet().signal, network: {}, onWait: () => {} });
    const largest = (dates: number): number => {
      const dated = Array.from({ length: dates }, (_, i) => ({
        ...found.scenes[i % 2]!,
        id: `${i}`,
        day: `${i}`,
        steps: [i % count],
      }));
      const panes = cutter({ ...found, scenes: dated })({}).flatMap((section) => section.panes);
      return Math.max(...panes.map(({ cols, rows }) => cols * rows));
    };
    const sizes = [2, 400, 800, 4000].map(largest);
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes[0]).toBeGreaterThan(2 * sizes[2]!);
    expect(sizes[3]).toBeGreaterThan(32 * 1024);
    // An estimate opens only some of the scenes.
    const all = Array.from({ length: 400 }, (_, i) => ({
      ...found.scenes[0]!,
      id: `${i}`,
      day: `${i}`,
      steps: [i % count],
    }));
    expect(cutter(found, all)({})).toEqual(cutter({ ...found, scenes: all })({}));
  });
});
