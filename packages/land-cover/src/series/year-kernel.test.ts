import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { describe, expect, it } from 'vitest';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { slopesOf } from '../cycles/slopes.fixture.ts';
import { createWhittaker } from './whittaker.ts';
import { type NdviBlock, TILE, YearKernel } from './year-kernel.ts';
import { blankYear, clean, summarise } from './year-stats.ts';

/** Uniform numbers 0-1 (congruential generator of Numerical Recipes). */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Seasons at any time of the year, with notches and snow; most neighbouring pixels have equal gaps. */
function block(seed: number, { pixels, steps, from, cold }: Omit<NdviBlock, 'ndvi'> & { steps: number }): NdviBlock {
  const next = random(seed);
  const ndvi = new Int16Array(steps * pixels).fill(INDEX_NODATA);
  const share = 0.1 + next();
  let gaps: readonly boolean[] = [];
  for (let i = 0; i < pixels; i++) {
    if (i === 0 || next() < 0.2) gaps = Array.from({ length: steps }, () => next() > share);
    const [foot, height, phase, noise] = [next() * 0.5 - 0.05, next() * 0.7, next() * steps, next() * 0.1];
    gaps.forEach((gap, s) => {
      const notch = next() < 0.08 ? next() * 0.6 : 0;
      const wave = Math.max(0, Math.sin((s - phase) / 3));
      if (!gap && next() < 0.97)
        ndvi[s * pixels + i] = Math.round(10_000 * Math.min(1, foot + height * wave + noise * next() - notch));
    });
  }
  return { pixels, ndvi, from, cold };
}

function plainTile({ pixels, ndvi, from, cold }: NdviBlock, first: number, count: number) {
  const steps = ndvi.length / pixels;
  const smoothen = createWhittaker({ steps, width: 1, stiffness: T.smoothing });
  return Array.from({ length: count }, (_, i) => {
    const values = Int16Array.from({ length: steps }, (_, s) => ndvi[s * pixels + first + i] ?? INDEX_NODATA);
    const input = values.reduce((bits, v, s) => (v === INDEX_NODATA ? bits : bits | (1 << s)), 0);
    const seen = clean({ values, width: 1 }, 0, input);
    const smooth = new Float64Array(steps);
    smoothen({ values, seen: Int32Array.of(seen), count: 1 }, smooth);
    const year = blankYear();
    summarise(smooth, { from, cold }, year);
    const { max, mean, maxStep, plateau, min, floor } = year;
    const slopes = slopesOf(smooth, 31 - Math.clz32(seen & -seen), 31 - Math.clz32(seen));
    return { seen, ...slopes, smooth: [...smooth], max, mean, maxStep, plateau, min, floor };
  });
}

const kernel = new YearKernel();

function kernelTile(input: NdviBlock, first: number, count: number) {
  const tile = kernel.load(input);
  kernel.read(first);
  const at = (row: Int32Array, i: number): number => row[i] ?? Number.NaN;
  return Array.from({ length: count }, (_, i) => ({
    seen: at(tile.seen, i),
    rises: at(tile.rises, i),
    falls: at(tile.falls, i),
    // Positive and negative zero count as equal.
    smooth: [...(tile.smooth[i] ?? [])].map((v) => v + 0),
    max: at(tile.max, i),
    mean: at(tile.mean, i),
    maxStep: at(tile.maxStep, i),
    plateau: at(tile.plateau, i),
    min: at(tile.min, i),
    floor: at(tile.floor, i),
  }));
}

const span = (seen: number): number => (seen === 0 ? 0 : 32 - Math.clz32(seen) - (31 - Math.clz32(seen & -seen)));

describe('the compiled module in the repository', () => {
  it('equals the output of the compiler for the current sources', () => {
    const script = fileURLToPath(new URL('../../scripts/build-kernels.mjs', import.meta.url));
    const built = execFileSync(process.execPath, [script, '--stdout'], { encoding: 'utf8' });
    expect(built).toBe(readFileSync(new URL('./kernels.generated.ts', import.meta.url), 'utf8'));
  });
});

describe('YearKernel', () => {
  const winter: NdviBlock['cold'] = [8, 16];
  const shapes = [
    { pixels: 64, steps: 31, from: 4, cold: null },
    { pixels: 131, steps: 31, from: 4, cold: winter },
    { pixels: 7, steps: 27, from: 4, cold: null },
    { pixels: 1, steps: 23, from: 0, cold: winter },
    // This block needs more memory than the kernel has at first.
    { pixels: 20_003, steps: 31, from: 4, cold: null },
  ];

  it.each(shapes)('equals the plain functions bit by bit: $pixels pixels of $steps steps', (shape) => {
    let compared = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const input = block(seed, shape);
      const first = TILE * Math.floor((shape.pixels - 1) / TILE) * (seed % 2);
      const count = Math.min(TILE, shape.pixels - first);
      const [ours, plain] = [kernelTile(input, first, count), plainTile(input, first, count)];
      expect(ours.map(({ seen }) => seen)).toEqual(plain.map(({ seen }) => seen));
      const long = plain.map(({ seen }) => span(seen) > 2);
      expect(ours.filter((_, i) => long[i])).toEqual(plain.filter((_, i) => long[i]));
      compared += long.filter(Boolean).length;
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('need not smooth series of fewer than three clear steps, because such pixels get no class', () => {
    expect(T.minClearSteps).toBeGreaterThan(2);
  });

  it('finds pixels that are wet or white in any step', () => {
    const next = random(7);
    const [pixels, steps, limits] = [45, 5, { wet: 500, white: -19_501, marked: -10_000 }];
    const mndwi = Int16Array.from({ length: pixels * steps }, () => Math.floor(next() * 31_000) - 30_000);
    const inSomeStep = (test: (m: number) => boolean): number[] =>
      Array.from({ length: pixels }, (_, i) => (mndwi.some((m, at) => at % pixels === i && test(m)) ? 1 : 0));
    const { wet, white } = kernel.findBright(mndwi, pixels, limits);
    expect([...wet]).toEqual(inSomeStep((m) => m > limits.wet));
    expect([...white]).toEqual(inSomeStep((m) => m > limits.white && m < limits.marked));
    expect(new Set([...wet, ...white])).toEqual(new Set([0, 1]));
  });

  it.each([
    [26, 'the core is incomplete'],
    [32, 'too many for a bit set'],
  ])('refuses %i steps: %s', (steps) => {
    const input = { pixels: 2, ndvi: new Int16Array(2 * steps), from: 4, cold: null };
    expect(() => kernel.load(input)).toThrow(`YearKernel: ${steps} steps of NDVI; give 27 to 31`);
  });
});
