import type { PlaneType } from '@headwater/core/pixel-plan';
import type { RasterHeader } from '@headwater/core/ports';
import type { ImportRequest } from '../shared/importer.ts';
import { badFile } from '../shared/import-deps.ts';
import type { LayerOptions } from './layer-options.ts';

/** How pixels are kept. */
export interface KeptPixels {
  readonly type: PlaneType;
  readonly nodata: number;
  /** What becomes of values that cannot be kept as they are, as a whole sentence. */
  readonly rounding?: string;
}

type SampleType = RasterHeader['type'];

/** Types that hold every value of a file's; of others float32 holds most. */
const PLANES: Readonly<Partial<Record<SampleType, PlaneType>>> = { uint8: 'uint8', int8: 'int16', int16: 'int16' };
/** What means no data where the file does not say. */
const NODATA: Readonly<Record<PlaneType, number>> = { uint8: 0, int16: -32_768, float32: Number.NaN };
/** Least and greatest of whole numbers. */
const RANGES = { uint8: [0, 255], int16: [-32_768, 32_767] } as const;

/** float32 has 24 bits for a number's digits (IEEE 754), and no whole number beyond 2^24 is sure to be one of its. */
const WHOLE = 'Whole numbers beyond 16,777,216, where there are any, are rounded to 24 binary digits.';
const ROUNDING: Readonly<Partial<Record<SampleType, string>>> = {
  uint32: WHOLE,
  int32: WHOLE,
  float64: 'Values are rounded to 24 binary digits, some 7 decimal ones.',
};

/** How the pixels of a file are kept: none of them becomes no data but those that are. Throws `validation` where they cannot be. */
export function keptAs(
  header: Pick<RasterHeader, 'type' | 'nodata'>,
  { classes }: Pick<LayerOptions, 'classes'>,
  request: Pick<ImportRequest, 'fileName'>,
): KeptPixels {
  const { type: own } = header;
  if (classes !== undefined && own !== 'uint8')
    throw badFile(request, `classes were given, but its pixels are ${own}; classes are of uint8.`);
  const rounding = ROUNDING[own];
  const type = PLANES[own] ?? 'float32';
  if (type === 'float32') return { type, nodata: NODATA.float32, ...(rounding !== undefined && { rounding }) };
  if (header.nodata !== null && holds(type, header.nodata)) return { type, nodata: header.nodata };
  if (type === 'int16') return { type, nodata: NODATA.int16 };
  if (classes !== undefined) return { type, nodata: valueBeside(classes, request) };
  // Each of the 256 values may be data: the next larger type has one more.
  return { type: 'int16', nodata: NODATA.int16 };
}

/** False for a value that no pixel of the file can have, which some programs write all the same. */
function holds(type: keyof typeof RANGES, value: number): boolean {
  const [least, most] = RANGES[type];
  return Number.isInteger(value) && value >= least && value <= most;
}

/** A value that is none of the classes. */
function valueBeside(classes: NonNullable<LayerOptions['classes']>, request: Pick<ImportRequest, 'fileName'>): number {
  const taken = new Set(classes.map(({ value }) => value));
  const free = [NODATA.uint8, ...Array.from({ length: 255 }, (_, index) => 255 - index)];
  const found = free.find((value) => !taken.has(value));
  if (found !== undefined) return found;
  throw badFile(request, 'all 256 values are classes, so none is left for pixels without data; give fewer classes.');
}
