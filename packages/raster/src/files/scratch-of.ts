import { writeFile } from 'node:fs/promises';
import type { Plane, PlaneType } from '@headwater/core/pixel-plan';
import type { ScratchRaster } from '@headwater/core';
import type { ValuesRequest } from '@headwater/core/ports';
import { DomainError } from '@headwater/core/errors';
import type { ScratchSpace } from './scratch-space.ts';

/** Creates a scratch raster from values. Throws `input_data` if the numbers of values and pixels differ. */
export async function scratchOf({ grid, values }: ValuesRequest, scratch: ScratchSpace): Promise<ScratchRaster> {
  if (values.length !== grid.cols * grid.rows) {
    const text = `${values.length} values for ${grid.cols} x ${grid.rows} pixels; there must be one for each pixel, row by row`;
    throw new DomainError('input_data', text);
  }
  const raster = await scratch.create(grid, typeOfPlane(values));
  try {
    await writeFile(scratch.pathOf(raster), new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  } catch (error) {
    await scratch.remove(raster);
    throw error;
  }
  return raster;
}

function typeOfPlane(values: Plane): PlaneType {
  if (values instanceof Uint8Array) return 'uint8';
  return values instanceof Int16Array ? 'int16' : 'float32';
}
