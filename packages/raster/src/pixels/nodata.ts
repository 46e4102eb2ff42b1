import { DomainError } from '@headwater/core/errors';
import { createPixels } from './pixel-array.ts';
import type { Dtype } from './pixel-array.ts';

/** No-data values that are in use, by type. */
const USUAL = { uint8: 0, uint16: 0, int16: -32_768, float32: -9999 } as const;

/** Throws `input_data` for a no-data value that pixels of a type cannot hold exactly: none of them would equal it. */
export function checkNodata(nodata: number, type: keyof typeof USUAL): void {
  const pixel = createPixels(type, 1);
  pixel[0] = nodata;
  if (pixel[0] === nodata || (Number.isNaN(pixel[0]) && Number.isNaN(nodata))) return;
  throw new DomainError(
    'input_data',
    `nodata: no ${type} pixel can hold ${nodata} exactly; take another value, such as ${USUAL[type]}`,
  );
}

/**
 * A file's no-data value as samples of a type hold it; NaN, which equals nothing, where there is none. GDAL writes that of float32 files
 * with other digits than the samples have.
 */
export function heldNodata(nodata: number | null, type: Dtype): number {
  if (nodata === null) return Number.NaN;
  return type === 'float32' ? Math.fround(nodata) : nodata;
}
