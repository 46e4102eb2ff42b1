import { createKernels, deflatedBytes, INFLATE_SLACK, INFLATE_STATE, type Kernels, SLACK } from '../pixels/kernels.ts';
import { decompress, discard } from './decompress.ts';
import { mostStored } from './header-bytes.ts';
import { decodedBytes, tileBytes, type TiffLevel } from './layout.ts';
import { undoLerc } from './lerc.ts';
import { sampleBytes, viewPixels, type Dtype } from '../pixels/pixel-array.ts';
import type { PixelWindow, PixelSize } from '../pixels/pixel-window.ts';
import type { UnfinishedTile } from './unfinished-tiles.ts';

/** Largest distance to which compressed bytes refer (RFC 1951). */
const WINDOW = 32_768;
/** Minimum length of a read of compressed bytes. */
const LEAST_READ = 16_384;

/** Target for a part of a tile. `part`: window in the tile. `stride`: bytes from row to row at `address`. */
interface PartTarget {
  readonly part: PixelWindow;
  readonly address: number;
  readonly stride: number;
}

/** Compressed bytes of a tile. They are read synchronously, because all tiles share the decoder's memory. */
interface TileSource {
  readonly length: number;
  /** Null if the bytes are not available synchronously. */
  read(position: number, length: number): Uint8Array | null;
}

interface PartSource extends PartTarget {
  readonly source: TileSource;
  /** True if no rows below the part are needed. Then the checksum of the tile is compared. */
  readonly isLast: boolean;
}

interface TileFormat {
  readonly level: TiffLevel;
  readonly dtype: Dtype;
  readonly littleEndian: boolean;
  readonly rows: number;
}

/** Decodes tiles in the buffers of one thread, for one read at a time. */
export class TileDecoder {
  #kernels: Kernels | null;
  #address = 0;
  #capacity = 0;
  /** Compressed bytes for `inflate`. */
  #stored = { address: 0, capacity: 0 };
  #io = new Uint8Array(0);
  /** States for tiles, which are reused: the garbage collector would free them too late. */
  readonly #free: Uint8Array[] = [];

  /** Without `kernels`, an instance is created for the first tile. */
  constructor(kernels: Kernels | null = null) {
    this.#kernels = kernels;
  }

  get kernels(): Kernels {
    this.#kernels ??= createKernels();
    return this.#kernels;
  }

