import type { ServiceRequest } from '../seam.ts';
import type { Match } from './router.ts';

// Any port of a developer's machine and of private 192.168.* networks, as the live system allows.
const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|192\.168\.\d{1,3}\.\d{1,3})(?::\d{1,5})?$/;
const ALLOW_HEADERS = [
  'accept, authorization, content-type, user-agent, x-csrftoken, x-requested-with',
  'ngrok-skip-browser-warning, content-disposition, x-api-key, range, if-none-match, if-range, last-event-id, x-request-id',
].join(', ');
const EXPOSE_HEADERS =
  'Allow, Location, ETag, Content-Range, Accept-Ranges, Content-Length, Retry-After, WWW-Authenticate, X-Request-Id';

/** Origins beyond local ones that may read answers and send credentials. */
export interface CorsOptions {
  readonly origins: readonly string[];
}

/** Adds CORS headers: named and local origins everywhere, every origin on public GETs (catalogue, files). */
export function addCors(
  headers: Record<string, string | readonly string[]>,
  request: ServiceRequest,
  allowed: Allowed,
): void {
  const { origin } = request.headers;
  // The answer depends on Origin even where none was sent: caches must keep the variants apart.
  headers['vary'] = headers['vary'] === undefined ? 'Origin' : `${String(headers['vary'])}, Origin`;
  if (typeof origin !== 'string') return;
  if (allowed.cors.origins.includes(origin) || LOCAL.test(origin)) {
    headers['access-control-allow-origin'] = origin;
    headers['access-control-allow-credentials'] = 'true';
  } else if (allowed.publicGet) headers['access-control-allow-origin'] = '*';
  else return;
  headers['access-control-expose-headers'] = EXPOSE_HEADERS;
}

/** What decides about an origin. */
export interface Allowed {
  readonly cors: CorsOptions;
  /** The request is a GET or HEAD of a public row, or its preflight. */
  readonly publicGet: boolean;
}

/** True for a GET or HEAD of a public row, and for the preflight of one. */
export function isPublicGet(match: Match, { method, headers }: ServiceRequest): boolean {
  const meant = method === 'OPTIONS' ? headers['access-control-request-method'] : method;
  return (meant === 'GET' || meant === 'HEAD') && match.route.methods.get('GET')?.auth === 'public';
}

/** Headers of a preflight answer (204), before CORS proper is added. */
export function preflightHeaders(match: Match): Record<string, string | readonly string[]> {
  return {
    allow: match.route.allow,
    'access-control-allow-methods': match.route.allow,
    'access-control-allow-headers': ALLOW_HEADERS,
    'access-control-max-age': '86400',
  };
}
