import type { PixelGrid, Plane } from '@headwater/core/pixel-plan';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { REGIONS_PER_PLANES, waterBlock } from './block.ts';

/** Every second column of every second row is a pond of one pixel, so that ponds do not touch. */
const SIDE = 600;
const grid: PixelGrid = {
  crs: 'EPSG:4326',
  west: 77,
  north: 18,
  pixelWidth: 1,
  pixelHeight: 1,
  cols: SIDE,
  rows: SIDE,
};
const labels = Uint8Array.from({ length: SIDE * SIDE }, (_, i) =>
  i % 2 === 0 && Math.floor(i / SIDE) % 2 === 0 ? 4 : 0,
);
const PONDS = (SIDE / 2) ** 2;

function planesFrom(from: number): { readonly low: Uint8Array; readonly high: Uint8Array; readonly value: unknown } {
  const [low, high] = [new Uint8Array(labels.length), new Uint8Array(labels.length)];
  const outputs: Record<string, Plane> = { low, high };
  const value = waterBlock({ grid, inputs: { labels_0: labels }, outputs, params: { from }, progress: () => {} });
  return { low, high, value };
}

describe('more water bodies than one pair of planes can distinguish', () => {
  it('are distinguished by two pairs of planes, each body exactly once', () => {
    const seen = new Uint8Array(PONDS);
    let dry = 0;
    for (const from of [0, REGIONS_PER_PLANES]) {
      const { low, high } = planesFrom(from);
      labels.forEach((label, i) => {
        if (label === 0) dry += Number(low[i]) + Number(high[i]);
        else if (high[i] !== 0) seen[from + (Number(high[i]) - 1) * 255 + Number(low[i]) - 1]! += 1;
      });
    }
    expect(PONDS).toBeGreaterThan(REGIONS_PER_PLANES);
    expect([dry, seen.every((times) => times === 1)]).toEqual([0, true]);
  });

  it('are all in the value that the block function returns', () => {
    const { bodies } = z.object({ bodies: z.array(z.object({ pixels: z.int() })) }).parse(planesFrom(0).value);
    expect(bodies).toHaveLength(PONDS);
  });
});
