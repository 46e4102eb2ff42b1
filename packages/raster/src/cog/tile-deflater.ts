import { constants, deflate } from 'node:zlib';
import { frameTile } from './ghost-area.ts';

/**
 * Options of the compression: deflate level (1-9), and `classes`, which is true for pixels that are class codes (long
 * runs of equal bytes).
 */
export interface Compression {
  readonly level: number;
  readonly classes: boolean;
}

/** Target of a compressed tile. `free` is called when the memory of the pixels may be reused. */
export interface TileTarget {
  readonly into: Uint8Array[];
  readonly index: number;
  readonly free: () => void;
}

/**
 * Compresses tiles on libuv's thread pool, a limited number at a time, while the caller cuts the next tiles. In this
 * pool, deflate runs natively and outside of the event loop. Worker threads would not be faster, and would need a copy
 * of the data.
 */
export class TileDeflater {
  readonly #compression: Compression;
  readonly #threads: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(compression: Compression, threads: number) {
    this.#compression = compression;
    this.#threads = threads;
  }

  /**
   * Starts to compress `bytes` into `into[index]`, between leader and trailer (`frameTile`); first waits for a free thread. The bytes must not change until
   * `free` is called.
   */
  async add(bytes: Uint8Array, { into, index, free }: TileTarget): Promise<void> {
    while (this.#running.size >= this.#threads) await Promise.race(this.#running);
    this.#check();
    const done = compressTile(bytes, this.#compression)
      .then((tile) => void (into[index] = frameTile(tile)))
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => {
        this.#running.delete(done);
        free();
      });
    this.#running.add(done);
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

/**
 * Limit for the size of a class tile after run-length coding, as a share of the raw size. Above this limit, full
 * deflate is not tried. Measured on class maps of 4096 x 4096 pixels: On maps with single-pixel noise, run-length
 * coding gives 0.12 of the raw size. Full deflate (level 6) gives a larger result and takes seven times as long. On
 * clean maps, run-length coding gives 0.06 of the raw size. Then full deflate gives a fifth less, because it also finds
 * repeated rows.
 */
const NOISY = 0.09;

/**
 * Compresses a tile to a zlib stream. For class codes, returns the smaller of the results of run-length coding and of full deflate; full
 * deflate is tried only if it may be smaller.
 */
async function compressTile(bytes: Uint8Array, { level, classes }: Compression): Promise<Uint8Array> {
  if (!classes) return run(bytes, level, constants.Z_DEFAULT_STRATEGY);
  const runs = await run(bytes, level, constants.Z_RLE);
  if (runs.length > NOISY * bytes.length) return runs;
  const full = await run(bytes, level, constants.Z_DEFAULT_STRATEGY);
  return full.length < runs.length ? full : runs;
}

/**
 * Runs deflate on libuv's thread pool. The output chunk is so large that nearly every tile fits into one chunk, because each further chunk
 * needs another pass through the pool.
 */
function run(bytes: Uint8Array, level: number, strategy: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflate(bytes, { level, strategy, chunkSize: Math.max(1024, bytes.length >> 1) }, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}
