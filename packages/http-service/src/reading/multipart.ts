import type * as Forms from '@fastify/busboy';
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy';
import { DomainError, messageOf } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import { once } from 'node:events';
import type { Part, PartLimits } from '../seam/row-body.ts';
import { sentences } from '../wire/sentences.ts';
import { payloadTooLarge, mediaType, unsupportedType } from './media-type.ts';
import type { ServiceRequest } from '../seam/request.ts';

/** Maximum length of a part's name, bytes. */
const MOST_NAME = 200;
const MOST_HEADERS = 32;
const REPLACEMENT = '\u{fffd}';

function createParser(
  { Busboy, contentType }: Pick<ReaderSource, 'Busboy' | 'contentType'>,
  { field, file, parts }: PartLimits,
): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { fieldSize: field, fileSize: file, parts, headerPairs: MOST_HEADERS },
    });
  } catch (error) {
    throw broken(error);
  }
}

function faultOf(name: unknown, texts: readonly string[]): DomainError | undefined {
  if (typeof name !== 'string') return broken('a part has no name; give each part a name');
  // The parser does not limit the length of names.
  if (Buffer.byteLength(name) > MOST_NAME)
    return broken(`the name of a part is longer than ${MOST_NAME} bytes; shorten it`);
  for (const text of [name, ...texts]) {
    if (!isStorable(text)) return broken('text holds a NUL, which cannot be stored; remove it');
    // The parser replaces undecodable bytes without an error.
    if (text.includes(REPLACEMENT))
      return broken('text is not UTF-8, or holds U+FFFD, which stands for lost text; send it in UTF-8');
  }
  return undefined;
}

function broken(reason: unknown): DomainError {
  const text = messageOf(reason);
  return new DomainError('parse', sentences.unreadable('Multipart form', text), { cause: reason });
}

function tooManyParts(limit: number): DomainError {
  return new DomainError('payload_too_large', `body: more than ${limit} parts; send fewer`);
}

const READ_TOO_LATE = 'part: read a file before you request the next part; its unread bytes were discarded';

class MultipartFile implements AsyncIterable<Uint8Array> {
  readonly #bytes: AsyncIterator<Uint8Array, unknown>;
  readonly #failure: () => unknown;
  #isOver = false;

  constructor(stream: BusboyFileStream, failure: () => unknown) {
    // All readers share one iterator, because a second iterator would hang after a reader that stopped early.
    this.#bytes = stream.iterator({ destroyOnReturn: false });
    this.#failure = failure;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      if (this.#isOver) throw new Error(READ_TOO_LATE);
      const next = await this.#next();
      if (next.done === true) return;
      yield next.value;
    }
  }

  /** Discards the unread bytes, because the parser waits for the end of each file. */
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

/** Multipart body: its bytes, and its `Content-Type` with the boundary. */
export interface MultipartSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly contentType: string;
}

/**
 * Yields the parts in the order sent; a file is a stream. Throws `parse` for a broken body and `payload_too_large`
 * above a limit; file streams throw these errors too.
 */
export async function* readParts(source: MultipartSource, limits: PartLimits): AsyncGenerator<Part, void, undefined> {
  // Loaded with the first form, so that the service starts faster.
  const { Busboy } = await import('@fastify/busboy');
  const reader = new PartReader({ ...source, Busboy }, limits);
  // Not awaited, because a client that stops sending would delay the response. Never rejects.
  void reader.feed();
  try {
    for (let part = await reader.next(); part !== undefined; part = await reader.next()) yield part;
  } finally {
    reader.stop();
  }
}

type FieldPart = Extract<Part, { readonly kind: 'field' }>;
type FilePart = Extract<Part, { readonly kind: 'file' }> & { readonly chunks: MultipartFile };

type ReaderSource = MultipartSource & Pick<typeof Forms, 'Busboy'>;

class PartReader {
  readonly #parser: BusboyInstance;
  readonly #chunks: AsyncIterator<Uint8Array, unknown>;
  readonly #limits: PartLimits;
  readonly #stopped = new AbortController();
  readonly #ready: (FieldPart | FilePart)[] = [];
  readonly #streams = new Set<BusboyFileStream>();
  #current: MultipartFile | undefined;
  #wake: () => void = () => {};
  #taken: () => void = () => {};
  #ended = false;
  #failure: unknown;

  constructor({ Busboy, contentType, chunks }: ReaderSource, limits: PartLimits) {
    this.#limits = limits;
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#parser = createParser({ Busboy, contentType }, limits)
      .on('field', (...[name, value, , cut]) => this.#onField({ kind: 'field', name, value }, cut))
      .on('file', (...[name, stream, filename, , type]) =>
        this.#onFile(stream, { name, filename: filename ?? '', type }),
      )
      .on('partsLimit', () => this.#fail(tooManyParts(limits.parts)))
      .on('error', (error) => this.#fail(broken(error)))
      .on('finish', () => this.#end());
  }

  async next(): Promise<Part | undefined> {
    await this.#current?.drain();
    this.#current = undefined;
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const part = this.#ready.shift();
      if (part !== undefined) return this.#handOut(part);
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** Passes the body to the parser until its end or failure. Never rejects. */
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
        // Checked here too, because the next chunk may never arrive.
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

  // Waits until the caller has taken all ready parts, because the parser applies backpressure only for files.
  async #untilTaken(): Promise<void> {
    while (this.#ready.length > 0 && !this.#stopped.signal.aborted)
      await new Promise<void>((resolve) => (this.#taken = resolve));
  }

  #handOut(part: FieldPart | FilePart): Part {
    if (part.kind === 'file') this.#current = part.chunks;
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

  // Does not wait for `feed`: a client that stops sending would delay the response, which is sent after this method.
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

const PARSED_BY_HOST =
  'body: a multipart parser of the host read this body; mount the service before it, or limit the parser to the paths of the host';

const MULTIPART = 'multipart/form-data';

/** True for the media type of multipart forms. */
export function isMultipart(type: string): boolean {
  return type === MULTIPART;
}

/**
 * Multipart body of a request. Throws `unsupported_media_type` for other types, and `Error` if the host has read the
 * body.
 */
export function multipartOf({ body, headers }: ServiceRequest): MultipartSource {
  const header = headers['content-type'];
  if (typeof header !== 'string' || !isMultipart(mediaType(header))) throw unsupportedType(header, [MULTIPART]);
  if (body.kind === 'parsed') throw new Error(PARSED_BY_HOST);
  return { contentType: header, chunks: body.kind === 'none' ? nothing() : body.chunks() };
}

// Body without bytes, which the parser refuses.
async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
