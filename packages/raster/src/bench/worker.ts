import { createKernels } from '../pixels/kernels.ts';
import { IndexKernel } from '../pixels/index-kernel.ts';
import { MedianKernel } from '../pixels/median-kernel.ts';
import { openLayout } from '../tiff/open-raster.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { TileDecoder } from '../tiff/tile-decoder.ts';
import { BLOCK_PIXELS } from '../plan/block-function.ts';
import { serveTasks } from '../plan/workers/serve.ts';

/** Task to decode a file. Each thread decodes the next tile that no thread has taken. */
interface DecodeTask {
  readonly kind: 'decode';
  readonly layout: TiffLayout;
  /** Number of the next tile (one int32), which all threads increase. */
  readonly next: SharedArrayBuffer;
  readonly out: SharedArrayBuffer;
}
interface LoadTask {
  readonly kind: 'load';
  readonly name: string;
  readonly planes: readonly SharedArrayBuffer[];
  readonly bytes: 1 | 2;
  readonly first: number;
  readonly pixels: number;
}
interface NdviTask {
  readonly kind: 'ndvi';
  readonly times: number;
}
interface MedianTask {
  readonly kind: 'median';
}
interface ReadTask {
  readonly kind: 'read';
}
interface CollectTask {
  readonly kind: 'collect';
  readonly name: string;
  readonly out: SharedArrayBuffer;
  readonly first: number;
}
/** Tasks of the bench's threads. */
export type BenchTask = DecodeTask | LoadTask | NdviTask | MedianTask | ReadTask | CollectTask;

interface Loaded {
  readonly address: number;
  readonly pixels: number;
  readonly planes: number;
  readonly result: number;
}

class BenchThread {
  readonly #kernels = createKernels();
  readonly #decoder = new TileDecoder(this.#kernels);
  readonly #index = new IndexKernel(this.#kernels);
  readonly #median = new MedianKernel(this.#kernels);
  readonly #mask = this.#kernels.alloc(BLOCK_PIXELS + 64);
  readonly #table = this.#kernels.alloc(256);
  readonly #loaded = new Map<string, Loaded>();

  async decode({ layout, next, out }: DecodeTask): Promise<void> {
    const file = openLayout(layout, this.#decoder);
    const { cols, rows } = layout.grid;
    const { tile } = file;
    const across = Math.ceil(cols / tile.cols);
    const count = across * Math.ceil(rows / tile.rows);
    const [counter, image] = [new Int32Array(next), new Uint16Array(out)];
    // The decoder allocates its memory before the mark is set, so that the reset below does not free it.
    this.#decoder.reserve(2 * tile.cols * tile.rows);
    const mark = this.#kernels.mark();
    const address = this.#kernels.alloc(2 * tile.cols * tile.rows);
    for (let index = Atomics.add(counter, 0, 1); index < count; index = Atomics.add(counter, 0, 1)) {
      const [col, row] = [(index % across) * tile.cols, Math.floor(index / across) * tile.rows];
      const window = { col, row, cols: Math.min(tile.cols, cols - col), rows: Math.min(tile.rows, rows - row) };
      await file.readWindowAt(window, address);
      const pixels = this.#kernels.u16(address, window.cols * window.rows);
      for (let r = 0; r < window.rows; r++) {
        image.set(pixels.subarray(r * window.cols, (r + 1) * window.cols), (row + r) * cols + col);
      }
    }
    this.#kernels.reset(mark);
    file.close();
  }

  load({ name, planes, bytes, first, pixels }: LoadTask): void {
    const known = this.#loaded.get(name);
    const address = known?.address ?? this.#kernels.alloc(bytes * pixels * planes.length + 64);
    const result = known?.result ?? this.#kernels.alloc(2 * pixels + 64);
    for (let at = 0; at < pixels; at += BLOCK_PIXELS) {
      const size = Math.min(BLOCK_PIXELS, pixels - at);
      planes.forEach((plane, k) => {
        const target = this.#kernels.u8(address + bytes * (at * planes.length + k * size), bytes * size);
        target.set(new Uint8Array(plane, bytes * (first + at), bytes * size));
      });
    }
    this.#loaded.set(name, { address, pixels, planes: planes.length, result });
  }

  ndvi(): void {
    const [red, nir, scl] = [this.#get('red'), this.#get('nir'), this.#get('scl')];
    const table = this.#kernels.u8(this.#table, 256).fill(0);
    for (const code of [4, 5, 6, 7, 11]) table[code] = 255;
    for (let at = 0; at < red.pixels; at += BLOCK_PIXELS) {
      const pixels = Math.min(BLOCK_PIXELS, red.pixels - at);
      this.#kernels.run.flagCodes(scl.address + at, this.#mask, 0, pixels, 1, this.#table);
      const operands = new Map([
        ['red', { address: red.address + 2 * at, offset: 0, nodata: 0 }],
        ['nir', { address: nir.address + 2 * at, offset: 0, nodata: 0 }],
      ]);
      this.#index.run(NDVI, operands, { mask: this.#mask, dst: red.result + 2 * at, pixels });
    }
  }

  median(): void {
    const { address, pixels, planes, result } = this.#get('dates');
    this.#median.prepare(planes);
    for (let at = 0; at < pixels; at += BLOCK_PIXELS) {
      const size = Math.min(BLOCK_PIXELS, pixels - at);
      this.#median.run(planes, {
        src: address + 2 * at * planes,
        stride: 2 * size,
        dst: result + 2 * at,
        pixels: size,
      });
    }
  }

  /**
   * Reads the planes of all dates once, to measure the speed of memory. memcmp compares the planes with themselves, so
   * each cache line is loaded only once.
   */
  read(): void {
    const { address, pixels, planes } = this.#get('dates');
    const { buffer, byteOffset, byteLength } = this.#kernels.u8(address, 2 * pixels * planes);
    const [one, two] = [Buffer.from(buffer, byteOffset, byteLength), Buffer.from(buffer, byteOffset, byteLength)];
    if (one.compare(two) !== 0) throw new Error('memory differs from itself');
  }

  collect({ name, out, first }: CollectTask): void {
    const { result, pixels } = this.#get(name);
    new Int16Array(out, 2 * first, pixels).set(this.#kernels.i16(result, pixels));
  }

  #get(name: string): Loaded {
    const found = this.#loaded.get(name);
    if (found === undefined) throw new Error(`load ${name} first`);
    return found;
  }
}

const NDVI = { name: 'ndvi', formula: { kind: 'ratio', plus: ['nir'], minus: ['red'] }, from: 0, to: 1 } as const;

serveTasks(async () => {
  const thread = new BenchThread();
  return async (task: BenchTask): Promise<null> => {
    if (task.kind === 'decode') await thread.decode(task);
    else if (task.kind === 'load') thread.load(task);
    else if (task.kind === 'ndvi') for (let time = 0; time < task.times; time++) thread.ndvi();
    else if (task.kind === 'median') thread.median();
    else if (task.kind === 'read') thread.read();
    else thread.collect(task);
    return null;
  };
});
