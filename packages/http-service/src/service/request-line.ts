import type { ServiceRequest } from '../seam/request.ts';

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Splits a request's URL into path and query. Several slashes at the start are reduced to one, because some clients send two. */
export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  // Scheme and host are removed, because proxies may send an absolute address (RFC 9112, 3.2.2).
  if (!url.startsWith('/')) return splitUrl(url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/'));
  const at = url.indexOf('?');
  const raw = at < 0 ? url : url.slice(0, at);
  const path = raw.startsWith('//') ? raw.replace(/^\/+/, '/') : raw;
  return { path: path === '' ? '/' : path, query: at < 0 ? '' : url.slice(at + 1) };
}

/** Longest path in a log line, UTF-16 code units. */
const LONGEST_LOGGED = 500;

/** Shortens a path for a log line, because clients may send tens of kilobytes. */
export function loggedPath(path: string): string {
  return path.length <= LONGEST_LOGGED ? path : `${path.slice(0, LONGEST_LOGGED)}…`;
}

/**
 * Creates the function that returns a request's id: the client's id if it sent a valid one, otherwise a new id. A new
 * id consists of a random prefix, which is created once, and a counter. Creating random bits for each request would
 * take longer than routing it.
 */
export function createRequestIds(): (request: ServiceRequest) => string {
  const prefix = crypto.randomUUID().slice(0, 18);
  let count = 0;
  return ({ headers }) => {
    const sent = headers['x-request-id'];
    if (typeof sent === 'string' && REQUEST_ID.test(sent)) return sent;
    count += 1;
    return `${prefix}-${count.toString(36).padStart(17, '0')}`;
  };
}
