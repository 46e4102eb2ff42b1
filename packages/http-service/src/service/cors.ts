import type { CorsRule } from '../rows/operation.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { Route } from './route.ts';
import { addVary, type MutableHeaders } from './unsent-response.ts';

// Any port of a developer's machine and of private 192.168.* networks, as the live system allows.
const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|192\.168\.\d{1,3}\.\d{1,3})(?::\d{1,5})?$/;
const ALLOW_HEADERS = [
  'accept, authorization, content-type, user-agent, x-csrftoken, x-requested-with',
  'ngrok-skip-browser-warning, content-disposition, x-api-key, range, if-none-match, if-range, last-event-id, x-request-id, idempotency-key, if-match',
].join(', ');
const EXPOSE_HEADERS =
  'Allow, Location, ETag, Content-Range, Accept-Ranges, Content-Length, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id';

/** Origins beyond local ones that may read answers and send credentials. */
export interface CorsOptions {
  readonly origins: readonly string[];
}

/** What decides about an origin. */
export interface Allowed {
  readonly cors: CorsOptions;
  readonly rule: CorsRule;
  /** Told of a rule that throws. */
  readonly report: (error: unknown) => void;
}

/** Adds CORS headers as the rule wants them. */
export function addCors(headers: MutableHeaders, request: ServiceRequest, allowed: Allowed): void {
  const { origin } = request.headers;
  // The answer depends on Origin even where none was sent: caches must keep the variants apart.
  addVary(headers, 'Origin');
  if (typeof origin !== 'string') return;
  if (mayHaveCredentials(origin, allowed)) {
    headers['access-control-allow-origin'] = origin;
    headers['access-control-allow-credentials'] = 'true';
  } else if (allowed.rule === 'any') headers['access-control-allow-origin'] = '*';
  else return;
  headers['access-control-expose-headers'] = EXPOSE_HEADERS;
}

function mayHaveCredentials(origin: string, { cors, rule, report }: Allowed): boolean {
  if (typeof rule === 'function') return asked(rule, origin, report);
  return rule !== 'none' && (cors.origins.includes(origin) || LOCAL.test(origin));
}

// A rule that fails lets nobody in, which is the safe side.
function asked(rule: (origin: string) => boolean, origin: string, report: Allowed['report']): boolean {
  try {
    return rule(origin);
  } catch (error) {
    report(error);
    return false;
  }
}

/** Headers of a preflight answer (204), before CORS proper is added; headers that the meant row's policies read may be sent too. */
export function preflightHeaders(
  route: Route,
  { headers }: ServiceRequest,
): Record<string, string | readonly string[]> {
  const meant = headers['access-control-request-method'];
  const plan = typeof meant === 'string' ? route.plans.get(meant) : undefined;
  const read = (plan?.policies ?? []).flatMap(({ places }) => places.filter((place) => place.in === 'header'));
  const more = read.map(({ name }) => name).filter((name) => !ALLOW_HEADERS.split(', ').includes(name));
  return {
    allow: route.allow,
    'access-control-allow-methods': route.allow,
    'access-control-allow-headers': [ALLOW_HEADERS, ...new Set(more)].join(', '),
    'access-control-max-age': '86400',
  };
}
