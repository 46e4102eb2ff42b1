import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Send, StorageRequest } from '@headwater/object-storage';
import { listenOnLoopback, type Loopback } from '../../scripts/loopback.mjs';

/** A storage on a port of this machine: answers requests as `send` does. */
export async function bucketServer(send: Send): Promise<Loopback> {
  const listener = await listenOnLoopback((request: IncomingMessage, response: ServerResponse) => {
    answer(send, request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  return listener;
}

async function answer(send: Send, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { authorization, ...rest } = request.headers;
  const headers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  const href = `http://${request.headers.host}${request.url}`;
  const method = request.method as StorageRequest['method'];
  const found = await send(
    { href, method, headers, authorization, body: Buffer.concat(pieces) },
    AbortSignal.timeout(60_000),
  );
  for (const name of [
    'content-type',
    'content-range',
    'content-length',
    'etag',
    'last-modified',
    'location',
    'range',
    'x-amz-bucket-region',
    'x-amz-meta-crc32c',
    'x-amz-checksum-crc32c',
  ]) {
    const value = found.header(name);
    if (value !== undefined) response.setHeader(name, value);
  }
  response.writeHead(found.status);
  response.end(method === 'HEAD' ? undefined : await found.bytes(2 ** 30));
}
