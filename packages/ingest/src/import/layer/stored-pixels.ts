import type { PlaneType } from '@headwater/core/pixel-plan';
import type { RasterHeader } from '@headwater/core/ports';
import { type ImportRequest, badFile } from '../shared/import-deps.ts';
import type { LayerOptions } from './layer-options.ts';

/** Type and nodata value of the stored pixels. */
export interface StoredPixels {
  readonly type: PlaneType;
  readonly nodata: number;
  /** Note for the report, if values are rounded. */
  readonly rounding?: string;
}

type SampleType = RasterHeader['type'];

/** Stored type that holds all values of the file's type. Files of other types are stored as float32. */
const PLANES: Readonly<Partial<Record<SampleType, PlaneType>>> = { uint8: 'uint8', int8: 'int16', int16: 'int16' };
const NODATA: Readonly<Record<PlaneType, number>> = { uint8: 0, int16: -32_768, float32: Number.NaN };
const RANGES = { uint8: [0, 255], int16: [-32_768, 32_767] } as const;

/** float32 has 24 significant bits (IEEE 754). */
const WHOLE = 'Whole numbers beyond 16,777,216 are rounded to 24 binary digits.';
const ROUNDING: Readonly<Partial<Record<SampleType, string>>> = {
  uint32: WHOLE,
  int32: WHOLE,
  float64: 'Values are rounded to 24 binary digits, about 7 decimal digits.',
};

/**
 * Chooses type and nodata value of the stored pixels. An integer type keeps the nodata value of the file if the type
 * holds it. Throws `validation` for unsuitable classes.
 */
export function storedAs(
  header: Pick<RasterHeader, 'type' | 'nodata'>,
  { classes }: Pick<LayerOptions, 'classes'>,
  request: Pick<ImportRequest, 'fileName'>,
): StoredPixels {
  const { type: own } = header;
  if (classes !== undefined && own !== 'uint8')
    throw badFile(
      request,
      `the options have classes, but its pixels are ${own}; convert it (gdal_translate -ot Byte), or leave classes out.`,
    );
  const rounding = ROUNDING[own];
  const type = PLANES[own] ?? 'float32';
  if (type === 'float32') return { type, nodata: NODATA.float32, ...(rounding !== undefined && { rounding }) };
  if (header.nodata !== null && holds(type, header.nodata)) return { type, nodata: header.nodata };
  if (type === 'int16') return { type, nodata: NODATA.int16 };
  if (classes !== undefined) return { type, nodata: unusedValue(classes, request) };
  // All 256 values of uint8 may be data, so the next larger type is used.
  return { type: 'int16', nodata: NODATA.int16 };
}

/** True if the type holds the value. Some programs write nodata values outside of the type. */
function holds(type: keyof typeof RANGES, value: number): boolean {
  const [least, most] = RANGES[type];
  return Number.isInteger(value) && value >= least && value <= most;
}

function unusedValue(classes: NonNullable<LayerOptions['classes']>, request: Pick<ImportRequest, 'fileName'>): number {
  const taken = new Set(classes.map(({ value }) => value));
  const free = [NODATA.uint8, ...Array.from({ length: 255 }, (_, index) => 255 - index)];
  const found = free.find((value) => !taken.has(value));
  if (found !== undefined) return found;
  throw badFile(request, 'all 256 values are classes, so none is left for pixels without data; remove a class.');
}
