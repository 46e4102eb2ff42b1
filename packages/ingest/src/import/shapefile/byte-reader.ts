import { BadPlaceFile } from '../../places/bad-place-file.ts';

/** Reads a stream of bytes in requested sizes. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #what: string;
  #held: Uint8Array = new Uint8Array();
  /** Number of returned bytes. */
  taken = 0;

  constructor(chunks: AsyncIterable<Uint8Array>, what: string) {
    [this.#chunks, this.#what] = [chunks[Symbol.asyncIterator](), what];
  }

  /** Returns the next `size` bytes; undefined at the end. Throws `BadPlaceFile` if fewer bytes are left. */
  async take(size: number): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = [];
    let count = 0;
    while (count < size) {
      if (this.#held.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) break;
        this.#held = next.value;
        continue;
      }
      const part = this.#held.subarray(0, size - count);
      this.#held = this.#held.subarray(part.length);
      parts.push(part);
      count += part.length;
    }
    if (count === 0) return undefined;
    if (count < size) throw new BadPlaceFile(`${this.#what} ends in the middle: it is not complete; copy it again`);
    this.taken += size;
    const [only] = parts;
    return only !== undefined && parts.length === 1
      ? Buffer.from(only.buffer, only.byteOffset, only.length)
      : Buffer.concat(parts);
  }

  /** Returns the next `size` bytes. Throws `BadPlaceFile` if fewer bytes are left. */
  async need(size: number): Promise<Buffer> {
    const bytes = await this.take(size);
    if (bytes === undefined)
      throw new BadPlaceFile(`${this.#what} ends in the middle: it is not complete; copy it again`);
    return bytes;
  }
}
