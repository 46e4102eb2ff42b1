import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { WHOLE_BYTES, type PlaneType, type WholePlan } from '@headwater/core/pixel-plan';
import type { PixelGrid, ScratchRaster } from '@headwater/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { makeScene } from './synthetic-scenes.fixture.ts';
import { testEngine } from './test-engine.fixture.ts';
import { NDVI, plan, quiet, SCL } from './test-plans.fixture.ts';

const { engine, folder, scratchDir } = testEngine();
const GRID: PixelGrid = {
  crs: 'EPSG:32643',
  west: 500_000,
  north: 2_600_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 130,
  rows: 70,
};
const block = (name: string): WholePlan['block'] => ({
  module: new URL('./value-blocks.fixture.ts', import.meta.url).href,
  export: name,
  params: {},
});

const ENDINGS = { uint8: 'u8', int16: 'i16', float32: 'f32' };
function bytesOf(raster: ScratchRaster | undefined, type: PlaneType): Buffer {
  expect(raster?.type).toBe(type);
  return readFileSync(join(scratchDir, `${raster?.key}.${ENDINGS[type]}`));
}
const MB = 2 ** 20;
const shorts = (bytes: Buffer): Int16Array => new Int16Array(new Uint8Array(bytes).buffer);
const floats = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer);

describe('planes of each type', () => {
  let composed: Readonly<Record<string, ScratchRaster>> = {};
  beforeAll(async () => {
    const red = (col: number, row: number): number => (col === 3 ? 0 : 1 + ((col * 7 + row * 13) % 900));
    const sceneSpec = { id: 'a', datetime: '2023-10-01T05:30:00Z', grid: GRID, red, scl: () => 4 };
    const scene = await makeScene(folder, sceneSpec);
    const nir = await makeScene(folder, { ...sceneSpec, id: 'b', red: (col, row) => (col === 3 ? 0 : 500 + row) });
    const bands = { ...scene.bands, nir: nir.bands['red'] ?? { href: '', offset: 0, scale: 1, nodata: 0 } };
    const outputs = [{ name: 'ratio', type: 'float32' }, { name: 'raw', type: 'int16' }, { name: 'days' }] as const;
    const rest = { mask: SCL, indices: [NDVI], block: block('valuesOfNdvi'), outputs };
    composed = (await engine.execute(plan(GRID, [{ ...scene, bands }], rest), quiet())).outputs;
  });

  it('a composite writes float32, int16 and uint8 outputs', () => {
    const raw = shorts(bytesOf(composed['raw'], 'int16'));
    const ratio = floats(bytesOf(composed['ratio'], 'float32'));
    expect(raw).toHaveLength(GRID.cols * GRID.rows);
    expect(Math.min(...raw.filter((value) => value > -32_768))).toBeLessThan(0);
    expect(raw[3]).toBe(-32_768);
    expect(ratio).toEqual(Float32Array.from(raw, (value) => value / 10_000));
    expect(new Set(bytesOf(composed['days'], 'uint8'))).toEqual(new Set([0, 1]));
  });

  it('a combination reads and writes planes of several types', async () => {
    const { raw, days } = composed;
    if (raw === undefined || days === undefined) throw new Error('the composite has no outputs');
    const outputs = [
      { name: 'third', type: 'float32' },
      { name: 'back', type: 'int16' },
    ] as const;
    const combination = {
      kind: 'combine',
      grid: GRID,
      inputs: { raw, days },
      block: block('thirds'),
      outputs,
    } as const;
    const combined = await engine.combine(combination, quiet());
    const [before, clear] = [shorts(bytesOf(raw, 'int16')), bytesOf(days, 'uint8')];
    expect(floats(bytesOf(combined['third'], 'float32'))).toEqual(
      Float32Array.from(before, (value, i) => value / 3 + (clear[i] ?? 0)),
    );
    expect(shorts(bytesOf(combined['back'], 'int16'))).toEqual(Int16Array.from(before, (value) => -value));
  });
});

