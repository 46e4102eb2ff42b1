import type { AssetFile } from '@headwater/core';
import type { ServiceRequest } from '../seam/request.ts';

/** Headers of a request. */
export type RequestHeaders = ServiceRequest['headers'];

/** What tells one version of a file from another. */
export type Validators = Pick<AssetFile, 'etag' | 'modified'>;

/** The status that a request's conditions ask for instead of the file (RFC 9110, 13.2.2); undefined = send it. */
export function conditionStatus(file: Validators, request: RequestHeaders): 304 | 412 | undefined {
  if (isOtherThanExpected(file, request)) return 412;
  return isFresh(file, request) ? 304 : undefined;
}

/**
 * True when a `Range` may be answered with a part: a range of another version would be glued to the wrong bytes, then the whole
 * file is sent. `isLasting`: the address answers one version for ever. Elsewhere a date is no strong validator (RFC 9110,
 * 8.8.2.2): two versions may have been written within its second.
 */
export function rangeApplies(file: Validators, isLasting: boolean, request: RequestHeaders): boolean {
  const condition = single(request['if-range']);
  if (condition === undefined) return true;
  if (condition.startsWith('"') || condition.startsWith('W/')) return condition === quoted(file);
  return isLasting && seconds(httpDate(condition)) === seconds(file.modified.getTime());
}

/** Milliseconds since 1970 of an HTTP date; its old form (asctime) names no zone and is in GMT as the others (RFC 9110, 5.6.7). */
function httpDate(text: string): number {
  return Date.parse(text.replace(/ \d{4}\s*$/, '$& GMT'));
}

/** A header's text; repeated ones joined as lists are. */
export function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

function isOtherThanExpected(file: Validators, request: RequestHeaders): boolean {
  const tags = single(request['if-match']);
  // Compared strongly: a weak tag is nobody's.
  if (tags !== undefined) return !(tags.trim() === '*' || tagsOf(tags).includes(quoted(file)));
  const until = httpDate(single(request['if-unmodified-since']) ?? '');
  return Number.isFinite(until) && seconds(file.modified.getTime()) > seconds(until);
}

function isFresh(file: Validators, request: RequestHeaders): boolean {
  const isKnown = knowsTag(quoted(file), request);
  if (isKnown !== undefined) return isKnown;
  const since = httpDate(single(request['if-modified-since']) ?? '');
  return Number.isFinite(since) && seconds(file.modified.getTime()) <= seconds(since);
}

/**
 * True if `If-None-Match` names this tag (quoted, as it is sent), compared weakly; undefined without the header. The only reader of that
 * header.
 */
export function knowsTag(etag: string, request: RequestHeaders): boolean | undefined {
  const tags = single(request['if-none-match']);
  if (tags === undefined) return undefined;
  return tags.trim() === '*' || (tags.match(TAGS) ?? []).some((tag) => weak(tag) === weak(etag));
}

const TAGS = /(?:W\/)?"[^"]*"/g;

const weak = (tag: string): string => tag.replace(/^W\//, '');

function tagsOf(list: string): readonly string[] {
  return list.split(',').map((tag) => tag.trim());
}

function quoted({ etag }: Validators): string {
  return `"${etag}"`;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
