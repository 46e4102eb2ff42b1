import type { ServiceRequest } from '../seam/request.ts';

// Local origins: all ports of this machine and of machines in 192.168.* networks. Local origins are always allowed, because
// existing clients use them.
const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|192\.168\.\d{1,3}\.\d{1,3})(?::\d{1,5})?$/;

/** Configured origins that may read responses and send credentials, in addition to local origins. */
export interface CorsOptions {
  readonly origins: readonly string[];
}

/** True for a local or configured origin, which may send credentials. */
export const isConfigured = (origin: string, { origins }: CorsOptions): boolean =>
  origins.includes(origin) || LOCAL.test(origin);

/** True for a request that a page of another site caused. */
export type CrossSiteTest = (request: Pick<ServiceRequest, 'headers'>) => boolean;

/** Origins whose pages may call: the origin of the service (`baseUrl`), and the origins that CORS accepts. */
export interface OwnPages extends CorsOptions {
  readonly baseUrl: string;
}

/**
 * Creates the test. A request with the header `Origin` comes from another site, with two exceptions: the origin is the origin of
 * the service or of the requested host, or CORS accepts the origin. A request without `Origin` (`<img>`, a link) comes from another
 * site if its header `Sec-Fetch-Site` is `cross-site`.
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
