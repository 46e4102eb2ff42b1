import { createKernels } from '../pixels/kernels.ts';
import type { Kernels } from '../pixels/kernels.ts';
import { decompress, discard } from './decompress.ts';
import type { TiffLevel } from './layout.ts';
import { sampleBytes, viewPixels } from '../pixels/pixel-array.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { swapBytes, undoFloating, undoHorizontal } from '../pixels/predictor.ts';

/** How the samples of one tile are stored. */
interface TileFormat {
  readonly level: TiffLevel;
  readonly dtype: Dtype;
  readonly littleEndian: boolean;
  /** Rows in this tile: fewer than the tile's own for the last strip. */
  readonly rows: number;
}

/** Buffers of one thread for decoding tiles: the kernels' memory and one for compressed bytes. Not for two reads at once. */
export class TileDecoder {
  #kernels: Kernels | null;
  #address = 0;
  #capacity = 0;
  #io = new Uint8Array(0);

  /** Without kernels of the thread, an instance is made when the first tile is decoded. */
  constructor(kernels: Kernels | null = null) {
    this.#kernels = kernels;
  }

  get kernels(): Kernels {
    this.#kernels ??= createKernels();
    return this.#kernels;
  }

  /** Buffer for at least `length` compressed bytes, reused. */
  io(length: number): Uint8Array {
    if (this.#io.byteLength < length) this.#io = new Uint8Array(Math.ceil(length * 1.25));
    return this.#io;
  }

  /** Makes room for tiles of `bytes`, so that `decode` does not move the memory later. */
  reserve(bytes: number): void {
    if (this.#capacity >= bytes) return;
    this.#address = this.kernels.alloc(bytes);
    this.#capacity = bytes;
  }

  /**
   * Decompresses one tile into the kernels' memory and puts the wanted part of it at `to`: an address and a stride in
   * bytes. Throws what is wrong with the bytes (the caller adds file and offset).
   */
  decodeTo(bytes: Uint8Array, format: TileFormat, to: { part: PixelWindow; address: number; stride: number }): void {
    const { part } = to;
    const { run } = this.kernels;
    const size = sampleBytes(format.dtype);
    const rowBytes = format.level.tile.cols * size;
    const atOnce = format.level.predictor === 2 && size <= 2 && part.col === 0;
    if (!atOnce) {
      const from = this.decode(bytes, format) + part.row * rowBytes + part.col * size;
      run.copyRows(from, rowBytes, to.address, to.stride, part.cols * size, part.rows);
      return;
    }
    // The common case in one pass: the predictor's sums go straight to their place.
    this.#unpack(bytes, format);
    const from = this.#address + part.row * rowBytes;
    if (size === 1) run.undo8(from, rowBytes, to.address, to.stride, part.cols, part.rows);
    else run.undo16(from, rowBytes, to.address, to.stride, part.cols, part.rows);
  }

  /** Decompresses one tile and undoes its predictor; returns its address in the kernels' memory, valid until the next call. */
  decode(bytes: Uint8Array, format: TileFormat): number {
    this.#unpack(bytes, format);
    this.#undoPredictor(format);
    return this.#address;
  }

  #unpack(bytes: Uint8Array, format: TileFormat): void {
    const size = sampleBytes(format.dtype);
    const expected = format.level.tile.cols * format.rows * size;
    this.reserve(expected);
    const raw = decompress(format.level.compression, bytes, expected);
    if (raw.byteLength < expected) throw new Error(`it holds ${raw.byteLength} bytes of ${expected}`);
    const target = this.kernels.u8(this.#address, expected);
    target.set(raw.byteLength === expected ? raw : raw.subarray(0, expected));
    discard(format.level.compression, raw);
    if (!format.littleEndian && format.level.predictor !== 3) swapBytes(target, size);
  }

  #undoPredictor({ level, dtype, rows }: TileFormat): void {
    const { cols } = level.tile;
    const size = sampleBytes(dtype);
    const stride = cols * size;
    const at = this.#address;
    if (level.predictor === 3) undoFloating(this.kernels.u8(at, stride * rows), { cols, rows }, size);
    if (level.predictor !== 2) return;
    if (size === 2) this.kernels.run.undo16(at, stride, at, stride, cols, rows);
    else if (size === 1) this.kernels.run.undo8(at, stride, at, stride, cols, rows);
    else {
      const integers = size === 4 ? 'uint32' : dtype;
      undoHorizontal(viewPixels(integers, { buffer: this.kernels.buffer(), byteOffset: at }, cols * rows), {
        cols,
        rows,
      });
    }
  }
}
