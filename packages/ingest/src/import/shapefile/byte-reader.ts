import { BadPlaceFile } from '../../places/bad-place-file.ts';

/** Takes bytes of a stream in the sizes that a format has. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #what: string;
  #held: Uint8Array = new Uint8Array();
  /** Bytes taken so far. */
  taken = 0;

  /** `what` names the stream in messages. */
  constructor(chunks: AsyncIterable<Uint8Array>, what: string) {
    [this.#chunks, this.#what] = [chunks[Symbol.asyncIterator](), what];
  }

  /** The next `size` bytes; undefined where none is left. Throws `BadPlaceFile` where some but not all are. */
  async take(size: number): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = [];
    let got = 0;
    while (got < size) {
      if (this.#held.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) break;
        this.#held = next.value;
        continue;
      }
      const part = this.#held.subarray(0, size - got);
      this.#held = this.#held.subarray(part.length);
      parts.push(part);
      got += part.length;
    }
    if (got === 0) return undefined;
    if (got < size) throw new BadPlaceFile(`${this.#what} ends in the middle: it is not whole; copy it anew`);
    this.taken += size;
    const [only] = parts;
    return only !== undefined && parts.length === 1
      ? Buffer.from(only.buffer, only.byteOffset, only.length)
      : Buffer.concat(parts);
  }

  /** The next `size` bytes, which must be there. */
  async need(size: number): Promise<Buffer> {
    const bytes = await this.take(size);
    if (bytes === undefined) throw new BadPlaceFile(`${this.#what} ends in the middle: it is not whole; copy it anew`);
    return bytes;
  }
}
