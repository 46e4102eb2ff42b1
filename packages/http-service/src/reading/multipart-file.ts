import type { BusboyFileStream } from '@fastify/busboy';

const AFTER_ITS_TURN = 'part: read a file before the next part is asked for; what was left of it is gone';

/**
 * The bytes of one file, for as long as it is the part at hand. Reading may be left and taken up again within its turn; after
 * it, reading throws: bytes that were dropped must not look like an empty file.
 */
export class MultipartFile implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterator<Uint8Array, unknown>;
  readonly #failure: () => unknown;
  #isOver = false;

  /** `failure` tells why the whole body failed, undefined where it did not. */
  constructor(stream: BusboyFileStream, failure: () => unknown) {
    // One iterator for all readers: a second one, or `resume`, would hang after a reader that stopped in the middle.
    this.#bytes = stream.iterator({ destroyOnReturn: false });
    this.#failure = failure;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      if (this.#isOver) throw new Error(AFTER_ITS_TURN);
      const next = await this.#next();
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Ends its turn: what nobody read is dropped. The parser waits for the end of each file, so none may be left in the middle. */
  async drain(): Promise<void> {
    this.#isOver = true;
    while ((await this.#next()).done !== true);
  }

  async #next(): Promise<IteratorResult<Uint8Array, unknown>> {
    try {
      return await this.#bytes.next();
    } catch (error) {
      throw this.#failure() ?? error;
    }
  }
}
