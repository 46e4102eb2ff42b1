import type { IncomingMessage } from 'node:http';
import { dropRest, type Incoming } from './drop-rest.ts';
import { payloadTooLarge } from '../reading/media-type.ts';

/**
 * Reads the body of a Node request. Throws `payload_too_large` above `limit` bytes. Throws if the client disconnects.
 */
export function readMessage(incoming: Incoming, limit: number): Promise<Uint8Array> {
  const { message } = incoming;
  const declared = message.headers['content-length'];
  // Nothing was read yet, so Node itself discards the body after the response.
  if (declared !== undefined && Number(declared) > limit) return Promise.reject(payloadTooLarge(limit));
  if (message.readableEnded) return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => new BodyReader({ incoming, limit, resolve, reject }).start());
}

/**
 * Yields the body piece by piece. An early stop discards the rest. Throws if the client disconnects, or if the body was
 * read before.
 */
export function messageChunks(incoming: Incoming): AsyncIterable<Uint8Array> {
  if (incoming.message.readableDidRead)
    throw new Error('body: the host has read it already; mount the service before its parsers');
  return { [Symbol.asyncIterator]: () => new MessageChunks(incoming) };
}

// A class, because `return` of a generator would wait for the next bytes.
class MessageChunks implements AsyncIterator<Uint8Array, undefined> {
  readonly #incoming: Incoming;
  readonly #bytes: AsyncIterator<Uint8Array, undefined>;
  #hasEnded = false;

  constructor(incoming: Incoming) {
    this.#incoming = incoming;
    this.#bytes = incoming.message.iterator({ destroyOnReturn: false });
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    return this.#bytes.next();
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#bytes.return?.().catch(() => {});
      dropRest(this.#incoming);
    }
    return { done: true, value: undefined };
  }
}

const NOTHING = new Uint8Array(0);

interface Reading {
  readonly incoming: Incoming;
  readonly limit: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

// Events are used, because an async iterator takes three times as long for a small body.
class BodyReader {
  readonly #reading: Reading;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  #hasEnded = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  start(): void {
    const { message } = this.#reading.incoming;
    if (message.destroyed) this.#onClose();
    else message.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose);
  }

  #stop(): IncomingMessage {
    const { message } = this.#reading.incoming;
    return message
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('error', this.#onError)
      .off('close', this.#onClose);
  }

  readonly #onData = (chunk: Uint8Array): void => {
    const { incoming, limit, reject } = this.#reading;
    this.#size += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#size <= limit) return;
    this.#stop();
    dropRest(incoming);
    reject(payloadTooLarge(limit));
  };

  // The listeners are not removed, because that would cost more than reading a small body.
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
    this.#reading.reject(new Error('the client disconnected before its body was read'));
  };
}
