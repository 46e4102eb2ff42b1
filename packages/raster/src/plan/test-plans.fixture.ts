import { readFile } from 'node:fs/promises';
import type { PixelGrid, PixelPlan, PlanOutcome } from '@headwater/core';
import { pointTransform } from '../warp/crs.ts';

/** Reference to a function of `test-blocks.fixture.ts`. */
export function testBlock(name: string, params: Readonly<Record<string, unknown>> = {}): PixelPlan['block'] {
  return { module: new URL('./test-blocks.fixture.ts', import.meta.url).href, export: name, params };
}

/** Area that holds a whole grid, as lon/lat polygon with a little to spare. */
export function wholeArea(grid: PixelGrid): PixelPlan['area'] {
  const toLonLat = pointTransform(grid.crs, 'EPSG:4326');
  const [east, south] = [grid.west + grid.cols * grid.pixelWidth, grid.north - grid.rows * grid.pixelHeight];
  const corners = [
    [grid.west, grid.north],
    [east, grid.north],
    [east, south],
    [grid.west, south],
    [grid.west, grid.north],
  ] as const;
  return [[corners.map(([x, y]) => [...toLonLat(x, y)])]];
}

/** Outputs that `dumpSeries` fills for `planes` planes of some indices. */
export function dumpOutputs(planes: Readonly<Record<string, number>>): PixelPlan['outputs'] {
  const names = Object.entries(planes).flatMap(([index, count]) =>
    Array.from({ length: count }, (_, i) => `${index}:${i}`),
  );
  return ['clear', ...names].flatMap((name) => [{ name: `${name}:lo` }, { name: `${name}:hi` }]);
}

/** Reads back what `dumpSeries` wrote for one plane (`index:plane`, or `clear`). */
export async function readDump(
  outcome: PlanOutcome,
  name: string,
  pathOf: (key: string) => string,
): Promise<Int16Array> {
  const bytes = await Promise.all(
    ['lo', 'hi'].map((part) => readFile(pathOf(outcome.outputs[`${name}:${part}`]?.key ?? ''))),
  );
  const [low, high] = bytes;
  return Int16Array.from(low ?? [], (value, i) => value | ((high?.[i] ?? 0) << 8));
}
