import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';

/** Bytes that begin as a GeoPackage does; the rest differs from place to place and from seed to seed. */
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

/** How one request is answered. */
export type Answering = (request: IncomingMessage, response: ServerResponse, served: Served) => void;

/** What is served now. */
export interface Served {
  bytes: Buffer;
  /** Sent with each answer. */
  headers: Record<string, string>;
}

/** A server of one file: `next` answers the requests to come, one each; behind them ranges are answered as they should be. */
export interface FileServer extends Served {
  readonly url: string;
  readonly loopback: Loopback;
  readonly next: Answering[];
  /** Headers of the requests for the file so far. */
  readonly asked: IncomingMessage['headers'][];
}

/** Serves these bytes as `/mws.gpkg`, version `"v1"`; whatever else is asked for is not there, unless `others` has it. */
export async function serveFile(bytes: Buffer, others: Readonly<Record<string, string>> = {}): Promise<FileServer> {
  const [next, asked]: [Answering[], IncomingMessage['headers'][]] = [[], []];
  const served: Served = { bytes, headers: { etag: '"v1"' } };
  const loopback = await listenOnLoopback((request, response) => {
    const path = request.url?.replace(/\?.*/, '') ?? '';
    if (path === '/mws.gpkg') {
      asked.push(request.headers);
      (next.shift() ?? properly)(request, response, served);
    } else response.writeHead(others[path] === undefined ? 404 : 200).end(others[path]);
  });
  return Object.assign(served, { url: `${loopback.origin}/mws.gpkg`, loopback, next, asked });
}

/** First byte that a request asks for; undefined where it asks for the whole, also because the file is another one by now. */
export function rangeOf({ headers }: IncomingMessage, served: Served): number | undefined {
  const [, from] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? [];
  const isSame = headers['if-range'] === undefined || headers['if-range'] === served.headers['etag'];
  return from !== undefined && isSame ? Number(from) : undefined;
}

/** As RFC 9110 has it; at most `most` bytes are sent of it, then the connection breaks. */
export function sending(most: number, more: Readonly<Record<string, string>> = {}): Answering {
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

/** The whole of what is asked for. */
export const properly: Answering = sending(Infinity);

/** An answer with this status and these headers, without a body. */
export const refusing =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answering =>
  (_, response) =>
    void response.writeHead(status, headers).end();
