import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { NetError } from '../errors.ts';
import { httpDate, isTransientStatus, retryAfterMs } from '../retry/index.ts';

/** Response whose body is read on demand. */
export class NetResponse {
  readonly status: number;
  /** Address without secrets. */
  readonly shown: string;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage, shown: string) {
    this.status = message.statusCode ?? 0;
    this.shown = shown;
    this.#message = message;
    // Without a listener, an error before the body is read would end the process.
    message.on('error', () => {});
  }

  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** Reads the decompressed body. `onPiece` gets each piece and may throw. Throws `input_data` above `most` bytes. */
  async bytes(most: number, onPiece?: (piece: Uint8Array) => void): Promise<Uint8Array> {
    if (Number(this.header('content-length') ?? 0) > most) throw this.#tooLarge(most);
    const pieces: Uint8Array[] = [];
    let size = 0;
    // Leaving this loop early closes the connection.
    for await (const chunk of this.#decoded()) {
      const piece: Uint8Array = chunk;
      size += piece.byteLength;
      if (size > most) throw this.#tooLarge(most);
      onPiece?.(piece);
      pieces.push(piece);
    }
    return joined(pieces, size);
  }

  /**
   * Yields the body in pieces, without a limit. The caller may keep the pieces, because their memory is not used again.
   * Throws `input_data` for a compressed body, because its length and ranges refer to the compressed bytes, not to the
   * file.
   */
  async *pieces(): AsyncGenerator<Uint8Array> {
    if (!this.#isPlain()) throw this.#encoded();
    for await (const chunk of this.#message) {
      const piece: Uint8Array = chunk;
      yield piece;
    }
  }

  /** Closes the connection. */
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
    return new NetError(
      'input_data',
      `${this.shown}: its response has the encoding ${this.#encoding()}, which was not requested; correct the server or its proxy`,
    );
  }

  #tooLarge(most: number): NetError {
    this.discard();
    return new NetError(
      'input_data',
      `${this.shown}: its response is larger than the ${most} bytes that may be read; check that the address is right`,
    );
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

/** Errors for a name that does not exist. Other codes may mean that the name server does not respond. */
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA']);

/** A failure that may be retried. */
export class TransientFailure extends Error {
  /** Reason for messages. */
  readonly reason: string;
  /** Pause requested by the server, ms. */
  readonly retryAfterMs: number | undefined;
  /** True if the name of the host could not be resolved. */
  readonly isUnresolved: boolean;
  /** True if the name server reports that no such name exists. */
  readonly isUnknownName: boolean;

  constructor(reason: string, retryAfterMs?: number, cause?: unknown) {
    super(reason);
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    this.isUnresolved = UNRESOLVED.has(code);
    this.isUnknownName = UNKNOWN_NAME.has(code);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Failure for a transient status; undefined for other statuses. `nowMs` replaces a missing `Date` header. */
export function transientFailure(answer: NetResponse, nowMs: number): TransientFailure | undefined {
  if (!isTransientStatus(answer.status)) return undefined;
  const sentMs = httpDate(answer.header('date')) ?? nowMs;
  return new TransientFailure(`HTTP ${answer.status}`, retryAfterMs(answer.header('retry-after'), sentMs));
}
