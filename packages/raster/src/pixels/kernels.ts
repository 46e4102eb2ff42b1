import { wasmLoader, type WasmMemory } from '@headwater/core/wasm';
import { KERNELS_BASE64 } from './kernels.generated.ts';

/** Bytes to allocate after the end of a region in the kernels' memory, because vector loads may read them. */
export const SLACK = 64;
/** Bytes that `inflate` may write beyond the end of its output: a match of 258 bytes, and the rest of a vector. */
export const INFLATE_SLACK = 320;
/** Length of the state of `inflateMore`, bytes. */
export const INFLATE_STATE = 352;

/**
 * Maximum length of compressed tiles of `bytes` bytes for the kernel. zlib makes incompressible bytes longer by at most 1
 * in 1,000.
 */
export function deflatedBytes(bytes: number): number {
  return bytes + (bytes >> 8) + 64;
}

/**
 * SIMD kernels with their own memory, one instance per thread. Addresses stay valid, but views (`u8`, ...) only until
 * the next `alloc`.
 */
export interface Kernels {
  readonly run: KernelExports;
  /**
   * Allocates `bytes` bytes with undefined contents; the address is a multiple of 64. Throws a RangeError beyond 4 GiB.
   */
  alloc(bytes: number): number;
  /** Returns the current end of the allocated memory, for `reset`. */
  mark(): number;
  /** Frees all memory that was allocated after `mark()` returned `mark`. */
  reset(mark: number): void;
  /** Returns the current memory. The next `alloc` may detach the buffer. */
  buffer(): ArrayBuffer;
  u8(address: number, length: number): Uint8Array;
  u16(address: number, length: number): Uint16Array;
  i16(address: number, length: number): Int16Array;
  i32(address: number, length: number): Int32Array;
  f32(address: number, length: number): Float32Array;
  f64(address: number, length: number): Float64Array;
}

const PAGE = 65_536;
const ALIGN = 64;

/** Instantiates the kernels. */
export function createKernels(): Kernels {
  return new KernelMemory(loadKernels());
}

class KernelMemory implements Kernels {
  readonly run: KernelExports;
  #top: number;

  constructor(run: KernelExports) {
    this.run = run;
    this.#top = Math.ceil(run.freeAt() / ALIGN) * ALIGN;
  }

  alloc(bytes: number): number {
    const address = this.#top;
    this.#top = Math.ceil((address + bytes) / ALIGN) * ALIGN;
    const missing = this.#top - this.run.memory.buffer.byteLength;
    if (missing > 0) this.run.memory.grow(Math.ceil(missing / PAGE));
    return address;
  }

  mark(): number {
    return this.#top;
  }

  reset(mark: number): void {
    this.#top = mark;
  }

  buffer(): ArrayBuffer {
    return this.run.memory.buffer;
  }

  u8(address: number, length: number): Uint8Array {
    return new Uint8Array(this.run.memory.buffer, address, length);
  }

  u16(address: number, length: number): Uint16Array {
    return new Uint16Array(this.run.memory.buffer, address, length);
  }

  i16(address: number, length: number): Int16Array {
    return new Int16Array(this.run.memory.buffer, address, length);
  }

  i32(address: number, length: number): Int32Array {
    return new Int32Array(this.run.memory.buffer, address, length);
  }

  f32(address: number, length: number): Float32Array {
    return new Float32Array(this.run.memory.buffer, address, length);
  }

  f64(address: number, length: number): Float64Array {
    return new Float64Array(this.run.memory.buffer, address, length);
  }
}

