import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { DomainError, messageOf } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import { once } from 'node:events';
import type { Part, PartLimits } from '../seam/row-body.ts';
import { sentences } from '../wire/sentences.ts';
import { payloadTooLarge } from './too-large.ts';

/** Longest name of a part, bytes. */
const MOST_NAME = 200;
/** Headers of one part, in pairs. */
const MOST_HEADERS = 32;
/** What the parser puts in place of bytes that are no text. */
const REPLACEMENT = '\u{fffd}';

/** Parser of a multipart body with these limits. Throws `parse` where the content type names no boundary. */
function createParser(contentType: string, { field, file, parts }: PartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: field, fileSize: file, parts, headerPairs: MOST_HEADERS },
    });
  } catch (error) {
    throw broken(error);
  }
}

/** Why a part is refused: its name (absent where `name` is none), or a text that cannot be stored. Undefined for a sound one. */
function faultOf(name: unknown, texts: readonly string[]): DomainError | undefined {
  if (typeof name !== 'string') return broken('a part has no name');
  // The parser has no limit of its own for names.
  if (Buffer.byteLength(name) > MOST_NAME) return broken(`the name of a part is longer than ${MOST_NAME} bytes`);
  for (const text of [name, ...texts]) {
    if (!isStorable(text)) return broken('text holds a NUL, which cannot be stored');
    // The parser replaces what it cannot decode and does not tell; the bytes are gone by now.
    if (text.includes(REPLACEMENT)) return broken('text is not UTF-8, or holds U+FFFD, which stands for lost text');
  }
  return undefined;
}

/** The refusal of a body that cannot be read. */
function broken(reason: unknown): DomainError {
  const text = messageOf(reason);
  return new DomainError('parse', sentences.unreadable('Multipart form', text), { cause: reason });
}

/** The refusal of a body of too many parts. */
function tooManyParts(limit: number): DomainError {
  return new DomainError('payload_too_large', `body: more than ${limit} parts; send fewer`);
}

const AFTER_ITS_TURN = 'part: read a file before the next part is asked for; what was left of it is gone';

/**
 * The bytes of one file, for as long as it is the part at hand. Reading may be left and taken up again within its turn; after
 * it, reading throws: bytes that were dropped must not look like an empty file.
 */
class MultipartFile implements AsyncIterable<Uint8Array> {
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
