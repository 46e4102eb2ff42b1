import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { PlanScene } from '@headwater/core/pixel-plan';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';

/** Value of a band at a pixel of the 10 m grid: a digital number (0 is nodata) or a scene-classification code. */
export type PixelValue = (col: number, row: number) => number;

/** Scene to write. `grid` has pixels of 10 m; the grid of the codes has pixels of 20 m. */
export interface SceneSpec {
  readonly id: string;
  readonly datetime: string;
  readonly grid: PixelGrid;
  readonly red: PixelValue;
  readonly scl: PixelValue;
}

/** Part of a grid: columns [from, to). */
export const columns = (grid: PixelGrid, from: number, to: number): PixelGrid => ({
  ...grid,
  west: grid.west + from * grid.pixelWidth,
  cols: to - from,
});

/** Writes the files of a scene into a folder. Columns and rows are counted in 10 m pixels of the scene's grid. */
export async function makeScene(folder: string, spec: SceneSpec): Promise<PlanScene> {
  const { id, datetime, grid } = spec;
  const coarse = { ...grid, pixelWidth: 20, pixelHeight: 20, cols: grid.cols / 2, rows: grid.rows / 2 };
  const fill = ({ cols, rows }: PixelGrid, value: PixelValue, step: number): number[] =>
    Array.from({ length: cols * rows }, (_, i) => value((i % cols) * step, Math.floor(i / cols) * step));
  const [red, scl] = [join(folder, `${id}_red.tif`), join(folder, `${id}_scl.tif`)];
  const format = { overviews: 'none', predictor: 1, tileSize: 32 } as const;
  await writeGeoTiff(red, { ...format, grid, data: Uint16Array.from(fill(grid, spec.red, 1)), nodata: 0 });
  await writeGeoTiff(scl, { ...format, grid: coarse, data: Uint8Array.from(fill(coarse, spec.scl, 2)), nodata: 0 });
  const band = (href: string): PlanScene['bands'][string] => ({ href, offset: 0, scale: 1, nodata: 0 });
  return { id, datetime, bands: { red: band(red), scl: band(scl) } };
}
