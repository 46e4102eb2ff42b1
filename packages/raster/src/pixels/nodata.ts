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

/** A no-data value, null where no sample of a whole-number type can be it: some programs write such ones all the same. */
export function heldNodata(nodata: number | null, type: Dtype): number | null {
  if (nodata === null || type === 'float32' || type === 'float64') return nodata;
  const pixel = createPixels(type, 1);
  pixel[0] = nodata;
  return pixel[0] === nodata ? nodata : null;
}

/** Samples that mean no data: those from `least` to `most`. Both are NaN, which nothing lies between, where no sample does. */
export interface NodataRange {
  readonly least: number;
  readonly most: number;
}

/** Programs write the least float32 with 6 to 17 digits, so that the text may be any number from here on. */
const EXTREME = Math.fround(3.4e38);

/**
 * Samples of a type that a file's no-data value means. GDAL writes that of float32 files with other digits than the samples have;
 * near the ends of float32 all samples of its sign are meant.
 */
export function nodataRange(nodata: number | null, type: Dtype): NodataRange {
  if (nodata === null) return { least: Number.NaN, most: Number.NaN };
  if (type !== 'float32') return { least: nodata, most: nodata };
  if (nodata >= EXTREME) return { least: EXTREME, most: Infinity };
  if (nodata <= -EXTREME) return { least: -Infinity, most: -EXTREME };
  const held = Math.fround(nodata);
  return { least: held, most: held };
}
