import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PixelGrid } from '@headwater/core';
import { sized } from '../../../../scripts/test-length.mjs';
import { createKernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { pointTransform } from './crs.ts';
import { NearestSampler, sampleNearest } from './resample.ts';

/**
 * Target grids, each with the CRS of its source: another UTM zone, the other hemisphere, a target in degrees, pixels so
 * large that lattice squares are split, and a source in degrees.
 */
const PLACES = [
  { crs: 'EPSG:32643', west: 780_003, north: 2_700_007, side: 10, source: 'EPSG:32644' },
  { crs: 'EPSG:32644', west: 199_980, north: 9_980, side: 20, source: 'EPSG:32743' },
  { crs: 'EPSG:4326', west: 77.99, north: 24, side: 9e-5, source: 'EPSG:32643' },
  { crs: 'EPSG:4326', west: 60, north: 40, side: 0.4, source: 'EPSG:32643' },
  { crs: 'EPSG:32643', west: 780_000, north: 2_700_000, side: 10, source: 'EPSG:4326' },
] as const;

const count = (most: number): fc.Arbitrary<number> => fc.integer({ min: 1, max: most });
const offset = fc.integer({ min: -40, max: 60 });
const windows = (most: number): fc.Arbitrary<PixelWindow> =>
  fc.record({ col: offset, row: offset, cols: count(most), rows: count(most) });

const CASES = fc.record({
  place: fc.constantFrom(...PLACES),
  window: windows(90),
  patch: windows(120),
  scale: fc.constantFrom(0.7, 1, 2, 6),
  outside: fc.constantFrom(0, 7, 255),
});

const targetOf = ({ crs, west, north, side }: (typeof PLACES)[number]): PixelGrid => {
  return { crs, west, north, pixelWidth: side, pixelHeight: side, cols: 200, rows: 200 };
};

function sourceOf(place: (typeof PLACES)[number], scale: number): PixelGrid {
  const transform = pointTransform(place.crs, place.source);
  const [west, north] = transform(place.west, place.north);
  const [east] = transform(place.west + scale * place.side, place.north);
  const size = Math.abs(east - west);
  return { crs: place.source, west, north, pixelWidth: size, pixelHeight: size, cols: 500, rows: 500 };
}

describe('NearestSampler', () => {
  it.each([1, 2] as const)('writes the same samples of %i bytes as the reference', (bytes) => {
    const kernels = createKernels();
    const view = bytes === 1 ? kernels.u8.bind(kernels) : kernels.u16.bind(kernels);
    let inside = 0;
    const check = ({
      place,
      window,
      patch,
      scale,
      outside,
    }: typeof CASES extends fc.Arbitrary<infer C> ? C : never): void => {
      const [grid, target] = [sourceOf(place, scale), targetOf(place)];
      const pixels = new (bytes === 1 ? Uint8Array : Uint16Array)(patch.cols * patch.rows).map((_, i) => i * 40_503);
      const expected = new Uint16Array(window.cols * window.rows);
      sampleNearest({ grid, window: patch, pixels }, { grid: target, window }, { target: expected, outside });

      const mark = kernels.mark();
      const stride = patch.cols + 5;
      const from = kernels.alloc(bytes * stride * patch.rows);
      const to = kernels.alloc(bytes * (expected.length + 1));
      for (let row = 0; row < patch.rows; row++)
        view(from + bytes * row * stride, patch.cols).set(pixels.subarray(row * patch.cols, (row + 1) * patch.cols));
      view(to, expected.length + 1)[expected.length] = 99;
      const sampler = new NearestSampler(target, kernels);
      const at = { grid, window: patch, address: from, stride, bytes };
      // The second call uses cached lattice squares.
      for (let call = 0; call < 2; call++) {
        sampler.sample(at, window, { address: to, outside });
        expect([...view(to, expected.length + 1)]).toEqual([...expected, 99]);
      }
      inside += expected.some((value) => value !== outside) ? 1 : 0;
      kernels.reset(mark);
    };
    fc.assert(fc.property(CASES, check), { seed: 20_261_129, numRuns: sized(120, 3000) });
    expect(inside).toBeGreaterThan(20);
  });
});
