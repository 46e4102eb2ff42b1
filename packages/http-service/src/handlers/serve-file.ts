import { type AssetFile, DomainError } from '@headwater/core';
import type { OperationInput } from '../operation.ts';
import type { Reply } from '../reply.ts';
import { readRange } from './byte-range.ts';

type Headers = OperationInput<'public', unknown, unknown, unknown>['headers'];

/** A stored file and how to present it. */
export interface FileToServe {
  readonly file: AssetFile;
  readonly mediaType: string;
  /** Name that browsers save it under; absent = shown inline. */
  readonly download?: string;
  readonly cacheControl: string;
}

/** Answers a GET or HEAD of a file: validators, `If-None-Match`, `Range` with `If-Range`; 200, 206, 304 or throws 416. */
export function serveFile(served: FileToServe, method: string, request: Headers): Reply {
  const { file } = served;
  const headers = baseHeaders(served);
  if (isFresh(file, request)) return { status: 304, headers, body: undefined };
  const range =
    method === 'GET' && rangeApplies(file, request) ? readRange(single(request['range']), file.bytes) : 'whole';
  if (range === 'unsatisfiable') {
    const message = `Range: the file has ${file.bytes} bytes; ask within them`;
    throw new DomainError('range_not_satisfiable', message, { details: { total: file.bytes } });
  }
  const { start, end } = range === 'whole' ? { start: 0, end: file.bytes - 1 } : range;
  const status = range === 'whole' ? 200 : 206;
  const sized = { ...headers, 'content-type': served.mediaType, 'content-length': String(end - start + 1) };
  const full = status === 206 ? { ...sized, 'content-range': `bytes ${start}-${end}/${file.bytes}` } : sized;
  const empty = method === 'HEAD' || end < start;
  return { status, headers: full, body: empty ? undefined : file.stream(start, end) };
}

function baseHeaders({ file, download, cacheControl }: FileToServe): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    etag: `"${file.etag}"`,
    'last-modified': file.modified.toUTCString(),
    'cache-control': cacheControl,
    // Style files are XML: they must not run as a page of this origin.
    'content-security-policy': "default-src 'none'; sandbox",
    ...(download === undefined ? {} : { 'content-disposition': `attachment; filename="${download}"` }),
  };
}

function isFresh(file: AssetFile, request: Headers): boolean {
  const tags = single(request['if-none-match']);
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${file.etag}"`);
  }
  const since = Date.parse(single(request['if-modified-since']) ?? '');
  return Number.isFinite(since) && seconds(file.modified.getTime()) <= seconds(since);
}

// A range of another version of the file would be glued to the wrong bytes: then the whole file is sent.
function rangeApplies(file: AssetFile, request: Headers): boolean {
  const condition = single(request['if-range']);
  if (condition === undefined) return true;
  if (condition.startsWith('"') || condition.startsWith('W/')) return condition === `"${file.etag}"`;
  return seconds(Date.parse(condition)) === seconds(file.modified.getTime());
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}
