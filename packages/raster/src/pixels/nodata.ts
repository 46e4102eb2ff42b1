import { DomainError } from '@headwater/core/errors';
import { createPixels } from './pixel-array.ts';

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
