import type { ServiceRequest } from '../seam.ts';

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

/** The caller's request id where it gave a sound one, else a new one. */
export function requestIdOf({ headers }: ServiceRequest): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : crypto.randomUUID();
}
