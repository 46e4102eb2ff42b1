import type { IncomingMessage } from 'node:http';
import { payloadTooLarge } from './reading/too-large.ts';

/**
 * Reads a Node request's body up to `limit` bytes, whether or not a length was declared. Throws `payload_too_large` beyond: the
 * message then stays paused and undestroyed, or the socket would go before a 413 can be written. Throws when the client leaves.
 */
export function readMessage(message: IncomingMessage, limit: number): Promise<Uint8Array> {
  const declared = message.headers['content-length'];
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(payloadTooLarge(limit));
  if (message.readableEnded) return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => new BodyReader({ message, limit, resolve, reject }).start());
}

/**
 * The body piece by piece. Ended early the message stays undestroyed, or the socket would go before an answer can be written.
 * Throws when the client leaves, and where somebody else has read the body before.
 */
export function messageChunks(message: IncomingMessage): AsyncIterable<Uint8Array> {
  if (message.readableDidRead)
    throw new Error('body: the host has read it already; mount the service before its parsers');
  return message.iterator({ destroyOnReturn: false });
}

const NOTHING = new Uint8Array(0);

interface Reading {
  readonly message: IncomingMessage;
  readonly limit: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

// Plain events: an async iterator over the message takes three times as long for a body of one chunk.
class BodyReader {
  readonly #reading: Reading;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #hasEnded = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  start(): void {
    const { message } = this.#reading;
    if (message.destroyed) this.#onClose();
    else message.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
  }

  #stop(): IncomingMessage {
    const { message } = this.#reading;
    return message
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose);
  }

  readonly #onData = (chunk: Uint8Array): void => {
    const { limit, reject } = this.#reading;
    this.#size += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#size <= limit) return;
    this.#stop().pause();
    reject(payloadTooLarge(limit));
  };

  // The listeners stay: taking them off costs more than reading a small body, and an ended message calls only `close` again.
  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    const [first] = this.#chunks;
    this.#reading.resolve(this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks));
  };

  readonly #onError = (error: Error): void => {
    this.#stop();
    this.#reading.reject(error);
  };

  readonly #onClose = (): void => {
    if (this.#hasEnded) return;
    this.#stop();
    this.#reading.reject(new Error('the client left before its body was read'));
  };
}
