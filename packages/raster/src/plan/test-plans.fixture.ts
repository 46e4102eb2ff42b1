import { readFile } from 'node:fs/promises';
import type { PixelGrid, WorkContext } from '@headwater/core';
import type { PixelPlan, PlanScene } from '@headwater/core/pixel-plan';
import type { PlanOutcome } from '@headwater/core/ports';
import { openRaster } from '../tiff/open-raster.ts';
import { pointTransform } from '../warp/crs.ts';

/** Reference to a function of `test-blocks.fixture.ts`. */
export function testBlock(name: string, params: Readonly<Record<string, unknown>> = {}): PixelPlan['block'] {
  return { module: new URL('./test-blocks.fixture.ts', import.meta.url).href, export: name, params };
}

/** Area (lon/lat polygon) whose corners are the corners of the grid. */
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

/** Outputs for `dumpSeries`. `planes`: number of planes of each index. */
export function dumpOutputs(planes: Readonly<Record<string, number>>): PixelPlan['outputs'] {
  const names = Object.entries(planes).flatMap(([index, count]) =>
    Array.from({ length: count }, (_, i) => `${index}:${i}`),
  );
  return ['clear', ...names].flatMap((name) => [{ name: `${name}:lo` }, { name: `${name}:hi` }]);
}

/** Reads the plane that `dumpSeries` wrote (`index:plane`, or `clear`). */
export async function readDump(
  outcome: PlanOutcome,
  name: string,
  pathOf: (key: string) => string,
): Promise<Int16Array> {
  const bytes = await Promise.all(
    ['lo', 'hi'].map((part) => readFile(pathOf(outcome.outputs[`${name}:${part}`]?.key ?? ''))),
  );
  const [low = Buffer.alloc(0), high] = bytes;
  const values = new Int16Array(low.length);
  for (let i = 0; i < values.length; i += 1) values[i] = low[i]! | ((high?.[i] ?? 0) << 8);
  return values;
}

/** Creates a context that ignores progress and never aborts. */
export const quiet = (): WorkContext => ({ signal: new AbortController().signal, progress: () => {} });

/** Band whose values are its digital numbers (offset 0, scale 1). */
export const band = (href: string, nodata: number | null = null): PlanScene['bands'][string] => ({
  href,
  offset: 0,
  scale: 1,
  nodata,
});
const YEAR: PixelPlan['steps'] = [{ start: '2023-07-01', end: '2024-07-01' }];
/** Mask rule of the scene classification: vegetation, soil, water, unclassified and snow are clear. */
export const SCL = { band: 'scl', keep: [4, 5, 6, 7, 11], missing: [0], grow: [], dilate: 0 };
export const NDVI = {
  name: 'ndvi',
  formula: { kind: 'ratio', plus: ['nir'], minus: ['red'] },
  from: 0,
  to: 1,
} as const;

/** Plan that copies one NDVI composite of a year to outputs. */
export function plan(grid: PixelGrid, scenes: readonly PlanScene[], rest: Partial<PixelPlan> = {}): PixelPlan {
  return {
    kind: 'composite',
    grid,
    area: wholeArea(grid),
    scenes,
    mask: SCL,
    steps: YEAR,
    core: [0, 1],
    indices: [NDVI],
    block: testBlock('dumpSeries'),
    outputs: dumpOutputs({ ndvi: 1 }),
    ...rest,
  };
}

/** Reads the grid of a file. */
export const gridOf = async (path: string): Promise<PixelGrid> => (await openRaster(path)).grid;
