import { type AssetFile, DomainError } from '@headwater/core';
import type { Reply } from '../seam/reply.ts';
import type { Encoding } from '../reading/accept-encoding.ts';
import { readRange } from './byte-range.ts';
import { conditionStatus, rangeApplies, single, type RequestHeaders, type Validators } from '../reading/conditions.ts';

/** How to present a stored file. */
export interface Presentation {
  readonly mediaType: string;
  /** Name that browsers save it under; absent = shown inline. */
  readonly download?: string;
  /** The address names a version, whose bytes never change; otherwise it answers the newest one, and has to be asked again. */
  readonly isLasting: boolean;
  /** How the bytes are encoded, where the address answers in several ways; absent = always as they are. */
  readonly encoding?: Encoding;
}

/** A stored file and how to present it. */
export interface FileToServe extends Presentation {
  readonly file: AssetFile;
}

/**
 * Answers a GET or HEAD of a file: conditions, then `Range` with `If-Range`; 200, 206, 304, 412 or throws 416. Throws what the first read of
 * the file throws: `unavailable` if it has been removed or replaced since it was opened.
 */
export async function serveFile(served: FileToServe, method: string, request: RequestHeaders): Promise<Reply> {
  const { file, isLasting } = served;
  const early = conditionReply(served, file, request);
  if (early !== undefined) return early;
  const isPart = method === 'GET' && !isPacked(served) && rangeApplies(file, isLasting, request);
  const range = isPart ? readRange(single(request['range']), file.bytes) : 'whole';
  if (range === 'unsatisfiable') {
    const message = `Range: the file has ${file.bytes} bytes; ask within them`;
    throw new DomainError('range_not_satisfiable', message, { details: { total: file.bytes } });
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range;
  const status = range === 'whole' ? 200 : 206;
  const headers = { ...baseHeaders(served, file), 'content-type': served.mediaType, ...encodingHeader(served) };
  const sized = { ...headers, 'content-length': String(end - start + 1) };
  const full = status === 206 ? { ...sized, 'content-range': `bytes ${start}-${end}/${file.bytes}` } : sized;
  const empty = method === 'HEAD' || end < start;
  return { status, headers: full, body: empty ? undefined : await begun(file.stream(start, end)) };
}

/** The same stream after its first read: what cannot be read is refused before a status is sent. */
async function begun(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
  const reader = stream.getReader();
  const readFirst = reader.read();
  await readFirst;
  let next = (): typeof readFirst => readFirst;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const piece = await next();
        next = () => reader.read();
        if (piece.done) controller.close();
        else controller.enqueue(piece.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** The answer to a condition that makes the file itself needless: 304 or 412. Nothing of the file is read for it. */
export function conditionReply(served: Presentation, file: Validators, request: RequestHeaders): Reply | undefined {
  const status = conditionStatus(file, request);
  return status === undefined ? undefined : { status, headers: baseHeaders(served, file), body: undefined };
}

/** The answer to HEAD while nobody has made the file: without its length. */
export function headReply(served: Presentation, file: Validators): Reply {
  const headers = { ...baseHeaders(served, file), 'content-type': served.mediaType, ...encodingHeader(served) };
  return { status: 200, headers, body: undefined };
}

function isPacked({ encoding = 'identity' }: Presentation): boolean {
  return encoding !== 'identity';
}

function encodingHeader(served: Presentation): Record<string, string> {
  return served.encoding !== undefined && isPacked(served) ? { 'content-encoding': served.encoding } : {};
}

function baseHeaders(served: Presentation, file: Validators): Record<string, string> {
  const { download, isLasting, encoding } = served;
  return {
    ...(encoding === undefined ? {} : { vary: 'Accept-Encoding' }),
    'accept-ranges': isPacked(served) ? 'none' : 'bytes',
    etag: `"${file.etag}"`,
    'last-modified': file.modified.toUTCString(),
    // A day: as long as files of replaced Items are kept at least by default.
    'cache-control': isLasting ? 'public, max-age=86400, immutable' : 'no-cache',
    // Style files are XML: they must not run as a page of this origin.
    'content-security-policy': "default-src 'none'; sandbox",
    ...(download === undefined ? {} : { 'content-disposition': `attachment; filename="${download}"` }),
  };
}
