import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Send, StorageRequest } from '@headwater/object-storage';
import { listenOnLoopback, type Loopback } from '../../scripts/loopback.mjs';

/**
 * Slowness of a request. `throttled`: sent in small pieces with pauses. `silent`: executed, but without response.
 * `stalled`: the response stops in its body.
 */
export type Slowness = 'throttled' | 'silent' | 'stalled';

/** Size of a piece of a throttled response, bytes. */
const PIECE = 4096;
/** Pause after each piece of a throttled request or response, ms. */
const PIECE_MS = 5;

/** Starts a storage on this machine. `send` computes responses; `slow` returns the slowness of a request. */
export async function bucketServer(send: Send, slow: () => Slowness | undefined = () => undefined): Promise<Loopback> {
  const listener = await listenOnLoopback((request: IncomingMessage, response: ServerResponse) => {
    answer(send, request, { response, slowness: slow() }).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  return listener;
}

interface Answering {
  readonly response: ServerResponse;
  readonly slowness: Slowness | undefined;
}

async function answer(send: Send, request: IncomingMessage, { response, slowness }: Answering): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) {
    pieces.push(piece as Buffer);
    if (slowness === 'throttled') await pause(PIECE_MS);
  }
  const { authorization, ...rest } = request.headers;
  const headers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
  const href = `http://${request.headers.host}${request.url}`;
  const method = request.method as StorageRequest['method'];
  const found = await send(
    { href, method, headers, authorization, body: Buffer.concat(pieces) },
    AbortSignal.timeout(60_000),
  );
  if (slowness === 'silent') return await closed(response);
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
  const body = method === 'HEAD' ? new Uint8Array() : await found.bytes(2 ** 30);
  if (slowness === 'stalled' && body.length > 1) {
    response.write(body.subarray(0, body.length / 2));
    return await closed(response);
  }
  if (slowness === 'throttled') await writeSlowly(response, body);
  else response.end(body);
}

async function writeSlowly(response: ServerResponse, body: Uint8Array): Promise<void> {
  for (let at = 0; at < body.length && !response.destroyed; at += PIECE) {
    response.write(body.subarray(at, at + PIECE));
    await pause(PIECE_MS);
  }
  response.end();
}

async function closed(response: ServerResponse): Promise<void> {
  if (!response.destroyed) await once(response, 'close');
}
