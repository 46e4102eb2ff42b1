import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';

/** Bytes that begin as a GeoPackage and depend on position and seed. */
export function packageBytes(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, value = seed; at < length; at++) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648;
    bytes[at] = value >>> 16;
  }
  bytes.write('SQLite format 3\0', 'latin1');
  return bytes;
}

/** Hex SHA-256. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Responds to one request. */
export type Responder = (request: IncomingMessage, response: ServerResponse, served: Served) => void;

/** File that the server sends; tests may change it. */
export interface Served {
  bytes: Buffer;
  headers: Record<string, string>;
}

/** Server of one file. Each function in `next` responds to one request. */
export interface FileServer extends Served {
  readonly url: string;
  readonly loopback: Loopback;
  readonly next: Responder[];
  readonly requests: IncomingMessage['headers'][];
}

/** Serves `/mws.gpkg`, version `"v1"`, and `others` by path. */
export async function serveFile(bytes: Buffer, others: Readonly<Record<string, string>> = {}): Promise<FileServer> {
  const [next, requests]: [Responder[], IncomingMessage['headers'][]] = [[], []];
  const served: Served = { bytes, headers: { etag: '"v1"' } };
  const loopback = await listenOnLoopback((request, response) => {
    const path = request.url?.replace(/\?.*/, '') ?? '';
    if (path === '/mws.gpkg') {
      requests.push(request.headers);
      (next.shift() ?? properly)(request, response, served);
    } else response.writeHead(others[path] === undefined ? 404 : 200).end(others[path]);
  });
  return Object.assign(served, { url: `${loopback.origin}/mws.gpkg`, loopback, next, requests });
}

/** First byte of the range; undefined for the whole file, or if `If-Range` does not match. */
export function rangeOf({ headers }: IncomingMessage, served: Served): number | undefined {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  const isSame = headers['if-range'] === undefined || headers['if-range'] === served.headers['etag'];
  return from !== undefined && isSame ? Number(from) : undefined;
}

/** Responds by RFC 9110, but breaks the connection after `most` bytes. */
export function sending(most: number, more: Readonly<Record<string, string>> = {}): Responder {
  return (request, response, served) => {
    const from = rangeOf(request, served);
    const body = served.bytes.subarray(from ?? 0);
    const total = served.bytes.length;
    const range = from === undefined ? {} : { 'content-range': `bytes ${from}-${total - 1}/${total}` };
    const headers = { 'content-length': String(body.length), ...served.headers, ...range, ...more };
    response.writeHead(from === undefined ? 200 : 206, headers);
    if (most >= body.length) response.end(body);
    else response.write(body.subarray(0, most), () => response.socket?.destroySoon());
  };
}

/** Sends the whole requested range. */
export const properly: Responder = sending(Infinity);

/** Responds with this status and these headers, without body. */
export const refusing =
  (status: number, headers: Readonly<Record<string, string>> = {}): Responder =>
  (_, response) =>
    void response.writeHead(status, headers).end();