describe('a whole plan', () => {
  let height: ScratchRaster = { key: '', grid: GRID, type: 'float32' };
  const outputs = [{ name: 'slope', type: 'float32' }] as const;
  const whole = (change: Partial<WholePlan> = {}): WholePlan => ({
    kind: 'whole',
    grid: GRID,
    inputs: { height },
    block: block('slope'),
    outputs,
    ...change,
  });
  const heights = Float32Array.from({ length: GRID.cols * GRID.rows }, (_, i) => (i % GRID.cols) * 0.25 + 100);
  heights[5000] = 8848.5;
  beforeAll(async () => {
    const path = join(folder, 'height.tif');
    await writeGeoTiff(path, { grid: GRID, data: heights, overviews: 'none', predictor: 3, tileSize: 64 });
    height = await engine.read({ path, grid: GRID, type: 'float32', resampling: 'nearest', nodata: -9999 }, quiet());
  });

  it('gets all pixels in one call, returns planes and a value, and reports progress', async () => {
    const shares: number[] = [];
    const result = await engine.whole(whole(), { ...quiet(), progress: (share) => void shares.push(share) });
    expect(result.value).toEqual({
      top: { value: 8848.5, col: 5000 % GRID.cols, row: Math.floor(5000 / GRID.cols) },
      note: null,
      list: [1, 'two', true],
    });
    const slopes = floats(bytesOf(result.outputs['slope'], 'float32'));
    expect(slopes[0]).toBe(2.5);
    expect(slopes[GRID.cols - 1]).toBe(0);
    expect(shares.length).toBeGreaterThan(1);
    expect(shares.at(-1)).toBe(1);
    await engine.release(Object.values(result.outputs));
  });

  it('returns null for a function that returns nothing', async () => {
    const result = await engine.whole(whole({ block: block('returnsNothing') }), quiet());
    expect(result.value).toBeNull();
    await engine.release(Object.values(result.outputs));
  });

  describe('leaves no raster behind', () => {
    let before: string[] = [];
    beforeAll(() => {
      before = readdirSync(scratchDir).toSorted();
    });

    it.each([
      ['a value that JSON cannot express', { block: block('returnsNaN') }, /NaN as mean/],
      ['an input plane that the plan does not have', { block: block('wantsFloat') }, /plane codes.*float32.*none/],
      ['an input on another grid', { grid: { ...GRID, cols: 12 } }, /inputs\.height: its grid/],
      [
        'planes that are larger than the memory for them',
        {
          grid: { ...GRID, cols: 20_000, rows: 20_000 },
          inputs: {},
          outputs: [...outputs, { name: 'codes' }] as WholePlan['outputs'],
        },
        /2 planes of 20000 x 20000 pixels take 1908 MB of memory, more than 1024 MB; use larger pixels/,
      ],
    ])('if it is refused: %s', async (_, change, message) => {
      await expect(engine.whole(whole(change), quiet())).rejects.toThrow(message);
      expect(readdirSync(scratchDir).toSorted()).toEqual(before);
    });

    it('if it is stopped while its function works', async () => {
      const control = new AbortController();
      const context = { signal: control.signal, progress: () => control.abort() };
      await expect(engine.whole(whole({ block: block('spinWhole') }), context)).rejects.toMatchObject({
        code: 'cancelled',
      });
      expect(readdirSync(scratchDir).toSorted()).toEqual(before);
    });
  });

  it('uses little more memory than its planes need', async () => {
    // A large grid, because small planes might fit into memory that earlier work has freed, and `rss` would not grow.
    const grid = { ...GRID, cols: 6000, rows: 6000 };
    const planes = 2 * 4 * grid.cols * grid.rows;
    const path = join(folder, 'height.tif');
    const large = await engine.read({ path, grid, type: 'float32', resampling: 'nearest', nodata: -9999 }, quiet());
    const before = process.memoryUsage.rss();
    let most = 0;
    const progress = (): void => void (most = Math.max(most, process.memoryUsage.rss() - before));
    const result = await engine.whole(whole({ grid, inputs: { height: large } }), { ...quiet(), progress });
    expect(most).toBeGreaterThan(planes / 2);
    // The tolerance covers the memory of a thread without pixels, and the memory of the test.
    expect(most - planes).toBeLessThan(64 * MB);
    await engine.release([large, ...Object.values(result.outputs)]);
  });

  it('accepts four float32 planes of 80 x 80 km with pixels of 10 m', () => {
    expect(4 * 4 * 8000 * 8000).toBeLessThanOrEqual(WHOLE_BYTES);
  });
});
