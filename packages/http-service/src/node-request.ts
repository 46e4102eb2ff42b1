import type { IncomingMessage, ServerResponse } from 'node:http';
import { readChunks } from './fetch-handler.ts';
import type { RequestBody, ServiceRequest } from './seam.ts';

/** What a Node framework hands over. */
export interface NodeExchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  /** Path and query without the mount prefix. */
  readonly url: string;
  /** Address of the client as the host's proxy settings tell it. */
  readonly remoteAddress: string | undefined;
  /** What the host's parsers made of the body; undefined where none ran. */
  readonly parsedBody: unknown;
}

/** Neutral request of a Node exchange; body and abort signal cost nothing until somebody asks for them. */
export function nodeRequest({ message, response, url, remoteAddress, parsedBody }: NodeExchange): ServiceRequest {
  let abort: AbortController | undefined;
  return {
    method: message.method ?? 'GET',
    url,
    headers: message.headers,
    body: bodyOf(message, parsedBody),
    remoteAddress,
    get signal() {
      return (abort ??= abortOnClose(response)).signal;
    },
  };
}

// 'close' also fires after a finished answer; then nobody listens any more and the abort is harmless.
function abortOnClose(response: ServerResponse): AbortController {
  const abort = new AbortController();
  if (response.destroyed) abort.abort();
  else response.once('close', () => abort.abort());
  return abort;
}

function bodyOf(message: IncomingMessage, parsed: unknown): RequestBody {
  if (Buffer.isBuffer(parsed)) return { kind: 'stream', read: (limit) => readChunks(chunksOf(parsed), limit, undefined) };
  if (parsed !== undefined) return { kind: 'parsed', value: parsed };
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return { kind: 'none' };
  // Left undestroyed on an early end, or the socket would go before a 413 can be written.
  return { kind: 'stream', read: (limit) => readChunks(message.iterator({ destroyOnReturn: false }), limit, length) };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
