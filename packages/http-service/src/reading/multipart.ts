import { once } from 'node:events';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import type { Part, PartLimits } from '../seam/row-body.ts';
import { MultipartFile } from './multipart-file.ts';
import { broken, createParser, faultOf, tooManyParts } from './multipart-parser.ts';
import { payloadTooLarge } from './too-large.ts';

/** A multipart body: its bytes as they come, and the `Content-Type` that names its boundary. */
export interface MultipartSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly contentType: string;
}

/**
 * Yields the parts of a multipart body in the order sent, a file as a stream; reads no faster than they are taken.
 * Throws `parse` for a broken body and `payload_too_large` beyond a limit, also out of the stream of the file at hand.
 */
export async function* readParts(source: MultipartSource, limits: PartLimits): AsyncGenerator<Part, void, undefined> {
  const reader = new PartReader(source, limits);
  // Not waited for at the end: a client that sends no more would hold back the answer. It never rejects.
  void reader.feed();
  try {
    for (let part = await reader.next(); part !== undefined; part = await reader.next()) yield part;
  } finally {
    reader.stop();
  }
}

type FieldPart = Extract<Part, { readonly kind: 'field' }>;
type FilePart = Extract<Part, { readonly kind: 'file' }> & { readonly chunks: MultipartFile };

class PartReader {
  readonly #parser: BusboyInstance;
  readonly #chunks: AsyncIterator<Uint8Array, unknown>;
  readonly #limits: PartLimits;
  readonly #stopped = new AbortController();
  /** Parts of the chunks read so far that nobody has taken yet. */
  readonly #ready: (FieldPart | FilePart)[] = [];
  readonly #streams = new Set<BusboyFileStream>();
  #atHand: MultipartFile | undefined;
  #wake: () => void = () => {};
  #taken: () => void = () => {};
  #ended = false;
  #failure: unknown;

  constructor({ contentType, chunks }: MultipartSource, limits: PartLimits) {
    this.#limits = limits;
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#parser = createParser(contentType, limits)
      .on('field', (...[name, value, , cut]) => this.#onField({ kind: 'field', name, value }, cut))
      .on('file', (...[name, stream, filename, , type]) =>
        this.#onFile(stream, { name, filename: filename ?? '', type }),
      )
      .on('partsLimit', () => this.#fail(tooManyParts(limits.parts)))
      .on('error', (error) => this.#fail(broken(error)))
      .on('finish', () => this.#end());
  }

  /** The next part; what the caller left of the file before it is dropped. */
  async next(): Promise<Part | undefined> {
    await this.#atHand?.drain();
    this.#atHand = undefined;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const part = this.#ready.shift();
      if (part !== undefined) return this.#handOut(part);
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Hands the body on until it ends, fails or nobody wants it any more; never rejects. */
  async feed(): Promise<void> {
    const { signal } = this.#stopped;
    let size = 0;
    try {
      for await (const chunk of { [Symbol.asyncIterator]: () => this.#chunks }) {
        if (signal.aborted) return;
        size += chunk.byteLength;
        if (size > this.#limits.total) throw payloadTooLarge(this.#limits.total);
        if (!this.#parser.write(chunk)) await once(this.#parser, 'drain', { signal });
        await this.#untilTaken();
        // Here as well: the next chunk may never come.
        if (signal.aborted) return;
      }
      this.#parser.end();
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    }
  }

  stop(): void {
    this.#leaveBody();
    for (const stream of this.#streams) stream.destroy();
    this.#parser.destroy();
  }

  // The parser holds back a file that nobody reads, but never fields.
  async #untilTaken(): Promise<void> {
    while (this.#ready.length > 0 && !this.#stopped.signal.aborted)
      await new Promise<void>((resolve) => (this.#taken = resolve));
  }

  #handOut(part: FieldPart | FilePart): Part {
    if (part.kind === 'file') this.#atHand = part.chunks;
    this.#taken();
    return part;
  }

  #onField(part: FieldPart, isCut: boolean): void {
    const fault = isCut ? payloadTooLarge(this.#limits.field, 'field') : faultOf(part.name, [part.value]);
    if (fault === undefined) this.#push(part);
    else this.#fail(fault);
  }

  #onFile(stream: BusboyFileStream, { name, filename, type }: Pick<FilePart, 'name' | 'filename' | 'type'>): void {
    this.#streams.add(stream);
    stream
      .on('error', (error) => this.#fail(broken(error)))
      .on('limit', () => this.#fail(payloadTooLarge(this.#limits.file, 'file')))
      .on('close', () => this.#streams.delete(stream));
    const fault = faultOf(name, [filename, type]);
    if (fault !== undefined) return this.#fail(fault);
    const chunks = new MultipartFile(stream, () => this.#failure);
    this.#push({ kind: 'file', name, filename, type, chunks });
  }

  #push(part: FieldPart | FilePart): void {
    if (this.#failure !== undefined) return;
    this.#ready.push(part);
    this.#wake();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#ready.length = 0;
    this.#leaveBody();
    const reason = error instanceof Error ? error : new Error(String(error));
    for (const stream of this.#streams) stream.destroy(reason);
    this.#wake();
  }

  // Told at once, though `feed` may wait for bytes: the answer's headers are to know of it.
  #leaveBody(): void {
    this.#stopped.abort();
    this.#taken();
    this.#chunks.return?.().catch(() => {});
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }
}
