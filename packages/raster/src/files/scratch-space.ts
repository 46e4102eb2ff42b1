import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PixelGrid, ScratchRaster } from '@headwater/core';
import type { PlaneType } from '@headwater/core/pixel-plan';
import { sampleBytes, typeOf } from '../pixels/pixel-array.ts';

/** Temporary rasters of a run: raw samples in the host's byte order, row-major, initially zero. */
export interface ScratchSpace {
  /** Creates a raster of zeros; default type: uint8. */
  create(grid: PixelGrid, type?: PlaneType): Promise<ScratchRaster>;
  /** Absolute path of the raw file. Several workers may write different parts of the file. */
  pathOf(raster: ScratchRaster): string;
  remove(raster: ScratchRaster): Promise<void>;
  close(): Promise<void>;
}

const ENDINGS = { uint8: 'u8', int16: 'i16', float32: 'f32' } as const satisfies Record<PlaneType, string>;

/** Creates a scratch space in a folder that only one engine may use. */
export function createScratchSpace(dir: string): ScratchSpace {
  const pathOf = (raster: ScratchRaster): string => join(dir, `${raster.key}.${ENDINGS[typeOf(raster)]}`);
  return {
    pathOf,
    async create(grid, type = 'uint8') {
      await mkdir(dir, { recursive: true });
      const raster = { key: randomUUID(), grid, type };
      const file = await open(pathOf(raster), 'w');
      await file.truncate(grid.rows * grid.cols * sampleBytes(type));
      await file.close();
      return raster;
    },
    remove: (raster) => rm(pathOf(raster), { force: true }),
    close: () => rm(dir, { recursive: true, force: true }),
  };
}

/** Creates the outputs of a plan, and calls `fill` to write them. Removes the outputs if `fill` throws. */
export async function withOutputs<T>(
  scratch: ScratchSpace,
  { grid, outputs }: { readonly grid: PixelGrid; readonly outputs: readonly { name: string; type?: PlaneType }[] },
  fill: (rasters: Readonly<Record<string, ScratchRaster>>) => Promise<T>,
): Promise<T> {
  const rasters: Record<string, ScratchRaster> = {};
  try {
    for (const { name, type } of outputs) rasters[name] = await scratch.create(grid, type);
    return await fill(rasters);
  } catch (error) {
    await Promise.all(Object.values(rasters).map((raster) => scratch.remove(raster)));
    throw error;
  }
}
