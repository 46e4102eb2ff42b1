import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { NetError } from '../errors.ts';
import { httpDate, isTransientStatus, retryAfterMs } from '../retry/index.ts';

/** Response to a request: status, headers, and a body that is read on demand, up to a limit. */
export class NetResponse {
  readonly status: number;
  /** Address without secrets, for messages. */
  readonly shown: string;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage, shown: string) {
    this.status = message.statusCode ?? 0;
    this.shown = shown;
    this.#message = message;
    // The read reports a connection that broke before it.
    message.on('error', () => {});
  }

  /** A header by its lower-case name; undefined if absent. */
  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /**
   * The whole body, decompressed; `look` gets each piece as it arrives and may throw. Throws `input_data` as soon as the body is larger
   * than `most` bytes. The rest is not read in either case.
   */
  async bytes(most: number, look?: (piece: Uint8Array) => void): Promise<Uint8Array> {
    if (Number(this.header('content-length') ?? 0) > most) throw this.#tooLarge(most);
    const pieces: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop early destroys the stream and the connection.
    for await (const chunk of this.#decoded()) {
      const piece: Uint8Array = chunk;
      size += piece.byteLength;
      if (size > most) throw this.#tooLarge(most);
      look?.(piece);
      pieces.push(piece);
    }
    return joined(pieces, size);
  }

  /**
   * The body piece by piece as it arrives, of any size; the caller owns each piece. Throws `input_data` for a compressed body, whose bytes
   * do not match ranges and lengths. Leaving the loop early ends the connection.
   */
  async *pieces(): AsyncGenerator<Uint8Array> {
    if (!this.#isPlain()) throw this.#encoded();
    for await (const chunk of this.#message) {
      const piece: Uint8Array = chunk;
      yield piece;
    }
  }

  /** Ends the connection without reading the body. */
  discard(): void {
    this.#message.destroy();
  }

  #decoded(): Readable {
    if (this.#isPlain()) return this.#message;
    if (this.#encoding() === 'gzip') return pipeline(this.#message, createGunzip(), () => {});
    throw this.#encoded();
  }

  #encoding(): string {
    return this.header('content-encoding')?.trim().toLowerCase() ?? '';
  }

  #isPlain(): boolean {
    return ['', 'identity'].includes(this.#encoding());
  }

  #encoded(): NetError {
    this.discard();
    return new NetError('input_data', `${this.shown}: it answers in ${this.#encoding()}, which was not asked for`);
  }

  #tooLarge(most: number): NetError {
    this.discard();
    return new NetError('input_data', `${this.shown}: its answer is larger than the ${most} bytes that may be read`);
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}

/** Errors of a name server or resolver. */
const UNRESOLVED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL']);

/** A failure that a retry may not meet. */
export class TransientFailure extends Error {
  /** In words, for messages. */
  readonly reason: string;
  /** Pause that the server requested, ms; undefined if it did not. */
  readonly retryAfterMs: number | undefined;
  /** True if the name of the host could not be resolved. */
  readonly isUnresolved: boolean;

  constructor(reason: string, retryAfterMs?: number, cause?: unknown) {
    super(reason);
    this.isUnresolved = cause instanceof Error && 'code' in cause && UNRESOLVED.has(String(cause.code));
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The failure of a response with a transient status; undefined for any other. `nowMs` is used if the response has no `Date`. */
export function transientFailure(answer: NetResponse, nowMs: number): TransientFailure | undefined {
  if (!isTransientStatus(answer.status)) return undefined;
  const sentMs = httpDate(answer.header('date')) ?? nowMs;
  return new TransientFailure(`HTTP ${answer.status}`, retryAfterMs(answer.header('retry-after'), sentMs));
}
