/** Sample types of the rasters that are read here. */
export type Dtype = 'uint8' | 'int8' | 'uint16' | 'int16' | 'uint32' | 'int32' | 'float32' | 'float64';

/** A typed array that holds pixels, row-major. */
export type PixelArray =
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** Bytes of one sample of each type. */
export const SAMPLE_BYTES: Readonly<Record<Dtype, 1 | 2 | 4 | 8>> = {
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  uint32: 4,
  int32: 4,
  float32: 4,
  float64: 8,
};

const CONSTRUCTORS = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

/** New zeroed array of `length` samples. */
export function createPixels(dtype: Dtype, length: number): PixelArray {
  return new CONSTRUCTORS[dtype](length);
}

/** View of `length` samples over a buffer; `byteOffset` must be a multiple of the sample size. */
export function viewPixels(
  dtype: Dtype,
  bytes: { buffer: ArrayBuffer; byteOffset: number },
  length: number,
): PixelArray {
  return new CONSTRUCTORS[dtype](bytes.buffer, bytes.byteOffset, length);
}

/** A rectangle of pixels: upper left corner and size, in pixels of one level. */
export interface PixelWindow {
  readonly col: number;
  readonly row: number;
  readonly cols: number;
  readonly rows: number;
}
