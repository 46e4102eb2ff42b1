import { type AssetFile, DomainError } from '@headwater/core';
import type { Reply } from '../seam/reply.ts';
import type { Encoding } from '../reading/accept-encoding.ts';
import { readRange } from './byte-range.ts';
import { conditionStatus, rangeApplies, single, type RequestHeaders, type Validators } from '../reading/conditions.ts';

/** Values for the headers of a stored file. */
export interface Presentation {
  readonly mediaType: string;
  /** File name for saving; absent = the browser shows the file. */
  readonly download?: string;
  /** True if the bytes at the address never change. False: clients must revalidate. */
  readonly isLasting: boolean;
  readonly encoding?: Encoding;
}

/** A stored file and its headers. */
export interface FileToServe extends Presentation {
  /** `whole`: the content, if it is in memory. It is then sent at once, because a stream takes longer. */
  readonly file: AssetFile & { readonly whole?: string | Uint8Array | undefined };
}

/** Answers a GET or HEAD of a file with 200, 206, 304 or 412. Throws 416, and the error of the first read. */
export async function serveFile(served: FileToServe, method: string, request: RequestHeaders): Promise<Reply> {
  const { file, isLasting } = served;
  const early = conditionReply(served, file, request);
  if (early !== undefined) return early;
  const isPart = method === 'GET' && !isPacked(served) && rangeApplies(file, isLasting, request);
  const range = isPart ? readRange(single(request['range']), file.bytes) : 'whole';
  if (range === 'unsatisfiable') {
    const message = `Range: the file has ${file.bytes} bytes; request a range within the file`;
    throw new DomainError('range_not_satisfiable', message, { details: { total: file.bytes } });
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range;
  const status = range === 'whole' ? 200 : 206;
  const headers = { ...baseHeaders(served, file), 'content-type': served.mediaType, ...encodingHeader(served) };
  const sized = { ...headers, 'content-length': String(end - start + 1) };
  const full = status === 206 ? { ...sized, 'content-range': `bytes ${start}-${end}/${file.bytes}` } : sized;
  const empty = method === 'HEAD' || end < start;
  const whole = status === 200 ? file.whole : undefined;
  const body = empty ? undefined : (whole ?? (await withFirstRead(file.stream(start, end))));
  return { status, headers: full, body };
}

/** Reads the first piece, so that an unreadable file causes an error before the status is sent. */
async function withFirstRead(stream: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
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

/** The reply 304 or 412 of a conditional request; otherwise undefined. Does not read the file. */
export function conditionReply(served: Presentation, file: Validators, request: RequestHeaders): Reply | undefined {
  const status = conditionStatus(file, request);
  return status === undefined ? undefined : { status, headers: baseHeaders(served, file), body: undefined };
}

/** The reply to HEAD for a response that is not built yet. The length is unknown. */
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
    // Responses are cached for one day, because files of replaced Items are removed after one day.
    'cache-control': isLasting ? 'public, max-age=86400, immutable' : 'no-cache',
    // Browsers run scripts in XML files, such as style files. The policy forbids these scripts.
    'content-security-policy': "default-src 'none'; sandbox",
    ...(download === undefined ? {} : { 'content-disposition': `attachment; filename="${download}"` }),
  };
}