  /** Returns a buffer for at least `length` compressed bytes. The next call may return the same buffer. */
  io(length: number): Uint8Array {
    if (this.#io.byteLength < length) this.#io = new Uint8Array(Math.ceil(length * 1.25));
    return this.#io;
  }

  /** Allocates memory for tiles of `bytes` bytes, so that a later `decode` does not move the memory. */
  reserve(bytes: number): void {
    if (this.#capacity >= bytes) return;
    this.#address = this.kernels.alloc(bytes + INFLATE_SLACK);
    this.#capacity = bytes;
    const capacity = deflatedBytes(bytes);
    this.#stored = { address: this.kernels.alloc(capacity + SLACK), capacity };
  }

  /**
   * Decompresses one tile and copies the part `to.part` to an address, with a stride in bytes. Throws an error with the
   * problem; the caller adds file and offset.
   */
  decodeTo(bytes: Uint8Array, format: TileFormat, to: PartTarget): void {
    const { part } = to;
    const { predictor, step, packed } = format.level;
    const size = sampleBytes(format.dtype);
    if (predictor === 2 && size <= 2 && part.col === 0 && step === 1 && !packed) {
      // In the most frequent case, reversing the predictor writes directly to the target.
      this.#unpack(bytes, format);
      this.#undoRows(format, to);
      return;
    }
    this.decode(bytes, format);
    this.#copyRows(format, to);
  }

  /**
   * Decompresses the next rows of a tile up to the end of `to.part` (or to the end of the tile, if `isLast`), and
   * copies this part as `decodeTo` does. `isPartlyReadable` must be true for the file. Returns the new state of the
   * tile, with which the next call continues; null if the tile cannot be decompressed in this way.
   */
  continueTo(tile: UnfinishedTile, format: TileFormat, { source, isLast, ...to }: PartSource): UnfinishedTile | null {
    const { level, dtype, rows } = format;
    const rowBytes = level.tile.cols * sampleBytes(dtype);
    const whole = rows * rowBytes;
    this.reserve(whole);
    this.#restore(tile);
    const wanted = isLast ? whole : (to.part.row + to.part.rows) * rowBytes;
    let { done, used } = tile;
    let isEnd = false;
    const hasRows = (): boolean => done >= wanted && (isEnd || wanted < whole);
    while (!hasRows()) {
      // A quarter more than the average, so that one read mostly suffices.
      const share = (1.25 * (wanted - done)) / Math.max(1, whole - done);
      const length = Math.min(source.length - used, Math.ceil((source.length - used) * share) + LEAST_READ);
      isEnd = used + length === source.length;
      const bytes = source.read(used, length);
      // The kernel compares the checksum only if the limit is greater than the number of bytes of the tile.
      const limit = wanted < whole ? wanted : whole + 1;
      const next = bytes === null || bytes.byteLength < length ? -1 : this.#inflateMore(bytes, { isEnd, done, limit });
      if (next < 0 || next > whole || (isEnd && next < wanted)) return null;
      const more = this.kernels.run.usedBytes();
      // The stream has ended before the end of the tile's bytes.
      if (next === done && more === 0 && !isEnd) return null;
      done = next;
      used += more;
    }
    const saved = isLast ? { ...tile, done, used } : this.#save(done, used);
    this.#placeRows(format, to);
    return saved;
  }

  /** Copies the state of a tile into the kernels' memory. The state is then free for another tile. */
  #restore({ done, length, state }: UnfinishedTile): void {
    const { run } = this.kernels;
    if (state === null) {
      run.startInflate();
      return;
    }
    this.kernels.u8(run.stateAt(), INFLATE_STATE).set(state.subarray(0, INFLATE_STATE));
    const last = state.subarray(INFLATE_STATE, INFLATE_STATE + length);
    this.kernels.u8(this.#address + done - length, length).set(last);
    this.#free.push(state);
  }

  #save(done: number, used: number): UnfinishedTile {
    const length = Math.min(done, WINDOW);
    const state = this.#free.pop() ?? new Uint8Array(INFLATE_STATE + WINDOW);
    state.set(this.kernels.u8(this.kernels.run.stateAt(), INFLATE_STATE));
    state.set(this.kernels.u8(this.#address + done - length, length), INFLATE_STATE);
    return { done, used, length, state };
  }

  /**
   * Continues the stream. Returns the number of decompressed bytes of the tile, or -1 if the kernel refuses the stream
   * or `bytes` are too long.
   */
  #inflateMore(
    bytes: Uint8Array,
    { isEnd, done, limit }: { readonly isEnd: boolean; readonly done: number; readonly limit: number },
  ): number {
    const address = this.#store(bytes);
    if (address === null) return -1;
    return this.kernels.run.inflateMore(address, bytes.byteLength, isEnd ? 1 : 0, this.#address, done, limit);
  }

  /** Copies compressed bytes into the kernels' memory; returns their address, or null if they are too long. */
  #store(bytes: Uint8Array): number | null {
    const { address, capacity } = this.#stored;
    if (bytes.byteLength > capacity) return null;
    this.kernels.u8(address, bytes.byteLength).set(bytes);
    return address;
  }

  /** Copies a part. Its samples have 16 bits, because `isPartlyReadable` requires this. */
  #placeRows(format: TileFormat, to: PartTarget): void {
    const { tile, predictor } = format.level;
    if (predictor === 2 && to.part.col === 0) {
      this.#undoRows(format, to);
      return;
    }
    const rowBytes = 2 * tile.cols;
    const from = this.#address + to.part.row * rowBytes;
    if (predictor === 2) this.kernels.run.undo16(from, rowBytes, from, rowBytes, tile.cols, to.part.rows);
    this.#copyRows(format, to);
  }

  #undoRows(format: TileFormat, { part, address, stride }: PartTarget): void {
    const { run } = this.kernels;
    const size = sampleBytes(format.dtype);
    const rowBytes = format.level.tile.cols * size;
    const from = this.#address + part.row * rowBytes;
    const undo = size === 1 ? run.undo8 : run.undo16;
    undo(from, rowBytes, address, stride, part.cols, part.rows);
  }

