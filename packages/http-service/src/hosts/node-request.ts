import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { dropRest, type Incoming } from './drop-rest.ts';
import { readChunks } from './fetch-handler.ts';
import { isOfReserve } from './guard-server.ts';
import { messageChunks, readMessage } from './read-message.ts';
import type { RequestBody, ServiceRequest } from '../seam/request.ts';

/** Request and response of a Node framework. */
export interface NodeExchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: string;
  /** Address of the client, as the host's proxy settings determine it. */
  readonly remoteAddress: string | undefined;
  /** See `ServiceRequest.trustedHops`. */
  readonly trustedHops?: number;
  /** Body that the host's parsers returned; undefined without parsers. */
  readonly parsedBody: unknown;
}

/** Creates the framework-neutral request of a Node exchange. */
export function nodeRequest(exchange: NodeExchange): ServiceRequest {
  return new NodeRequest(exchange);
}

// A class: for an object literal with a getter, V8 would create a hidden class in each request.
class NodeRequest implements ServiceRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: RequestBody;
  readonly remoteAddress: string | undefined;
  readonly trustedHops: number;
  readonly isOfReserve: boolean;
  readonly #response: ServerResponse;
  #abort: AbortController | undefined;

  constructor({ message, response, url, remoteAddress, trustedHops = 0, parsedBody }: NodeExchange) {
    this.method = message.method ?? 'GET';
    this.url = url;
    this.headers = message.headers;
    this.body = bodyOf({ message, response }, parsedBody);
    this.remoteAddress = remoteAddress;
    this.trustedHops = trustedHops;
    this.isOfReserve = isOfReserve(message.socket);
    this.#response = response;
  }

  get signal(): AbortSignal {
    return (this.#abort ??= abortOnClose(this.#response)).signal;
  }
}

// Aborts when the response is closed. A finished response is closed too, but the signal then has no listeners.
function abortOnClose(response: ServerResponse): AbortController {
  const abort = new AbortController();
  if (response.destroyed) abort.abort();
  else response.once('close', () => abort.abort());
  return abort;
}

const NO_BODY: RequestBody = { kind: 'none' };

function bodyOf(incoming: Incoming, parsed: unknown): RequestBody {
  if (Buffer.isBuffer(parsed)) {
    const chunks = (): AsyncIterable<Uint8Array> => chunksOf(parsed);
    return { kind: 'stream', isDecoded: true, read: (limit) => readChunks(chunks(), limit, undefined), chunks };
  }
  if (parsed !== undefined) return { kind: 'parsed', value: parsed };
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.message.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return NO_BODY;
  return new MessageBody(incoming);
}

/** Time, ms, in which the rest of a body must arrive. */
const MOST_DROP_MS = 3000;

// A class: an object literal would create two closures in each request.
class MessageBody {
  readonly kind = 'stream';
  readonly #incoming: Incoming;

  constructor(incoming: Incoming) {
    this.#incoming = incoming;
  }

  read(limit: number): Promise<Uint8Array> {
    return readMessage(this.#incoming, limit);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return messageChunks(this.#incoming);
  }

  drop(): void {
    dropRest(this.#incoming, MOST_DROP_MS);
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
