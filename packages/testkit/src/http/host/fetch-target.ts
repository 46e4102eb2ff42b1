import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type FetchContext, toFetchHandler } from '@headwater/http-service';
import { listening } from './listening.ts';
import { HOST_TEXT, type HttpTarget, type Mount } from './target.ts';

const REST_OF_HOST = 'the host, not a fetch handler, discards the rest of a body';

/** The fetch handler, called by a plain Node server as Hono, Bun and Deno call it. */
export const fetchTarget: HttpTarget = {
  name: 'fetch',
  skips: {
    'unknown path goes to the host': 'a fetch handler receives every request, so it returns its own 404',
    'accepts fields that the host parsed from JSON or a URL-encoded form':
      'the body of a Request is never parsed before the handler',
    'the rest of a large body is not read: with a declared length, the response has Connection: close': REST_OF_HOST,
    'the rest of a large body is not read: in chunks, the server closes the connection': REST_OF_HOST,
    'is refused early: the connection of a slow sender is closed': REST_OF_HOST,
  },
  async start({ mounts, trustsProxy = false }) {
    return listening((message, response) => {
      answer({ mounts, trustsProxy }, message, response).catch(() => response.destroy());
    });
  },
};

async function answer(
  { mounts, trustsProxy }: { readonly mounts: readonly Mount[]; readonly trustsProxy: boolean },
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = message.url ?? '/';
  if (url.startsWith('/host')) return answerHost(url, message, response);
  const mount = mounts.find(({ prefix }) => prefix === '' || url.startsWith(`${prefix}/`));
  if (mount === undefined) return void response.writeHead(418).end(HOST_TEXT.notFound);
  const chunks = message.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>;
  const request = toRequest({ message, response, chunks }, url.slice(mount.prefix.length));
  await send(response, await toFetchHandler(mount.service)(request, contextOf(message, trustsProxy)));
  // Discards the rest of the body, because otherwise the server would read the rest as the next request.
  while ((await chunks.next()).done !== true);
}

/** Behind a trusted proxy, the client is the last entry of `X-Forwarded-For`. */
function contextOf({ socket, headers }: IncomingMessage, trustsProxy: boolean): FetchContext {
  const [last] = String(headers['x-forwarded-for'] ?? '')
    .split(', ')
    .toReversed();
  const isForwarded = trustsProxy && last !== undefined && last !== '';
  return isForwarded ? { remoteAddress: last, trustedHops: 1 } : { remoteAddress: socket.remoteAddress ?? '' };
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly chunks: AsyncIterableIterator<Uint8Array>;
}

function toRequest({ message, response, chunks }: Exchange, path: string): Request {
  const abort = new AbortController();
  response.once('close', () => abort.abort());
  const { method = 'GET' } = message;
  const headers = Object.entries(message.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const init = { method, headers, signal: abort.signal };
  if (method === 'GET' || method === 'HEAD') return new Request(`http://127.0.0.1${path}`, init);
  const { 'content-length': length, 'transfer-encoding': encoding } = message.headers;
  const body = length === undefined && encoding === undefined ? null : toWeb(chunks);
  return new Request(`http://127.0.0.1${path}`, { ...init, body, duplex: 'half' });
}

function toWeb(chunks: Exchange['chunks']): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(Uint8Array.from(next.value));
    },
  });
}

async function send(response: ServerResponse, { status, headers, body }: Response): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) if (name !== 'set-cookie') response.setHeader(name, value);
  if (headers.getSetCookie().length > 0) response.setHeader('set-cookie', headers.getSetCookie());
  if (body === null) response.end();
  else await pipeline(Readable.fromWeb(body), response);
}

async function answerHost(url: string, message: IncomingMessage, response: ServerResponse): Promise<void> {
  if (url === '/host/throws') return void response.writeHead(500).end(HOST_TEXT.failure);
  response.setHeader('content-type', 'application/json');
  if (url === '/host') return void response.end(JSON.stringify({ host: true }));
  const chunks = await message.toArray();
  response.end(JSON.stringify({ echo: JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as unknown }));
}
