import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflate } from 'node:zlib';
import { createKernels, type Kernels, SLACK } from '../pixels/kernels.ts';
import { frameTile } from './ghost-area.ts';

/** `level`: of full deflate (1-9). `classes`: true for class codes (runs of equal bytes). */
export interface Compression {
  readonly level: number;
  readonly classes: boolean;
}

/** Target of a compressed tile. `free` is called when the pixels' memory may be reused. */
export interface TileTarget {
  readonly into: Uint8Array[];
  readonly index: number;
  readonly free: () => void;
}

/**
 * Maximum size after run-length coding, as a share of the raw size, at which full deflate is also tried. A larger
 * result means a noisy tile, for which full deflate is slower and not better.
 */
const NOISY = 0.09;

/** Largest tile for run-length coding, bytes. It limits the memory that a thread keeps to 4 MB. */
const LARGEST = 1024 * 1024;

/** Number of bytes after whose run-length coding other events have a turn; they take 2 to 8 ms. */
const TURN = 2 * 1024 * 1024;

/**
 * Compresses tiles. Class codes are compressed by run-length coding in a kernel, and also by full deflate if its result
 * may be smaller; then the smaller result is taken. Full deflate compresses a limited number of tiles at a time on
 * libuv's thread pool, while the caller cuts the next tiles.
 */
export class TileDeflater {
  readonly #compression: Compression;
  readonly #threads: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;
  #untilTurn = TURN;

  constructor(compression: Compression, threads: number) {
    this.#compression = compression;
    this.#threads = threads;
  }

  /**
   * Compresses `bytes` into `into[index]` (see `frameTile`), or waits for a free thread and starts to compress them. The
   * bytes must not change until `free` is called.
   */
  async add(bytes: Uint8Array, { into, index, free }: TileTarget): Promise<void> {
    const { level, classes } = this.#compression;
    const runs = classes && bytes.length <= LARGEST ? await this.#codeRuns(bytes) : null;
    if (runs !== null && runs.length > NOISY * bytes.length) {
      into[index] = runs;
      free();
      return;
    }
    while (this.#running.size >= this.#threads) await Promise.race(this.#running);
    this.#check();
    const done = deflateFully(bytes, level)
      .then(frameTile)
      .then((full) => void (into[index] = runs !== null && runs.length <= full.length ? runs : full))
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => {
        this.#running.delete(done);
        free();
      });
    this.#running.add(done);
  }

  /** Returns the framed result of run-length coding. */
  async #codeRuns(bytes: Uint8Array): Promise<Uint8Array> {
    this.#untilTurn -= bytes.length;
    if (this.#untilTurn < 0) {
      this.#untilTurn = TURN;
      await nextTurn();
    }
    return frameTile(deflateRuns(bytes));
  }

  /** Waits until all tiles are compressed. Throws the error of a failed compression. */
  async drain(): Promise<void> {
    await Promise.all(this.#running);
    this.#check();
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Compresses bytes. The output chunk is large, because each further chunk needs a pass through the thread pool. */
function deflateFully(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflate(bytes, { level, chunkSize: Math.max(1024, bytes.length >> 1) }, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}

interface RunDeflater {
  readonly kernels: Kernels;
  readonly bytes: number;
  readonly tokens: number;
  readonly out: number;
}

let deflater: RunDeflater | undefined;

function createDeflater(): RunDeflater {
  const kernels = createKernels();
  return {
    kernels,
    bytes: kernels.alloc(LARGEST + SLACK),
    tokens: kernels.alloc(2 * LARGEST + SLACK),
    out: kernels.alloc(LARGEST + (LARGEST >> 3) + 512),
  };
}

/**
 * Compresses bytes by run-length coding to a zlib stream, which is valid until the next call. Throws a RangeError for
 * no bytes and for more than 1 MiB.
 */
export function deflateRuns(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  if (length === 0 || length > LARGEST)
    throw new RangeError(`${length} bytes cannot be compressed; give 1 to ${LARGEST}`);
  const { kernels, ...at } = (deflater ??= createDeflater());
  kernels.u8(at.bytes, length).set(bytes);
  return kernels.u8(at.out, kernels.run.deflateRuns(at.bytes, length, at.tokens, at.out));
}
