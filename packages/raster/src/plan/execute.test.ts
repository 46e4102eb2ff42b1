import { copyFileSync, readFileSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { PlanScene } from '@headwater/core/pixel-plan';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRaster } from '../tiff/open-raster.ts';
import { eoSamples } from '../tiff/test-samples.fixture.ts';
import { testEngine } from './test-engine.fixture.ts';
import { band, dumpOutputs, gridOf, NDVI, plan, quiet, testBlock } from './test-plans.fixture.ts';

const samples = eoSamples() ?? '';
const { engine, folder, scratchDir, dump } = testEngine(2);

async function errorOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await work.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (isDomainError(error)) return error;
  throw new Error(`expected a DomainError, got ${String(error)}`);
}

const gfmapDir = join(samples, 'openeo_gfmap_s2/cog');
function gfmapScenes(): PlanScene[] {
  const items = readdirSync(gfmapDir).filter((name) => name.endsWith('.json'));
  return items.map((name) => {
    const id = name.slice(0, -'.json'.length);
    const file = (code: string): PlanScene['bands'][string] => band(join(gfmapDir, `${id}_${code}.tif`));
    const datetime = `${id.slice(-8, -4)}-${id.slice(-4, -2)}-${id.slice(-2)}T10:00:00Z`;
    return { id, datetime, bands: { red: file('B04'), nir: file('B08'), scl: file('SCL') } };
  });
}
const CLEAR = ['S2_L2A_20231007', 'S2_L2A_20231022', 'S2_L2A_20231226'];

