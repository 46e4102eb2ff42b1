import { openRaster } from '../tiff/open-raster.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from '../plan/workers/pool.ts';
import type { BenchTask } from './worker.ts';

/** Entry points for the benchmark: decoder and kernels in running threads. Not part of the package's API. */
export interface BenchThreads {
  /**
   * Decodes all full-resolution pixels of a uint16 file into a shared array, which the next call with this file reuses.
   */
  decodeFull(path: string): Promise<Uint16Array>;
  /**
   * Copies to each thread its share of the pixels: `red` and `nir` (uint16, as in the files), and `scl` (uint8 scene
   * classes of the same pixels).
   */
  loadNdvi(bands: { readonly red: Uint16Array; readonly nir: Uint16Array; readonly scl: Uint8Array }): Promise<void>;
  /**
   * Computes NDVI x 10000 of pixels with SCL 4 5 6 7 11, and keeps the result in the threads. 0 in `red` and `nir` is
   * nodata. `times`: repetitions, default 1.
   */
  ndviMasked(times?: number): Promise<void>;
  ndviResult(): Promise<Int16Array>;
  /** Copies int16 planes `[date][pixels]` (-32768 = nodata) into the threads' memory. */
  loadDates(planes: readonly Int16Array[]): Promise<void>;
  /** Computes the per-pixel median of the loaded dates, and keeps the result in the threads. */
  medianOf(): Promise<void>;
  medianResult(): Promise<Int16Array>;
  /** Reads the loaded dates without computing. No kernel can be faster than this read. */
  readDates(): Promise<void>;
  close(): Promise<void>;
}

/** Starts `threads` threads; the caller must close them. */
export function openBench(threads: number): BenchThreads {
  const url = workerUrl('./worker', import.meta.url, '@headwater/raster');
  const pools = Array.from(
    { length: threads },
    () => new WorkerPool<BenchTask, null>({ url, workerData: null, threads: 1, signal: new AbortController().signal }),
  );
  return new Bench(pools);
}

interface Share {
  readonly first: number;
  readonly pixels: number;
}

class Bench implements BenchThreads {
  readonly #pools: readonly WorkerPool<BenchTask, null>[];
  readonly #files = new Map<string, { layout: TiffLayout; out: SharedArrayBuffer }>();
  readonly #sizes = new Map<string, number>();

  constructor(pools: readonly WorkerPool<BenchTask, null>[]) {
    this.#pools = pools;
  }

  async decodeFull(path: string): Promise<Uint16Array> {
    const known = this.#files.get(path);
    // The file is opened in every call, because the compared program also opens its file in every round.
    const file = await openRaster(path);
    file.close();
    const { cols, rows } = file.grid;
    const out = known?.out ?? new SharedArrayBuffer(2 * cols * rows);
    this.#files.set(path, { layout: file.layout, out });
    const next = new SharedArrayBuffer(4);
    await this.#each((pool) => pool.run({ kind: 'decode', layout: file.layout, next, out }));
    return new Uint16Array(out);
  }

  async loadNdvi({ red, nir, scl }: { red: Uint16Array; nir: Uint16Array; scl: Uint8Array }): Promise<void> {
    await this.#load('red', [red], 2);
    await this.#load('nir', [nir], 2);
    await this.#load('scl', [scl], 1);
  }

  ndviMasked(times = 1): Promise<void> {
    return this.#each((pool) => pool.run({ kind: 'ndvi', times }));
  }

  ndviResult(): Promise<Int16Array> {
    return this.#collect('red');
  }

  loadDates(planes: readonly Int16Array[]): Promise<void> {
    return this.#load('dates', planes, 2);
  }

  medianOf(): Promise<void> {
    return this.#each((pool) => pool.run({ kind: 'median' }));
  }

  readDates(): Promise<void> {
    return this.#each((pool) => pool.run({ kind: 'read' }));
  }

  medianResult(): Promise<Int16Array> {
    return this.#collect('dates');
  }

  async close(): Promise<void> {
    await this.#each((pool) => pool.close());
  }

  async #load(name: string, planes: readonly (Uint16Array | Int16Array | Uint8Array)[], bytes: 1 | 2): Promise<void> {
    const size = planes[0]?.length ?? 0;
    const shared = planes.map((plane) => {
      const buffer = new SharedArrayBuffer(plane.byteLength);
      new Uint8Array(buffer).set(new Uint8Array(plane.buffer, plane.byteOffset, plane.byteLength));
      return buffer;
    });
    this.#sizes.set(name, size);
    await this.#each((pool, i) => pool.run({ kind: 'load', name, planes: shared, bytes, ...this.#share(size, i) }));
  }

  async #collect(name: string): Promise<Int16Array> {
    const size = this.#sizes.get(name) ?? 0;
    const out = new SharedArrayBuffer(2 * size);
    await this.#each((pool, i) => pool.run({ kind: 'collect', name, out, first: this.#share(size, i).first }));
    return new Int16Array(out);
  }

  #share(size: number, thread: number): Share {
    const step = Math.ceil(size / this.#pools.length);
    return { first: thread * step, pixels: Math.min(step, size - thread * step) };
  }

  async #each(work: (pool: WorkerPool<BenchTask, null>, thread: number) => Promise<unknown>): Promise<void> {
    await Promise.all(this.#pools.map(work));
  }
}
