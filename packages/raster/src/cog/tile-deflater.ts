import { constants, deflate } from 'node:zlib';
import { frameTile } from './ghost-area.ts';

/** Deflate level (1-9); `classes` is true for class codes (long runs of equal bytes). */
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

/** Compresses a limited number of tiles at a time on libuv's thread pool, while the caller cuts the next tiles. */
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
   * Waits for a free thread, and starts to compress `bytes` into `into[index]` (see `frameTile`). The bytes must not
   * change until `free` is called.
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
 * Maximum size after run-length coding, as a share of the raw size, at which full deflate is also tried. A larger
 * result means a noisy tile, for which full deflate is slower and not better.
 */
const NOISY = 0.09;

/**
 * Compresses a tile. Class codes are compressed by run-length coding, and also by full deflate if its result may be
 * smaller. Then the smaller result is returned.
 */
async function compressTile(bytes: Uint8Array, { level, classes }: Compression): Promise<Uint8Array> {
  if (!classes) return run(bytes, level, constants.Z_DEFAULT_STRATEGY);
  const runs = await run(bytes, level, constants.Z_RLE);
  if (runs.length > NOISY * bytes.length) return runs;
  const full = await run(bytes, level, constants.Z_DEFAULT_STRATEGY);
  return full.length < runs.length ? full : runs;
}

/** Compresses bytes. The output chunk is large, because each further chunk needs a pass through the thread pool. */
function run(bytes: Uint8Array, level: number, strategy: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflate(bytes, { level, strategy, chunkSize: Math.max(1024, bytes.length >> 1) }, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}