describe.skipIf(samples === '')('19 cloudy dates (gfmap)', () => {
  let grid: PixelGrid;
  beforeAll(async () => {
    grid = await gridOf(join(gfmapDir, `${CLEAR[0]}_B04.tif`));
  });

  it('only dates with clear pixels contribute; for the other dates only the mask is decoded', async () => {
    const shares: number[] = [];
    const outcome = await engine.execute(plan(grid, gfmapScenes()), {
      ...quiet(),
      progress: (share) => shares.push(share),
    });
    expect(outcome.contributing).toEqual(CLEAR);
    expect(outcome.skipped).toEqual({});
    expect(outcome.decodedPixels).toBe((19 + 2 * 3) * 128 * 128);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    const [ndvi, clear] = [await dump(outcome, 'ndvi:0'), await dump(outcome, 'clear')];
    expect(Math.min(...clear)).toBe(2);
    expect(clear.reduce((a, b) => a + b, 0)).toBe(996 + 2392 + 2392);
    expect(ndvi.slice(0, 4)).toEqual(Int16Array.of(6923, 6719, 6630, 6521));
    await engine.release(Object.values(outcome.outputs));
  });
  it('marks an index at pixels where a band is bright, even if the ratio does not use this band', async () => {
    const scenes = gfmapScenes().filter(({ id }) => id === CLEAR[1]);
    const [scene] = scenes;
    if (scene === undefined) throw new Error(`there is no scene ${CLEAR[1]}`);
    const green = { ...scene, bands: { ...scene.bands, green: band(join(gfmapDir, `${CLEAR[1]}_B03.tif`)) } };
    const [from, above] = [900, 4000];
    const indices = [
      NDVI,
      { ...NDVI, name: 'marked', formula: { ...NDVI.formula, bright: { band: 'green', from, above } } },
    ] as const;
    const outputs = dumpOutputs({ ndvi: 1, marked: 1 });
    const outcome = await engine.execute(plan(grid, [green], { indices, outputs }), quiet());
    const [plain, marked] = [await dump(outcome, 'ndvi:0'), await dump(outcome, 'marked:0')];
    const file = await openRaster(join(gfmapDir, `${CLEAR[1]}_B03.tif`));
    const samples16 = new Uint16Array(grid.cols * grid.rows);
    await file.readWindow({ col: 0, row: 0, cols: grid.cols, rows: grid.rows }, samples16);
    const isMarked = (value: number, i: number): boolean => value > above && samples16[i]! >= from;
    expect(plain.filter(isMarked).length).toBeGreaterThan(100);
    expect(plain.filter((value, i) => value !== -32768 && !isMarked(value, i)).length).toBeGreaterThan(100);
    expect(marked).toEqual(plain.map((value, i) => (isMarked(value, i) ? value - 20_001 : value)));
    await engine.release(Object.values(outcome.outputs));
  });
  it('scenes with a truncated file, a missing file or a missing band are left out and listed', async () => {
    const cut = join(folder, 'cut.tif');
    copyFileSync(join(gfmapDir, `${CLEAR[0]}_B08.tif`), cut);
    truncateSync(cut, 1500);
    const scenes = gfmapScenes().map((scene) => {
      if (scene.id === CLEAR[0]) return { ...scene, bands: { ...scene.bands, nir: band(cut) } };
      if (scene.id !== CLEAR[1]) return scene;
      const { nir: _, ...others } = scene.bands;
      return { ...scene, bands: others };
    });
    const outcome = await engine.execute(plan(grid, scenes), quiet());
    expect(outcome.contributing).toEqual([CLEAR[2]]);
    expect(outcome.skipped[CLEAR[0] ?? '']).toMatch(/cut\.tif: it is truncated/);
    expect(outcome.skipped[CLEAR[1] ?? '']).toBe('the Item has no file for: nir');
    await engine.release(Object.values(outcome.outputs));
  });
  it('a scene with a file that is found to be broken during the work does not affect the result', async () => {
    const broken = join(folder, 'broken.tif');
    const path = join(gfmapDir, `${CLEAR[1]}_B08.tif`);
    const at = (await openRaster(path)).levels[0]?.offsets[0] ?? 0;
    const bytes = readFileSync(path);
    bytes.fill(0xff, at + 20, at + 900);
    writeFileSync(broken, bytes);
    const scenes = gfmapScenes();
    const damaged = scenes.map((scene) =>
      scene.id === CLEAR[1] ? { ...scene, bands: { ...scene.bands, nir: band(broken) } } : scene,
    );
    const outcome = await engine.execute(plan(grid, damaged), quiet());
    const without = await engine.execute(
      plan(
        grid,
        scenes.filter(({ id }) => id !== CLEAR[1]),
      ),
      quiet(),
    );
    expect(outcome.skipped[CLEAR[1] ?? '']).toMatch(/broken\.tif: the tile at byte \d+ is damaged/);
    expect(outcome.contributing).toEqual([CLEAR[0], CLEAR[2]]);
    for (const name of ['ndvi:0', 'clear']) expect(await dump(outcome, name)).toEqual(await dump(without, name));
    await engine.release([...Object.values(outcome.outputs), ...Object.values(without.outputs)]);
  });
  it('a plan without a usable scene fails with `no_scenes` and a reason', async () => {
    const scenes = gfmapScenes().map((scene) => ({
      ...scene,
      bands: { ...scene.bands, red: band(join(folder, 'none.tif')) },
    }));
    const error = await errorOf(engine.execute(plan(grid, scenes), quiet()));
    expect(error.code).toBe('no_scenes');
    expect(error.message).toMatch(/none of the 19 scenes can be used .*none\.tif: the file does not exist/);
  });
  it('a period without scenes fails with `no_scenes`', async () => {
    const error = await errorOf(
      engine.execute(plan(grid, gfmapScenes(), { steps: [{ start: '2019-01-01', end: '2019-02-01' }] }), quiet()),
    );
    expect(error).toMatchObject({
      code: 'no_scenes',
      message: expect.stringContaining('no scene is in the period'),
    });
  });
  // The test ends only if the thread ends.
  it('when the work is cancelled, stops a block function that never returns', async () => {
    const controller = new AbortController();
    const progress = (share: number): void => {
      if (share >= 0.1) setImmediate(() => controller.abort());
    };
    const work = engine.execute(plan(grid, gfmapScenes(), { block: testBlock('spin') }), {
      signal: controller.signal,
      progress,
    });
    expect((await errorOf(work)).code).toBe('cancelled');
  });
  it('a failing block function and a dying thread cause errors, and no call hangs', async () => {
    await expect(
      engine.execute(plan(grid, gfmapScenes(), { block: testBlock('dumpSeries', { fail: true }) }), quiet()),
    ).rejects.toThrow('the block function failed');
    const error = await errorOf(engine.execute(plan(grid, gfmapScenes(), { block: testBlock('die') }), quiet()));
    expect(error).toMatchObject({
      code: 'internal',
      message: expect.stringMatching(/worker thread stopped unexpectedly/),
    });
    await expect(engine.execute(plan(grid, gfmapScenes(), { block: testBlock('missing') }), quiet())).rejects.toThrow(
      'exports no function missing',
    );
  });
  it('an area outside of the grid leaves the outputs empty', async () => {
    const outcome = await engine.execute(
      plan(grid, gfmapScenes(), {
        area: [
          [
            [
              [10, 10],
              [11, 10],
              [11, 11],
              [10, 10],
            ],
          ],
        ],
      }),
      quiet(),
    );
    expect(outcome.contributing).toEqual([]);
    expect((await dump(outcome, 'clear')).every((count) => count === 0)).toBe(true);
    await engine.release(Object.values(outcome.outputs));
  });
  it('combines rasters pixel by pixel', async () => {
    const { outputs } = await engine.execute(plan(grid, gfmapScenes()), quiet());
    const [a, b] = [outputs['clear:lo'], outputs['ndvi:0:lo']];
    if (a === undefined || b === undefined) throw new Error('outputs are missing');
    const combined = await engine.combine(
      { kind: 'combine', grid, inputs: { a, b }, block: testBlock('addPlanes'), outputs: [{ name: 'sum' }] },
      quiet(),
    );
    const read = (key = ''): Buffer => readFileSync(join(scratchDir, `${key}.u8`));
    const [left, right] = [read(a.key), read(b.key)];
    expect(read(combined['sum']?.key)).toEqual(Buffer.from(left.map((value, i) => value + (right[i] ?? 0))));
    await engine.release([...Object.values(outputs), ...Object.values(combined)]);
  });
});

