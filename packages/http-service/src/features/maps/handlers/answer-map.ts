import type { MapReply } from '@headwater/core/ports';
import type { ServiceDeps } from '../../../deps.ts';
import { serveFile } from '../../../answering/serve-file.ts';
import { compressedPieces } from '../../../caching/compressing.ts';
import { type RequestHeaders, knowsTag } from '../../../reading/conditions.ts';
import { chooseEncoding } from '../../../reading/accept-encoding.ts';
import { decode } from '../../../reading/query.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { mapServerSegments } from '../../../wire/paths.ts';
import type { OgcQuery } from './ogc.ts';

/** The parts of an operation's input that a map server gets. */
export interface MapInput {
  readonly path: string;
  readonly query: OgcQuery;
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly signal: AbortSignal;
}

/**
 * `Cache-Control` of addresses with a version, whose responses never change. Responses of all other addresses must be
 * revalidated.
 */
const LASTING = 'public, max-age=31536000, immutable';

/** Sends a request to the map server, and answers conditional requests by the ETag of the reply. */
export async function answerMap({ mapServer }: Pick<ServiceDeps, 'mapServer'>, input: MapInput): Promise<Reply> {
  const { path, query, method, headers, signal } = input;
  if (mapServer === undefined) throw absent('path', { path: path.slice(0, 200) });
  const reply = await mapServer.answer({
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    segments: mapServerSegments(path).map((segment) => decode(segment, 'path')),
    query,
    headers,
    signal,
  });
  const { body, etag } = reply;
  if (
    reply.status === 200 &&
    body instanceof Uint8Array &&
    etag !== undefined &&
    reply.headers['accept-ranges'] === 'bytes'
  )
    return await withRanges(reply, { bytes: body, etag }, input);
  return withConditions(reply, headers);
}

async function withRanges(
  { headers, isLasting = false }: MapReply,
  { bytes, etag }: { readonly bytes: Uint8Array; readonly etag: string },
  { method, headers: request }: MapInput,
): Promise<Reply> {
  const file = {
    bytes: bytes.byteLength,
    etag,
    // The real time is unknown, but clients revalidate with the ETag.
    modified: new Date(),
    stream: (start: number, end: number) => streamOf(bytes.subarray(start, end + 1)),
  };
  const { 'content-type': mediaType = 'application/octet-stream', ...others } = headers;
  const reply = await serveFile({ file, mediaType, isLasting }, method, request);
  return 'body' in reply ? { ...reply, headers: { ...GUARDS, ...others, ...reply.headers } } : reply;
}

async function withConditions(reply: MapReply, request: RequestHeaders): Promise<Reply> {
  const { status, body, etag, isLasting = false } = reply;
  const isFound = status === 200 || status === 304;
  const cacheControl = etag !== undefined && isFound && isLasting ? LASTING : 'no-cache';
  const headers: Readonly<Record<string, string>> = { 'cache-control': cacheControl, ...GUARDS, ...reply.headers };
  if (etag === undefined || status !== 200) return { status, headers, body };
  const tag = `"${etag}"`;
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const { 'content-type': type = 'application/octet-stream', ...others } = headers;
    return { status, prepared: { bytes: Buffer.from(body), type, etag: tag }, headers: others };
  }
  const encoding = chooseEncoding(request['accept-encoding']);
  const sent = body === undefined || encoding === 'identity' ? tag : `"${etag}-${encoding}"`;
  const conditions = { 'cache-control': cacheControl, etag: sent, vary: 'Accept-Encoding' };
  if (knowsTag(sent, request) === true) {
    await body?.cancel();
    return { status: 304, headers: conditions, body: undefined };
  }
  if (sent === tag || body === undefined || encoding === 'identity')
    return { status, headers: { ...headers, ...conditions }, body };
  const packed = ReadableStream.from(compressedPieces(body, encoding));
  return { status, headers: { ...headers, ...conditions, 'content-encoding': encoding }, body: packed };
}

/** Headers of responses with content: texts of the data or the request must not run as a page of this origin. */
const GUARDS: Readonly<Record<string, string>> = { 'content-security-policy': "default-src 'none'; sandbox" };

const streamOf = (bytes: Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
