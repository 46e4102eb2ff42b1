import { compressTile } from './compress-tile.ts';
import type { Compression } from './compress-tile.ts';
import { frameTile } from './ghost-area.ts';

/**
 * Compresses tiles on libuv's thread pool, a bounded number at a time, while the caller cuts the next ones.
 * Deflate is native and leaves the event loop free there: worker threads of our own would add a copy, not a core.
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

  /** Starts to compress `bytes` (not to be changed afterwards) into `into[index]`, framed; waits while all threads are busy. */
  async add(bytes: Uint8Array, into: Uint8Array[], index: number): Promise<void> {
    while (this.#running.size >= this.#threads) await Promise.race(this.#running);
    this.#check();
    const done = compressTile(bytes, this.#compression)
      .then((tile) => void (into[index] = frameTile(tile)))
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  /** Waits for all tiles; throws what compressing one of them threw. */
  async drain(): Promise<void> {
    await Promise.all(this.#running);
    this.#check();
  }

  #check(): void {
    if (this.#failure != null) throw this.#failure.error;
  }
}