it.skipIf(samples === '')('no scratch raster remains after failed runs', () => {
  expect(readdirSync(scratchDir)).toEqual([]);
});

describe.skipIf(samples === '')('68 dates of NDVI with a cloud mask (eo-learn)', () => {
  const dir = join(samples, 'eolearn_testeopatch/cog');
  it('monthly medians by land use equal the medians of NumPy', async () => {
    const expected: {
      mean_of_monthly_median_ndvi_by_lulc: Record<string, Record<string, number | null>>;
      clear_obs_per_pixel_min_max: [number, number];
    } = JSON.parse(readFileSync(join(samples, 'eolearn_testeopatch/expected.json'), 'utf8'));
    const months = Object.keys(expected.mean_of_monthly_median_ndvi_by_lulc);
    const scenes = readdirSync(dir)
      .filter((name) => name.endsWith('.json'))
      .map((name) => {
        const item: { id: string; properties: { datetime: string } } = JSON.parse(
          readFileSync(join(dir, name), 'utf8'),
        );
        const bands = { ndvi: band(join(dir, `${item.id}_NDVI.tif`)), clm: band(join(dir, `${item.id}_CLM.tif`)) };
        return { id: item.id, datetime: item.properties.datetime, bands };
      });
    const reference = await openRaster(join(dir, 'LULC_reference.tif'));
    const steps = months.map((month) => ({
      start: `${month}-01`,
      end: new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString(),
    }));
    const outcome = await engine.execute(
      plan(reference.grid, scenes, {
        mask: { band: 'clm', keep: [0], missing: [], grow: [], dilate: 0 },
        steps,
        core: [0, months.length],
        indices: [{ name: 'ndvi', formula: { kind: 'band', band: 'ndvi' }, from: 0, to: months.length }],
        outputs: dumpOutputs({ ndvi: months.length }),
      }),
      quiet(),
    );
    const lulc = new Uint8Array(reference.grid.cols * reference.grid.rows);
    await reference.readWindow({ col: 0, row: 0, cols: reference.grid.cols, rows: reference.grid.rows }, lulc);
    for (const [step, month] of months.entries()) {
      const medians = await dump(outcome, `ndvi:${step}`);
      for (const [label, mean] of Object.entries(expected.mean_of_monthly_median_ndvi_by_lulc[month] ?? {})) {
        const values = medians.filter((value, i) => value !== -32768 && lulc[i] === Number(label));
        const ours = values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length / 10_000;
        // The tolerance is 1e-4, plus the rounding of the expected figure to 4 decimals.
        expect({ month, label, near: ours === mean || Math.abs((ours ?? 9) - (mean ?? 99)) < 1e-4 + 5e-5 }).toEqual({
          month,
          label,
          near: true,
        });
      }
    }
    await engine.release(Object.values(outcome.outputs));
  });
});
