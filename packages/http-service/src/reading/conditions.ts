import type { AssetFile } from '@headwater/core';
import type { ServiceRequest } from '../seam/request.ts';

/** Headers of a request. */
export type RequestHeaders = ServiceRequest['headers'];

/** ETag and date of a file's version. */
export type Validators = Pick<AssetFile, 'etag' | 'modified'>;

/** Status that the conditional headers require (RFC 9110, 13.2.2); undefined if the file must be sent. */
export function conditionStatus(file: Validators, request: RequestHeaders): 304 | 412 | undefined {
  if (failsPrecondition(file, request)) return 412;
  return isCachedByClient(file, request) ? 304 : undefined;
}

/**
 * True if `If-Range` permits a partial response. `isLasting`: the address has only one version; for other addresses a
 * date is not a strong validator (RFC 9110, 8.8.2.2).
 */
export function rangeApplies(file: Validators, isLasting: boolean, request: RequestHeaders): boolean {
  const condition = single(request['if-range']);
  if (condition === undefined) return true;
  if (condition.startsWith('"') || condition.startsWith('W/')) return condition === quoted(file);
  return isLasting && seconds(httpDate(condition)) === seconds(file.modified.getTime());
}

/** Time of an HTTP date, ms. Its asctime format has no zone, but also means GMT (RFC 9110, 5.6.7). */
function httpDate(text: string): number {
  return Date.parse(text.replace(/ \d{4}\s*$/, '$& GMT'));
}

/** Value of a header; repeated headers are joined with commas. */
export function single(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

function failsPrecondition(file: Validators, request: RequestHeaders): boolean {
  const tags = single(request['if-match']);
  // Strong comparison: a weak ETag never matches.
  if (tags !== undefined) return !(tags.trim() === '*' || tagsOf(tags).includes(quoted(file)));
  const until = httpDate(single(request['if-unmodified-since']) ?? '');
  return Number.isFinite(until) && seconds(file.modified.getTime()) > seconds(until);
}

function isCachedByClient(file: Validators, request: RequestHeaders): boolean {
  const matches = knowsTag(quoted(file), request);
  if (matches !== undefined) return matches;
  const since = httpDate(single(request['if-modified-since']) ?? '');
  // Only an equal date is accepted. With a later date, the client may have the previous version, because a version's
  // time is before the commit that publishes this version.
  return seconds(file.modified.getTime()) === seconds(since);
}

/** True if `If-None-Match` is `*` or contains this quoted ETag (weak comparison); undefined without the header. */
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