/** Functions of the compiled module. Addresses and strides are in bytes, counts in pixels. */
interface KernelExports {
  readonly memory: WasmMemory;
  copyRows(src: number, srcStride: number, dst: number, dstStride: number, bytes: number, rows: number): void;
  fill16(dst: number, count: number, value: number): void;
  undo16(src: number, srcStride: number, dst: number, dstStride: number, cols: number, rows: number): void;
  undo8(src: number, srcStride: number, dst: number, dstStride: number, cols: number, rows: number): void;
  flagCodes(src: number, dst: number, dstStride: number, cols: number, rows: number, table: number): void;
  dilate(src: number, dst: number, stride: number, cols: number, rows: number): void;
  packClear(src: number, stride: number, dst: number, dstStride: number, cols: number, rows: number): number;
  expandBits(
    bits: number,
    stride: number,
    col: number,
    row: number,
    shift: number,
    cols: number,
    rows: number,
    dst: number,
    line: number,
  ): void;
  expand16(src: number, srcStride: number, col: number, row: number, cols: number, rows: number, dst: number): void;
  takeUnclaimed(mask: number, claimed: number, profile: number, cols: number, rows: number): number;
  claimObserved(observed: number, mask: number, values: number, claimed: number, pixels: number): number;
  merge16(src: number, dst: number, pixels: number): void;
  ratio2(operands: number, mask: number, dst: number, count: number): void;
  ratio2Plain(operands: number, mask: number, dst: number, count: number): void;
  ratioN(operands: number, plus: number, minus: number, mask: number, dst: number, count: number): void;
  pass16(operand: number, mask: number, dst: number, count: number): void;
  markBright(operand: number, limit: number, above: number, dst: number, count: number): void;
  countClear(values: number, seen: number, counts: number, pixels: number): number;
  median(planes: number, src: number, stride: number, dst: number, count: number): number;
  medianRows(
    planes: number,
    src: number,
    stride: number,
    dst: number,
    count: number,
    pairs: number,
    pairCount: number,
    rows: number,
  ): void;
  /** Here and in `warp16`, `stride` is in pixels. */
  warp8(
    squares: number,
    count: number,
    frame: number,
    src: number,
    stride: number,
    dst: number,
    rows: number,
    outside: number,
  ): void;
  warp16(
    squares: number,
    count: number,
    frame: number,
    src: number,
    stride: number,
    dst: number,
    rows: number,
    outside: number,
  ): void;
  sumRuns(
    data: number,
    cols: number,
    rows: number,
    left: number,
    starts: number,
    from: number,
    to: number,
    fractions: number,
    least: number,
    out: number,
  ): void;
  sumClasses(
    data: number,
    cols: number,
    rows: number,
    left: number,
    starts: number,
    from: number,
    to: number,
    fractions: number,
    areas: number,
    counts: number,
    sums: number,
  ): void;
  findRuns(src: number, shift: number, cols: number, rows: number, rowStarts: number, starts: number): number;
  labelRuns(
    src: number,
    shift: number,
    cols: number,
    rows: number,
    rowStarts: number,
    starts: number,
    reach: number,
    labels: number,
  ): number;
  traceRings(
    src: number,
    shift: number,
    cols: number,
    rows: number,
    rowStarts: number,
    starts: number,
    labels: number,
    hasSkip: number,
    skip: number,
    marks: number,
    state: number,
    corners: number,
    most: number,
    rings: number,
    mostRings: number,
  ): number;
  percentile(
    planes: number,
    src: number,
    stride: number,
    dst: number,
    count: number,
    pairs: number,
    pairCount: number,
    ranks: number,
    rows: number,
  ): void;
  mode(planes: number, src: number, stride: number, dst: number, count: number, nodata: number, rows: number): void;
  /** Here, `length` and `capacity` are bytes. Writes up to `INFLATE_SLACK` bytes beyond `capacity`. */
  inflate(src: number, length: number, dst: number, capacity: number): number;
  /** See `kernels/inflate.ts`. */
  inflateMore(src: number, length: number, isEnd: number, dst: number, done: number, capacity: number): number;
  startInflate(): void;
  /**
   * Compresses `length` bytes (at least 1); see `kernels/deflate.ts`. `tokens`: 2 x `length` + 16 bytes. `dst`: `length` +
   * `length` / 8 + 512 bytes.
   */
  deflateRuns(src: number, length: number, tokens: number, dst: number): number;
  stateAt(): number;
  usedBytes(): number;
  freeAt(): number;
}

const EXPORTED: readonly (keyof KernelExports)[] = [
  'memory',
  'copyRows',
  'fill16',
  'undo16',
  'undo8',
  'flagCodes',
  'dilate',
  'packClear',
  'expandBits',
  'expand16',
  'takeUnclaimed',
  'claimObserved',
  'merge16',
  'ratio2',
  'ratio2Plain',
  'ratioN',
  'pass16',
  'markBright',
  'countClear',
  'median',
  'medianRows',
  'warp8',
  'warp16',
  'sumRuns',
  'sumClasses',
  'findRuns',
  'labelRuns',
  'traceRings',
  'percentile',
  'mode',
  'inflate',
  'inflateMore',
  'startInflate',
  'deflateRuns',
  'stateAt',
  'usedBytes',
  'freeAt',
];

/** Compiles the module once per thread. Throws an Error if a function is missing. */
const loadKernels = wasmLoader<KernelExports>(KERNELS_BASE64, EXPORTED);
