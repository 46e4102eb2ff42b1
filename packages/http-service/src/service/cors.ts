import { type CorsOptions, isConfigured } from '../reading/origins.ts';
import type { CorsRule } from '../rows/operation.ts';
import type { ServiceRequest } from '../seam/request.ts';
import type { Route } from './route.ts';
import { addVary, type MutableHeaders } from './unsent-response.ts';

const ALLOW_HEADERS = [
  'accept, authorization, content-type, user-agent, x-csrftoken, x-requested-with',
  'ngrok-skip-browser-warning, content-disposition, x-api-key, range, if-none-match, if-range, last-event-id, x-request-id, idempotency-key, if-match',
].join(', ');
const EXPOSE_HEADERS =
  'Allow, Location, Link, ETag, Content-Range, Accept-Ranges, Content-Length, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id';

/** CORS rule of a request, and the origins that the service's settings allow. */
export interface Allowed {
  readonly cors: CorsOptions;
  readonly rule: CorsRule;
  /** Called with the error that a rule function throws. */
  readonly report: (error: unknown) => void;
}

/** Adds the CORS headers. `allowedOf` is called only for a request with an `Origin`. */
export function addCors(headers: MutableHeaders, request: ServiceRequest, allowedOf: () => Allowed): void {
  const { origin } = request.headers;
  // Added to every response, because otherwise a cache could send a response without CORS headers to another origin.
  addVary(headers, 'Origin');
  if (typeof origin !== 'string') return;
  const allowed = allowedOf();
  if (mayHaveCredentials(origin, allowed)) {
    headers['access-control-allow-origin'] = origin;
    headers['access-control-allow-credentials'] = 'true';
  } else if (allowed.rule === 'any') headers['access-control-allow-origin'] = '*';
  else return;
  headers['access-control-expose-headers'] = EXPOSE_HEADERS;
}

function mayHaveCredentials(origin: string, { cors, rule, report }: Allowed): boolean {
  if (typeof rule === 'function') return isAllowedBy(rule, origin, report);
  return rule !== 'none' && isConfigured(origin, cors);
}

// A rule that throws allows no origin.
function isAllowedBy(rule: (origin: string) => boolean, origin: string, report: Allowed['report']): boolean {
  try {
    return rule(origin);
  } catch (error) {
    report(error);
    return false;
  }
}

/** Headers of a preflight response (204). They allow `ALLOW_HEADERS` and the credential headers of the operation. */
export function preflightHeaders(
  route: Route,
  { headers }: ServiceRequest,
): Record<string, string | readonly string[]> {
  const announced = headers['access-control-request-method'];
  const plan = typeof announced === 'string' ? route.plans.get(announced) : undefined;
  const credentialPlaces = (plan?.policies ?? []).flatMap(({ places }) =>
    places.filter((place) => place.in === 'header'),
  );
  const more = credentialPlaces.map(({ name }) => name).filter((name) => !ALLOW_HEADERS.split(', ').includes(name));
  return {
    allow: route.allow,
    'access-control-allow-methods': route.allow,
    'access-control-allow-headers': [ALLOW_HEADERS, ...new Set(more)].join(', '),
    'access-control-max-age': '86400',
  };
}
