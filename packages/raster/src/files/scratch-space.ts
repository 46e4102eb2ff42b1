import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PixelGrid, ScratchRaster } from '@headwater/core';

/** Uint8 rasters between two steps of a run: raw files, row-major, `rows * cols` bytes, zero where nothing was written. */
export interface ScratchSpace {
  create(grid: PixelGrid): Promise<ScratchRaster>;
  /** Absolute path of the raw file; workers write disjoint rows or windows of it. */
  pathOf(raster: ScratchRaster): string;
  remove(raster: ScratchRaster): Promise<void>;
  /** Removes the whole folder. */
  close(): Promise<void>;
}

/** Scratch space in `dir` (a folder of its own per engine; made on first use). */
export function createScratchSpace(dir: string): ScratchSpace {
  const pathOf = (raster: ScratchRaster): string => join(dir, `${raster.key}.u8`);
  return {
    pathOf,
    async create(grid) {
      await mkdir(dir, { recursive: true });
      const raster = { key: randomUUID(), grid };
      const file = await open(pathOf(raster), 'w');
      await file.truncate(grid.rows * grid.cols);
      await file.close();
      return raster;
    },
    remove: (raster) => rm(pathOf(raster), { force: true }),
    close: () => rm(dir, { recursive: true, force: true }),
  };
}
