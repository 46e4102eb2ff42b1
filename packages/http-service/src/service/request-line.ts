import type { ServiceRequest } from '../seam/request.ts';

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Splits a URL into path and query. Several leading slashes become one, because some clients send two. */
export function splitUrl(url: string): { readonly path: string; readonly query: string } {
  // Proxies may send an absolute address (RFC 9112, 3.2.2).
  if (!url.startsWith('/')) return splitUrl(url.replace(/^https?:\/\/[^/?]*/i, '').replace(/^(?!\/)/, '/'));
  const at = url.indexOf('?');
  const raw = at < 0 ? url : url.slice(0, at);
  const path = raw.startsWith('//') ? raw.replace(/^\/+/, '/') : raw;
  return { path: path === '' ? '/' : path, query: at < 0 ? '' : url.slice(at + 1) };
}

const LONGEST_LOGGED = 500;

/** Shortens a path for logs, because clients may send tens of kilobytes. */
export function loggedPath(path: string): string {
  return path.length <= LONGEST_LOGGED ? path : `${path.slice(0, LONGEST_LOGGED)}…`;
}

/**
 * Creates the function that returns a request's id: a valid id from the client, or a random prefix and a counter.
 * Random bits per request would be slow.
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
