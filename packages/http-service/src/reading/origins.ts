import type { ServiceRequest } from '../seam/request.ts';

// Local origins: all ports of this machine and of 192.168.* networks. Always allowed, because existing clients use
// them.
const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|192\.168\.\d{1,3}\.\d{1,3})(?::\d{1,5})?$/;

/** Configured origins, which may read responses and send credentials. */
export interface CorsOptions {
  readonly origins: readonly string[];
}

/** True for a local or configured origin. */
export const isConfigured = (origin: string, { origins }: CorsOptions): boolean =>
  origins.includes(origin) || LOCAL.test(origin);

/** Returns true for a request from a page of another site. */
export type CrossSiteTest = (request: Pick<ServiceRequest, 'headers'>) => boolean;

/** Origins whose pages may send requests: the service itself, and the origins that CORS accepts. */
export interface OwnPages extends CorsOptions {
  readonly baseUrl: string;
}

/**
 * Creates the test. It compares `Origin` with the service, the requested host and the allowed origins. Without
 * `Origin`, a request with `Sec-Fetch-Site: cross-site` is from another site.
 */
export function crossSiteTest({ origins, baseUrl }: OwnPages): CrossSiteTest {
  const own = new URL(baseUrl).origin;
  return ({ headers }) => {
    const { origin, host } = headers;
    if (origin === undefined) return headers['sec-fetch-site'] === 'cross-site';
    const sent = String(origin);
    const isOfHost = URL.canParse(sent) && new URL(sent).host === host;
    return sent !== own && !isOfHost && !isConfigured(sent, { origins });
  };
}
