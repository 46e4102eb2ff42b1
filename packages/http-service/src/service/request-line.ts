import type { ServiceRequest } from '../seam/request.ts';

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Path and query of a request's URL; leading slashes are collapsed, because some clients send two. */
export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  // Proxies may send the whole address (RFC 9112, 3.2.2).
  if (!url.startsWith('/')) return splitUrl(url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/'));
  const at = url.indexOf('?');
  const raw = at < 0 ? url : url.slice(0, at);
  const path = raw.startsWith('//') ? raw.replace(/^\/+/, '/') : raw;
  return { path: path === '' ? '/' : path, query: at < 0 ? '' : url.slice(at + 1) };
}

/** Longest path that a log line tells, UTF-16 code units. */
const LONGEST_LOGGED = 500;

/** A path for a log line: callers may send tens of kilobytes. */
export function loggedPath(path: string): string {
  return path.length <= LONGEST_LOGGED ? path : `${path.slice(0, LONGEST_LOGGED)}…`;
}

/**
 * Tells a request's id: the caller's where it gave a sound one, else a new one. New ones begin with random bits of this service
 * and are counted: random bits for each would cost more than finding its route.
 */
export function createRequestIds(): (request: ServiceRequest) => string {
  const prefix = crypto.randomUUID().slice(0, 18);
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36).padStart(17, '0')}`;
  };
}