  #copyRows(format: TileFormat, { part, address, stride }: PartTarget): void {
    const size = sampleBytes(format.dtype);
    const rowBytes = format.level.tile.cols * size;
    const from = this.#address + part.row * rowBytes + part.col * size;
    this.kernels.run.copyRows(from, rowBytes, address, stride, part.cols * size, part.rows);
  }

  /**
   * Decompresses one tile and extracts the sample to read. Returns the address of the samples, which are valid until
   * the next call.
   */
  decode(bytes: Uint8Array, format: TileFormat): number {
    const { level, dtype, rows } = format;
    this.#unpack(bytes, format);
    if (level.packed) return this.#address;
    this.#undoPredictor(format);
    const sampleSize = sampleBytes(dtype);
    if (level.step > 1) {
      const pixels = level.tile.cols * rows;
      const tile = this.kernels.u8(this.#address, pixels * level.step * sampleSize);
      pickSample(tile, pixels, { sampleBytes: sampleSize, ...level });
    }
    return this.#address;
  }

  #unpack(bytes: Uint8Array, { level, dtype, rows, littleEndian }: TileFormat): void {
    const size = sampleBytes(dtype);
    const { cols } = level.tile;
    const stored = { ...level, tile: { cols, rows } };
    const expected = tileBytes(stored, dtype);
    this.reserve(decodedBytes(stored, dtype));
    if (level.compression === 'deflate' && !level.lerc && !level.packed && this.#inflate(bytes, expected)) {
      if (!littleEndian && level.predictor !== 3) swapBytes(this.kernels.u8(this.#address, expected), size);
      return;
    }
    const raw = decompress(level.compression, bytes, level.lerc ? mostStored(expected) : expected);
    if (level.lerc) {
      const target = this.kernels.u8(this.#address, expected);
      target.set(undoLerc(raw, { cols, rows, step: level.step, dtype }));
      // In a big-endian file, libtiff swaps the bytes of the samples before it encodes the blob.
      if (!littleEndian) swapBytes(target, size);
      discard(level.compression, raw);
      return;
    }
    if (raw.byteLength < expected) throw new Error(`it has only ${raw.byteLength} of ${expected} bytes`);
    if (level.packed) unpackBits(raw, { cols, rows }, this.kernels.u8(this.#address, cols * rows));
    else {
      const target = this.kernels.u8(this.#address, expected);
      target.set(raw.byteLength === expected ? raw : raw.subarray(0, expected));
      if (!littleEndian && level.predictor !== 3) swapBytes(target, size);
    }
    discard(level.compression, raw);
  }

  /**
   * Decompresses a tile with the kernel. Returns false if the tile is not a stream of exactly `expected` bytes.
   * The caller then uses `decompress`, so errors do not depend on the kernel.
   */
  #inflate(bytes: Uint8Array, expected: number): boolean {
    const address = this.#store(bytes);
    return (
      address !== null && this.kernels.run.inflate(address, bytes.byteLength, this.#address, expected) === expected
    );
  }

  #undoPredictor({ level, dtype, rows }: TileFormat): void {
    const { tile, step, predictor } = level;
    const shape = { cols: tile.cols, rows };
    const size = sampleBytes(dtype);
    const at = this.#address;
    if (predictor === 3) undoFloating(this.kernels.u8(at, shape.cols * rows * step * size), { ...shape, step }, size);
    if (predictor !== 2) return;
    if (step === 1 && size <= 2) {
      const stride = shape.cols * size;
      const undo = size === 2 ? this.kernels.run.undo16 : this.kernels.run.undo8;
      undo(at, stride, at, stride, shape.cols, rows);
      return;
    }
    const bytes = { buffer: this.kernels.buffer(), byteOffset: at };
    const samples = shape.cols * rows * step;
    if (size === 8) undoHorizontal64(viewPixels('uint32', bytes, 2 * samples), shape, step);
    else undoHorizontal(viewPixels(WORDS[size] ?? 'uint32', bytes, samples), shape, step);
  }
}

/**
 * Unsigned type by the number of bytes of a sample. The predictor treats the bits of every sample as an unsigned
 * number.
 */
const WORDS: Readonly<Record<number, 'uint8' | 'uint16' | 'uint32'>> = { 1: 'uint8', 2: 'uint16', 4: 'uint32' };

/** Arrays whose elements wrap around, like the differences of a predictor. */
type Words = Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array;

/**
 * Reverses horizontal differencing (TIFF predictor 2) in place, for pixels of `step` samples. Floats must be passed as
 * integers of the same size.
 */
export function undoHorizontal(samples: Words, { cols, rows }: PixelSize, step = 1): void {
  const width = cols * step;
  for (let base = 0; base < width * rows; base += width) {
    for (let i = base + step; i < base + width; i++) samples[i] = samples[i]! + samples[i - step]!;
  }
}

/** `undoHorizontal` for samples of 64 bits. Each sample has two words, the low word first. */
export function undoHorizontal64(words: Uint32Array, { cols, rows }: PixelSize, step = 1): void {
  const [width, back] = [2 * cols * step, 2 * step];
  for (let base = 0; base < width * rows; base += width) {
    for (let i = base + back; i < base + width; i += 2) {
      const low = words[i]! + words[i - back]!;
      words[i] = low;
      words[i + 1] = words[i + 1]! + words[i + 1 - back]! + (low > 0xffff_ffff ? 1 : 0);
    }
  }
}

/**
 * Reverses the floating-point predictor (3) in place, for pixels of `step` samples; the result is little-endian.
 * Source: Adobe Photoshop TIFF Technical Note 3.
 */
export function undoFloating(
  bytes: Uint8Array,
  { cols, rows, step = 1 }: PixelSize & { readonly step?: number },
  sampleBytes: number,
): void {
  const samples = cols * step;
  const width = samples * sampleBytes;
  const plane = new Uint8Array(width);
  for (let row = 0; row < rows; row++) {
    const base = row * width;
    for (let i = 0; i < width; i++) plane[i] = bytes[base + i]! + (i < step ? 0 : plane[i - step]!);
    for (let byte = 0; byte < sampleBytes; byte++) {
      const from = (sampleBytes - 1 - byte) * samples;
      for (let i = 0; i < samples; i++) bytes[base + i * sampleBytes + byte] = plane[from + i]!;
    }
  }
}

function swapBytes(bytes: Uint8Array, sampleBytes: number): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sampleBytes === 2) buffer.swap16();
  else if (sampleBytes === 4) buffer.swap32();
  else if (sampleBytes === 8) buffer.swap64();
}

function pickSample(
  bytes: Uint8Array,
  pixels: number,
  { sampleBytes, step, sample }: { readonly sampleBytes: number; readonly step: number; readonly sample: number },
): void {
  for (let i = 0; i < pixels; i++) {
    const from = (i * step + sample) * sampleBytes;
    for (let byte = 0; byte < sampleBytes; byte++) bytes[i * sampleBytes + byte] = bytes[from + byte]!;
  }
}

function unpackBits(packed: Uint8Array, { cols, rows }: PixelSize, out: Uint8Array): void {
  const stride = Math.ceil(cols / 8);
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++)
      out[row * cols + col] = (packed[row * stride + (col >> 3)]! >> (7 - (col & 7))) & 1;
  }
}
