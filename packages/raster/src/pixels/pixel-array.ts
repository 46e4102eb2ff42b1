import type { PlaneType } from '@headwater/core/pixel-plan';

interface Arrays {
  readonly uint8: Uint8Array;
  readonly int8: Int8Array;
  readonly uint16: Uint16Array;
  readonly int16: Int16Array;
  readonly uint32: Uint32Array;
  readonly int32: Int32Array;
  readonly float32: Float32Array;
  readonly float64: Float64Array;
}

/** Sample types of rasters that can be read. */
export type Dtype = keyof Arrays;

/**
 * Typed array of pixels, row-major; `T` may restrict the sample type. Elements are read with `!`, because `?? 0` would
 * hide a wrong index.
 */
export type PixelArray<T extends Dtype = Dtype> = Arrays[T];

interface PixelConstructor<T extends Dtype> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): PixelArray<T>;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): PixelArray<T>;
}

const CONSTRUCTORS: { readonly [T in Dtype]: PixelConstructor<T> } = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** True for the name of a sample type. */
export function isDtype(name: string): name is Dtype {
  return Object.hasOwn(CONSTRUCTORS, name);
}

/** Size of one sample, bytes: 1, 2, 4 or 8. */
export function sampleBytes(dtype: Dtype): number {
  return CONSTRUCTORS[dtype].BYTES_PER_ELEMENT;
}

/** Creates an array of `length` samples, all 0. */
export function createPixels<T extends Dtype>(dtype: T, length: number): PixelArray<T> {
  return new CONSTRUCTORS[dtype](length);
}

/** Creates a view of `length` samples over a buffer; `byteOffset` must be a multiple of the sample size. */
export function viewPixels<T extends Dtype>(
  dtype: T,
  bytes: { buffer: ArrayBuffer; byteOffset: number },
  length: number,
): PixelArray<T> {
  return new CONSTRUCTORS[dtype](bytes.buffer, bytes.byteOffset, length);
}

/** Bytes of an array in memory, little-endian. */
export function bytesOf(data: PixelArray): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Sample type of a scratch raster, or of an output of a plan. */
export const typeOf = ({ type = 'uint8' }: { readonly type?: PlaneType }): PlaneType => type;
