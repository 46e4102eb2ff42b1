import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { PixelPlan, PlanScene } from '@headwater/core/pixel-plan';
import { describe, expect, it } from 'vitest';
import { pointTransform } from '../warp/crs.ts';
import { columns, makeScene, type MadeScene, type PixelValue } from './made-scenes.fixture.ts';
import { testEngine } from './test-engine.fixture.ts';
import { dumpOutputs, testBlock, wholeArea } from './test-plans.fixture.ts';

const { engine, folder, dump } = testEngine();

const SIDE = 128;
const GRID: PixelGrid = {
  crs: 'EPSG:32643',
  west: 600_000,
  north: 2_600_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: SIDE,
  rows: SIDE,
};
const always =
  (value: number): PixelValue =>
  () =>
    value;
/** One value left of a column, another from it on. */
const split =
  (at: number, left: number, right: number): PixelValue =>
  (col) =>
    col < at ? left : right;
const CLEAR = always(4);
const ONE_STEP = [{ start: '2023-07-01', end: '2023-08-01' }];
const MASK = { band: 'scl', keep: [4, 5, 6, 7, 11], missing: [0, 1], grow: [], dilate: 0 };

const scene = (id: string, day: number, change: Partial<MadeScene> = {}): Promise<PlanScene> =>
  makeScene(folder, {
    id,
    datetime: `2023-07-${String(day).padStart(2, '0')}T05:30:00Z`,
    grid: GRID,
    red: always(1000),
    scl: CLEAR,
    ...change,
  });

async function composite(scenes: readonly PlanScene[], change: Partial<PixelPlan> = {}) {
  const steps = change.steps ?? ONE_STEP;
  const outcome = await engine.execute(
    {
      kind: 'composite',
      grid: GRID,
      area: wholeArea(GRID),
      scenes,
      mask: MASK,
      steps,
      core: [0, steps.length],
      indices: [{ name: 'red', formula: { kind: 'band', band: 'red' }, from: 0, to: steps.length }],
      block: testBlock('dumpSeries'),
      outputs: dumpOutputs({ red: steps.length }),
      ...change,
    },
    { signal: new AbortController().signal, progress: () => {} },
  );
  const read = (name: string): Promise<Int16Array> => dump(outcome, name);
  const planes = await Promise.all(steps.map((_, step) => read(`red:${step}`)));
  const clear = await read('clear');
  await engine.release(Object.values(outcome.outputs));
  const at = (plane: Int16Array | undefined, col: number): number | undefined => plane?.[40 * SIDE + col];
  return { outcome, planes, clear, at };
}

/** Values of the first step in row 40 at some columns, and the counts there. */
const row = ({ planes, clear, at }: Awaited<ReturnType<typeof composite>>, cols: readonly number[]) =>
  cols.map((col) => [at(planes[0], col), at(clear, col)]);
const NONE = -32768;
const MASK_PIXELS = (SIDE / 2) ** 2;

