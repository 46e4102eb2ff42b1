import { DomainError } from '@headwater/core/errors';
import { createPixels } from './pixel-array.ts';
import type { Dtype } from './pixel-array.ts';

const USUAL = { uint8: 0, uint16: 0, int16: -32_768, float32: -9999 } as const;

/** Throws `input_data` for a nodata value that pixels of the type cannot have exactly. */
export function checkNodata(nodata: number, type: keyof typeof USUAL): void {
  const pixel = createPixels(type, 1);
  pixel[0] = nodata;
  if (pixel[0] === nodata || (Number.isNaN(pixel[0]) && Number.isNaN(nodata))) return;
  throw new DomainError(
    'input_data',
    `nodata: no ${type} pixel can have exactly ${nodata}; use another value, such as ${USUAL[type]}`,
  );
}

/** Returns the nodata value, or null if no sample of an integer type can have this value. */
export function heldNodata(nodata: number | null, type: Dtype): number | null {
  if (nodata === null || type === 'float32' || type === 'float64') return nodata;
  const pixel = createPixels(type, 1);
  pixel[0] = nodata;
  return pixel[0] === nodata ? nodata : null;
}

/** Range of samples that mean nodata, from `least` to `most`. Both are NaN without a nodata value. */
export interface NodataRange {
  readonly least: number;
  readonly most: number;
}

/** A nodata value beyond this number means the largest float32, which programs write with 6 to 17 digits. */
const EXTREME = Math.fround(3.4e38);

/**
 * Range of the samples that are nodata. For float32, the value is rounded to float32. If the value is beyond `EXTREME`
 * (or -`EXTREME`), all samples beyond this limit are nodata.
 */
export function nodataRange(nodata: number | null, type: Dtype): NodataRange {
  if (nodata === null) return { least: Number.NaN, most: Number.NaN };
  if (type !== 'float32') return { least: nodata, most: nodata };
  if (nodata >= EXTREME) return { least: EXTREME, most: Infinity };
  if (nodata <= -EXTREME) return { least: -Infinity, most: -EXTREME };
  const held = Math.fround(nodata);
  return { least: held, most: held };
}
