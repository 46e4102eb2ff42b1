import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { PixelPlan, PlanScene } from '@headwater/core/pixel-plan';
import { describe, expect, it } from 'vitest';
import { pointTransform } from '../warp/crs.ts';
import { columns, makeScene, type SceneSpec, type PixelValue } from './synthetic-scenes.fixture.ts';
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
const split =
  (at: number, left: number, right: number): PixelValue =>
  (col) =>
    col < at ? left : right;
const CLEAR = always(4);
const ONE_STEP = [{ start: '2023-07-01', end: '2023-08-01' }];
const MASK = { band: 'scl', keep: [4, 5, 6, 7, 11], missing: [0, 1], grow: [], dilate: 0 };

const scene = (id: string, day: number, change: Partial<SceneSpec> = {}): Promise<PlanScene> =>
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

const row = ({ planes, clear, at }: Awaited<ReturnType<typeof composite>>, cols: readonly number[]) =>
  cols.map((col) => [at(planes[0], col), at(clear, col)]);
const NONE = -32768;
const MASK_PIXELS = (SIDE / 2) ** 2;

describe('scenes of one solar day', () => {
  it('count as one value: a second version of a scene adds no weight, and only its mask is decoded', async () => {
    const newer = await scene('repro_1', 3);
    const older = await scene('repro_0', 3, { red: always(3000) });
    const other = await scene('repro_later', 8, { red: always(2000) });
    const result = await composite([newer, older, other]);
    expect(row(result, [0, 64, 127])).toEqual([
      [1500, 2],
      [1500, 2],
      [1500, 2],
    ]);
    expect(result.outcome.contributing).toEqual(['repro_1', 'repro_later']);
    expect(result.outcome.unused).toEqual({ repro_0: 'other scenes of the same day cover its pixels' });
    expect(result.outcome.decodedPixels).toBe(3 * MASK_PIXELS + 2 * SIDE * SIDE);
    const reversed = await composite([older, newer, other]);
    expect(row(reversed, [0])).toEqual([[2500, 2]]);
  });

  it('have no value at a pixel where the first scene has a cloud', async () => {
    const newer = await scene('cloud_1', 3, { scl: split(64, 9, 4) });
    const older = await scene('cloud_0', 3, { red: always(3000) });
    const result = await composite([newer, older]);
    expect(row(result, [10, 63, 64, 127])).toEqual([
      [NONE, 0],
      [NONE, 0],
      [1000, 1],
      [1000, 1],
    ]);
    expect(result.outcome.contributing).toEqual(['cloud_1']);
  });

  it('complement each other if they are datastrips of one tile, in any order', async () => {
    const west = await scene('strip_w', 3, { red: split(70, 1000, 0), scl: split(70, 4, 0) });
    const east = await scene('strip_e', 3, { red: split(60, 0, 2000), scl: split(60, 0, 4) });
    const result = await composite([west, east]);
    expect(row(result, [0, 59, 65, 69, 70, 127]).map(([value]) => value)).toEqual([1000, 1000, 1000, 1000, 2000, 2000]);
    expect(result.clear.every((count) => count === 1)).toBe(true);
    expect(result.outcome.contributing.toSorted()).toEqual(['strip_e', 'strip_w']);
    const reversed = await composite([east, west]);
    expect(row(reversed, [59, 60, 65, 70]).map(([value]) => value)).toEqual([1000, 2000, 2000, 2000]);
    // The first scene has data in three of four columns of tiles. The second scene fills pixels in two columns.
    expect(reversed.outcome.decodedPixels).toBe(2 * MASK_PIXELS + (SIDE * SIDE * (3 + 2)) / 4);
  });

  it('fill a pixel that is clear in the first scene but has no value', async () => {
    const newer = await scene('holes_1', 3, { red: split(33, 0, 1000) });
    const older = await scene('holes_0', 3, { red: always(3000) });
    expect(row(await composite([newer, older]), [0, 32, 33])).toEqual([
      [3000, 1],
      [3000, 1],
      [1000, 1],
    ]);
  });

  it('are combined if tiles overlap: each scene fills the gaps of the scenes before it', async () => {
    const west = await scene('tile_w', 3, { grid: columns(GRID, 0, 72), scl: split(20, 4, 9) });
    const middle = await scene('tile_m', 3, { grid: columns(GRID, 40, 100), red: always(2000) });
    const east = await scene('tile_e', 3, { grid: columns(GRID, 60, 128), red: always(3000) });
    const result = await composite([west, middle, east]);
    expect(row(result, [0, 19, 20, 71, 72, 99, 100, 127]).map(([value]) => value)).toEqual([
      1000,
      1000,
      NONE,
      NONE,
      2000,
      2000,
      3000,
      3000,
    ]);
    expect(result.outcome.contributing).toEqual(['tile_w', 'tile_m', 'tile_e']);
  });

  it('are completed by a scene of another UTM zone', async () => {
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
    const result = await composite([here, there]);
    expect(row(result, [0, 63, 64, 127])).toEqual([
      [1000, 1],
      [1000, 1],
      [2000, 1],
      [2000, 1],
    ]);
  });

  it('if the plan has no mask, fill the pixels in which other scenes have no value', async () => {
    const first = await scene('bare_1', 3, { red: split(64, 0, 1000) });
    const second = await scene('bare_0', 3, { red: always(3000) });
    const third = await scene('bare_later', 9, { red: always(2000) });
    const result = await composite([first, second, third], { mask: null });
    expect(row(result, [10, 100])).toEqual([
      [2500, 2],
      [1500, 2],
    ]);
    expect(result.outcome.contributing).toEqual(['bare_1', 'bare_0', 'bare_later']);
  });

  it('are grouped by solar time, not by UTC: a pass over midnight UTC is one day, in the step in which it starts', async () => {
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
    const result = await composite([before, after], { steps });
    expect(
      [0, 127].map((col) => [
        result.at(result.planes[0], col),
        result.at(result.planes[1], col),
        result.at(result.clear, col),
      ]),
    ).toEqual([
      [1000, NONE, 1],
      [3000, NONE, 1],
    ]);
  });

  it('have the weight of one day also if there are five copies', async () => {
    const copies = await Promise.all([0, 1, 2, 3, 4].map((i) => scene(`copy_${i}`, 3, { red: always(5000 + i) })));
    const others = [await scene('one', 8, { red: always(1000) }), await scene('two', 13, { red: always(2000) })];
    const result = await composite([...copies, ...others]);
    expect(row(result, [0, 127])).toEqual([
      [2000, 3],
      [2000, 3],
    ]);
    expect(Object.keys(result.outcome.unused)).toEqual(['copy_1', 'copy_2', 'copy_3', 'copy_4']);
  });

  it('use no values of a scene if one of its files is missing', async () => {
    const broken = await scene('broken', 3, { red: split(64, 1000, 0), scl: split(64, 4, 0) });
    const cut = { href: join(folder, 'none.tif'), offset: 0, scale: 1, nodata: 0 };
    const gone = { ...broken, bands: { ...broken.bands, red: cut } };
    const whole = await scene('whole', 3, { red: always(3000) });
    const result = await composite([gone, whole]);
    expect(row(result, [0, 127])).toEqual([
      [3000, 1],
      [3000, 1],
    ]);
    expect(Object.keys(result.outcome.skipped)).toEqual(['broken']);
  });
});

it('computes every pixel of an area of overlapping polygons: a tehsil, a micro-watershed that covers it, and one inside of it', async () => {
  const [tehsil] = wholeArea(GRID);
  if (tehsil === undefined) throw new Error('the area has no polygon');
  const inner = wholeArea(columns(GRID, 32, 64));
  const result = await composite([await scene('over', 3)], { area: [tehsil, tehsil, ...inner] });
  expect(result.clear.every((count) => count === 1)).toBe(true);
});

it('reports the number of panes outside of the area, and the scenes without a clear pixel in the area', async () => {
  const far = { ...GRID, west: GRID.west + 100_000 };
  const result = await composite([
    await scene('here', 3),
    await scene('far', 4, { grid: far }),
    await scene('grey', 5, { scl: always(9) }),
  ]);
  expect(result.outcome.pieces).toEqual({ computed: 1, outside: 0 });
  expect(result.outcome.unused).toEqual({ far: 'does not overlap the area', grey: 'no clear pixel in the area' });
});