describe('scenes of one solar day', () => {
  it('are one value: a reprocessing weighs nothing and is not decoded', async () => {
    const newer = await scene('repro_1', 3);
    const older = await scene('repro_0', 3, { red: always(3000) });
    const other = await scene('repro_later', 8, { red: always(2000) });
    const made = await composite([newer, older, other]);
    expect(row(made, [0, 64, 127])).toEqual([
      [1500, 2],
      [1500, 2],
      [1500, 2],
    ]);
    expect(made.outcome.contributing).toEqual(['repro_1', 'repro_later']);
    expect(made.outcome.unused).toEqual({ repro_0: 'other scenes of its day give its pixels' });
    expect(made.outcome.decodedPixels).toBe(3 * MASK_PIXELS + 2 * SIDE * SIDE);
    const turned = await composite([older, newer, other]);
    expect(row(turned, [0])).toEqual([[2500, 2]]);
  });

  it('leave a pixel cloudy that the first of them saw under cloud', async () => {
    const newer = await scene('cloud_1', 3, { scl: split(64, 9, 4) });
    const older = await scene('cloud_0', 3, { red: always(3000) });
    const made = await composite([newer, older]);
    expect(row(made, [10, 63, 64, 127])).toEqual([
      [NONE, 0],
      [NONE, 0],
      [1000, 1],
      [1000, 1],
    ]);
    expect(made.outcome.contributing).toEqual(['cloud_1']);
  });

  it('complement each other where they are datastrips of one tile, in whatever order', async () => {
    const west = await scene('strip_w', 3, { red: split(70, 1000, 0), scl: split(70, 4, 0) });
    const east = await scene('strip_e', 3, { red: split(60, 0, 2000), scl: split(60, 0, 4) });
    const made = await composite([west, east]);
    expect(row(made, [0, 59, 65, 69, 70, 127]).map(([value]) => value)).toEqual([1000, 1000, 1000, 1000, 2000, 2000]);
    expect(made.clear.every((count) => count === 1)).toBe(true);
    expect(made.outcome.contributing.toSorted()).toEqual(['strip_e', 'strip_w']);
    const turned = await composite([east, west]);
    expect(row(turned, [59, 60, 65, 70]).map(([value]) => value)).toEqual([1000, 2000, 2000, 2000]);
    // Three of four columns of tiles hold data of the first; of the second, two hold pixels that the first did not see.
    expect(turned.outcome.decodedPixels).toBe(2 * MASK_PIXELS + (SIDE * SIDE * (3 + 2)) / 4);
  });

  it('fill a pixel that the first of them calls clear but has no value for', async () => {
    const newer = await scene('holes_1', 3, { red: split(33, 0, 1000) });
    const older = await scene('holes_0', 3, { red: always(3000) });
    expect(row(await composite([newer, older]), [0, 32, 33])).toEqual([
      [3000, 1],
      [3000, 1],
      [1000, 1],
    ]);
  });

  it('are mosaicked where tiles overlap, and seen through one after the other', async () => {
    const west = await scene('tile_w', 3, { grid: columns(GRID, 0, 72), scl: split(20, 4, 9) });
    const middle = await scene('tile_m', 3, { grid: columns(GRID, 40, 100), red: always(2000) });
    const east = await scene('tile_e', 3, { grid: columns(GRID, 60, 128), red: always(3000) });
    const made = await composite([west, middle, east]);
    expect(row(made, [0, 19, 20, 71, 72, 99, 100, 127]).map(([value]) => value)).toEqual([
      1000,
      1000,
      NONE,
      NONE,
      2000,
      2000,
      3000,
      3000,
    ]);
    expect(made.outcome.contributing).toEqual(['tile_w', 'tile_m', 'tile_e']);
  });

  it('fill what another zone shows', async () => {
    const [x, y] = pointTransform('EPSG:32643', 'EPSG:32644')(GRID.west + 640, GRID.north - 640);
    const other = {
      ...GRID,
      crs: 'EPSG:32644',
      west: Math.round(x) - 2000,
      north: Math.round(y) + 2000,
      cols: 400,
      rows: 400,
    };
    const here = await scene('zone_43', 3, { red: split(64, 1000, 0), scl: split(64, 4, 0) });
    const there = await scene('zone_44', 3, { grid: other, red: always(2000) });
    const made = await composite([here, there]);
    expect(row(made, [0, 63, 64, 127])).toEqual([
      [1000, 1],
      [1000, 1],
      [2000, 1],
      [2000, 1],
    ]);
  });

  it('are told apart by their values where the plan has no mask', async () => {
    const first = await scene('bare_1', 3, { red: split(64, 0, 1000) });
    const second = await scene('bare_0', 3, { red: always(3000) });
    const third = await scene('bare_later', 9, { red: always(2000) });
    const made = await composite([first, second, third], { mask: null });
    expect(row(made, [10, 100])).toEqual([
      [2500, 2],
      [1500, 2],
    ]);
    expect(made.outcome.contributing).toEqual(['bare_1', 'bare_0', 'bare_later']);
  });

  it('are those of the sun, not of Greenwich: a pass over midnight UTC is one day, in the step of its start', async () => {
    const before = await scene('sun_a', 9, {
      datetime: '2023-07-09T23:59:00Z',
      red: split(64, 1000, 0),
      scl: split(64, 4, 0),
    });
    const after = await scene('sun_b', 10, { datetime: '2023-07-10T00:01:00Z', red: always(3000) });
    const steps = [
      { start: '2023-07-01', end: '2023-07-10' },
      { start: '2023-07-10', end: '2023-07-20' },
    ];
    const made = await composite([before, after], { steps });
    expect(
      [0, 127].map((col) => [made.at(made.planes[0], col), made.at(made.planes[1], col), made.at(made.clear, col)]),
    ).toEqual([
      [1000, NONE, 1],
      [3000, NONE, 1],
    ]);
  });

  it('do not weigh more for being many: five copies beside two days', async () => {
    const copies = await Promise.all([0, 1, 2, 3, 4].map((i) => scene(`copy_${i}`, 3, { red: always(5000 + i) })));
    const others = [await scene('one', 8, { red: always(1000) }), await scene('two', 13, { red: always(2000) })];
    const made = await composite([...copies, ...others]);
    expect(row(made, [0, 127])).toEqual([
      [2000, 3],
      [2000, 3],
    ]);
    expect(Object.keys(made.outcome.unused)).toEqual(['copy_1', 'copy_2', 'copy_3', 'copy_4']);
  });

  it('leave no trace of one that breaks half-way', async () => {
    const broken = await scene('broken', 3, { red: split(64, 1000, 0), scl: split(64, 4, 0) });
    const cut = { href: join(folder, 'none.tif'), offset: 0, scale: 1, nodata: 0 };
    const gone = { ...broken, bands: { ...broken.bands, red: cut } };
    const whole = await scene('whole', 3, { red: always(3000) });
    const made = await composite([gone, whole]);
    expect(row(made, [0, 127])).toEqual([
      [3000, 1],
      [3000, 1],
    ]);
    expect(Object.keys(made.outcome.skipped)).toEqual(['broken']);
  });
});

it('computes all of a tehsil that has a micro-watershed equal to it, and one within', async () => {
  const [tehsil] = wholeArea(GRID);
  if (tehsil === undefined) throw new Error('the area has no polygon');
  const inner = wholeArea(columns(GRID, 32, 64));
  const made = await composite([await scene('over', 3)], { area: [tehsil, tehsil, ...inner] });
  expect(made.clear.every((count) => count === 1)).toBe(true);
});

it('says how many pieces the area leaves out, and which scenes lie beside it', async () => {
  const far = { ...GRID, west: GRID.west + 100_000 };
  const made = await composite([
    await scene('here', 3),
    await scene('far', 4, { grid: far }),
    await scene('grey', 5, { scl: always(9) }),
  ]);
  expect(made.outcome.pieces).toEqual({ computed: 1, outside: 0 });
  expect(made.outcome.unused).toEqual({ far: 'does not meet the area', grey: 'no clear pixel in the area' });
});
