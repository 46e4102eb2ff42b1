import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { expect, it } from 'vitest';
import { testEngine } from './test-engine.fixture.ts';
import { quiet, testBlock } from './test-plans.fixture.ts';

const { engine, scratchDir } = testEngine(2);

const gridOf = (cols: number, rows: number): PixelGrid => ({
  crs: 'EPSG:32643',
  west: 500_000,
  north: 2_600_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols,
  rows,
});

function sumsOf(values: Uint8Array, { cols, rows }: PixelGrid, reach: number): Uint8Array {
  const at = (row: number, col: number): number =>
    row < 0 || row >= rows || col < 0 || col >= cols ? 0 : values[row * cols + col]!;
  const steps = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const across = values.map((_, i) => steps.reduce((sum, d) => sum + at(Math.floor(i / cols), (i % cols) + d), 0));
  return across.map((_, i) => steps.reduce((sum, d) => sum + (across[i + d * cols] ?? 0), 0));
}

// A task has at most 2^20 pixels. A block has at most 4096 pixels, or one row.
it.each([
  ['several tasks, with blocks of several rows', gridOf(700, 1600), 1],
  ['blocks of one row, with two rows of neighbours', gridOf(5000, 7), 2],
  ['fewer rows than neighbours', gridOf(30, 1), 2],
] as const)('a block of a combination gets the rows above and below it: %s', async (_title, grid, halo) => {
  const values = Uint8Array.from({ length: grid.cols * grid.rows }, (_, i) => (i * 2_654_435_761) >>> 24);
  const a = await engine.fromValues({ grid, values });
  const block = testBlock('sumAround', { reach: halo });
  const { sum } = await engine.combine(
    { kind: 'combine', grid, inputs: { a }, block, outputs: [{ name: 'sum' }], halo },
    quiet(),
  );
  const bytes = readFileSync(join(scratchDir, `${sum?.key}.u8`));
  expect(bytes.equals(sumsOf(values, grid, halo))).toBe(true);
});
