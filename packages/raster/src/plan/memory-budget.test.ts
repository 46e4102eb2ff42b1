import { describe, expect, it } from 'vitest';
import type { IndexSpec } from '@headwater/core/pixel-plan';
import { mostDays, paneMemory, panePixels, sharedBytes } from './memory-budget.ts';
import type { PreparedScene } from './prepared.ts';

const STEPS = 31;
const index = (name: string, from: number, to: number): IndexSpec => ({
  name,
  formula: { kind: 'ratio', plus: ['nir'], minus: ['red'] },
  from,
  to,
});
const INDICES = [index('ndvi', 0, STEPS), index('mndwi', 4, 27), index('ndbi', 4, 27), index('bsi', 4, 27)];
const steps = Array.from({ length: STEPS }, (_, step) => ({
  indices: INDICES.filter(({ from, to }) => from <= step && step < to),
  bands: ['blue', 'green', 'red', 'nir', 'swir16'],
}));
const scenesOf = (days: number, tiles: number): PreparedScene[] =>
  Array.from({ length: STEPS * days * tiles }, (_, i) => {
    const day = Math.floor(i / tiles);
    return { id: `${i}`, day: `${day}`, shared: tiles > 1, steps: [Math.floor(day / days)], mask: null, bands: {} };
  });
const MIB = 1024 * 1024;

describe('the memory of a plan', () => {
  it('does not depend on the number of tiles: scenes of one day share a plane', () => {
    const [one, six] = [scenesOf(3, 1), scenesOf(3, 6)];
    expect(mostDays(steps, six)).toBe(3);
    expect(panePixels({ scenes: six, steps }, 2)).toBe(panePixels({ scenes: one, steps }, 2));
  });

  it.each([
    [1, 1, 1],
    [2, 1, 6],
    [2, 7, 6],
    [4, 7, 2],
    [2, 16, 1],
  ])('is at most 704 MiB for %i threads, %i days a step, %i tiles a day', (threads, days, tiles) => {
    const scenes = scenesOf(days, tiles);
    const pixels = panePixels({ scenes, steps }, threads);
    // Days can use planes of composites that are not computed yet. In the last step with 4 indices, these are its own 4
    // planes and the planes of the 8 steps with one index. In the last of these 8 steps, it is one plane.
    const extra = Math.max(4 * days - 4 - 8, days - 1);
    const planes = 31 + 3 * 23 + extra + 5;
    expect(threads * (2 * planes * pixels + sharedBytes(threads))).toBeLessThanOrEqual(704 * MIB);
  });

  it.each([
    [1, 2, 0],
    [3, 2, 2],
    [16, 2, 52],
    [16, 1, 52],
  ])(
    'includes either the extra planes for %i days a step or the shared bands, whichever are larger, for %i panes',
    (days, count, extra) => {
      const panes = Array.from({ length: count }, (_, id) => ({ id, col: 0, row: id * 1000, cols: 1000, rows: 1000 }));
      const year = { steps, days: steps.map(() => days) };
      const shared = count > 1 ? sharedBytes(2) : 0;
      const kept = 31 + 3 * 23 + 5;
      expect(paneMemory({ panes }, year, 2)).toBe(2e6 * kept + Math.max(2e6 * extra, shared));
    },
  );

  it('has room for panes of at least one tile, for any number of threads', () => {
    expect(panePixels({ scenes: scenesOf(3, 1), steps }, 64)).toBe(512 * 512);
  });
});
