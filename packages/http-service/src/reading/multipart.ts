import { once } from 'node:events';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { DomainError, isStorable } from '@headwater/core';
import type { Part, PartLimits } from '../row-body.ts';
import { sentences } from '../wire/sentences.ts';
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
  const reader = new PartReader(source.contentType, limits);
  // Not waited for at the end: a client that sends no more would hold back the answer. It never rejects.
  void reader.feed(source.chunks);
  try {
    for (let part = await reader.next(); part !== undefined; part = await reader.next()) yield part;
  } finally {
    reader.stop();
  }
}

class PartReader {
  readonly #busboy: BusboyInstance;
  readonly #limits: PartLimits;
  readonly #stopped = new AbortController();
  readonly #ready: Part[] = [];
  #file: BusboyFileStream | undefined;
  #wake: () => void = () => {};
  #ended = false;
  #failure: unknown;

  constructor(contentType: string, limits: PartLimits) {
    this.#limits = limits;
    this.#busboy = createBusboy(contentType, limits);
    this.#busboy
      .on('field', (...[name, value, nameCut, valueCut]) => this.#onField(name, { value, cut: nameCut || valueCut }))
      .on('file', (...[name, stream, filename, , type]) =>
        this.#onFile(stream, { name, filename: filename ?? '', type }),
      )
      .on('partsLimit', () => this.#fail(tooManyParts(limits.parts)))
      .on('error', (error) => this.#fail(broken(error)))
      .on('finish', () => this.#end());
  }

  /** The next part; what the caller left of the file before it is skipped. */
  async next(): Promise<Part | undefined> {
    this.#file?.resume();
    for (;;) {
      const part = this.#ready.shift();
      if (part !== undefined) return part;
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Hands the body on until it ends, fails or nobody wants it any more; never rejects. */
  async feed(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    let size = 0;
    try {
      for await (const chunk of chunks) {
        if (this.#stopped.signal.aborted) return;
        size += chunk.byteLength;
        if (size > this.#limits.total) throw payloadTooLarge(this.#limits.total);
        if (!this.#busboy.write(chunk)) await once(this.#busboy, 'drain', { signal: this.#stopped.signal });
      }
      this.#busboy.end();
    } catch (error) {
      if (!this.#stopped.signal.aborted) this.#fail(error);
    }
  }

  stop(): void {
    this.#stopped.abort();
    this.#file?.destroy();
    this.#busboy.destroy();
  }

  #onField(name: string, { value, cut }: { readonly value: string; readonly cut: boolean }): void {
    if (typeof name !== 'string') this.#fail(broken('a part has no name'));
    else if (cut) this.#fail(payloadTooLarge(this.#limits.field, 'field'));
    else if (!isStorable(name) || !isStorable(value)) this.#fail(broken('text holds a NUL, which cannot be stored'));
    else this.#push({ kind: 'field', name, value });
  }

  #onFile(stream: BusboyFileStream, { name, filename, type }: Pick<FilePart, 'name' | 'filename' | 'type'>): void {
    this.#file = stream;
    stream.on('error', (error) => this.#fail(broken(error)));
    stream.on('limit', () => this.#fail(payloadTooLarge(this.#limits.file, 'file')));
    if (typeof name !== 'string') this.#fail(broken('a part has no name'));
    else if (!isStorable(name) || !isStorable(filename))
      this.#fail(broken('a name holds a NUL, which cannot be stored'));
    else this.#push({ kind: 'file', name, filename, type, chunks: this.#chunksOf(stream) });
  }

  async *#chunksOf(stream: BusboyFileStream): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      // Left early, the stream is not destroyed: the parser would wait for it for ever.
      yield* stream.iterator({ destroyOnReturn: false });
    } catch (error) {
      throw this.#failure ?? error;
    }
  }

  #push(part: Part): void {
    this.#ready.push(part);
    this.#wake();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#ready.length = 0;
    this.#stopped.abort();
    this.#file?.destroy(error instanceof Error ? error : new Error(String(error)));
    this.#wake();
  }

  #end(): void {
    this.#ended = true;
    this.#wake();
  }
}

type FilePart = Extract<Part, { readonly kind: 'file' }>;

/** Names of fields, in bytes; headers of one part, in pairs. */
const MOST_NAME = 200;
const MOST_HEADERS = 32;

function createBusboy(contentType: string, limits: PartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fieldNameSize: MOST_NAME,
        fieldSize: limits.field,
        fileSize: limits.file,
        parts: limits.parts,
        headerPairs: MOST_HEADERS,
      },
    });
  } catch (error) {
    throw broken(error);
  }
}

function broken(reason: unknown): DomainError {
  const text = reason instanceof Error ? reason.message : String(reason);
  return new DomainError('parse', sentences.unreadable('Multipart form', text), { cause: reason });
}

function tooManyParts(limit: number): DomainError {
  return new DomainError('payload_too_large', `body: more than ${limit} parts; send fewer`);
}
