import { DomainError, isDomainError, type Logger } from '@headwater/core';
import {
  type CredentialSource,
  hostAccount,
  type HostUser,
  type RequestHeaders,
  type Stores,
  type UserPrincipal,
} from '@headwater/identity';

/** Request for the host's sign-in. */
export interface HostRequest {
  readonly method: string;
  /** Public address of the request. For pages that only show the reader's name, it may lack the path. */
  readonly url: string;
  /** Names in lower case; the values of a repeated header are an array, or joined as one text. */
  readonly headers: RequestHeaders;
}

/**
 * Sign-in of the host: returns the user of a request, or null. Called for every request that needs a user, and again
 * during long responses.
 */
export type HostAuthenticate = (request: HostRequest) => Promise<HostUser | null>;

/** Request whose user is wanted. */
export interface HostSource extends CredentialSource {
  /** True if the caller checks that no page of another site sent the request. */
  readonly isOriginChecked?: true;
}

/** Finds the host's user of a request; undefined for a visitor. */
export type HostCheck = (source: HostSource) => Promise<UserPrincipal | undefined>;

/** Parts of the check of a host's users. */
export interface HostParts {
  readonly stores: Pick<Stores, 'users'>;
  readonly baseUrl: string;
  /** Option `corsOrigins`. */
  readonly origins: readonly string[];
  readonly isOwnOrigin: (headers: RequestHeaders) => boolean;
  readonly logger: Logger;
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Creates the check of host users. Browsers send cookies also for pages of other sites. So a request from such a
 * page is refused (403) if it writes, and has no user if it reads.
 */
export function hostUserCheck(
  authenticate: HostAuthenticate,
  { stores, baseUrl, origins, isOwnOrigin, logger }: HostParts,
): HostCheck {
  const comesFromOwnPage = (headers: RequestHeaders): boolean =>
    isOwnOrigin(headers) || origins.includes(String(headers['origin']));
  return async ({ headers: sent, method, url = '/', isOriginChecked = false }) => {
    const isForeign = sent['origin'] !== undefined && !comesFromOwnPage(sent);
    if (!hasBearer(sent) && !isOriginChecked) {
      if (!READS.has(method)) checkWrite(sent, comesFromOwnPage);
      else if (isForeign) return undefined;
    }
    const headers = isForeign ? withoutCookie(sent) : sent;
    const user = await asUnavailable(() => authenticate({ method, url: baseUrl + url, headers }), {
      headers: sent,
      method,
      url,
      logger,
    });
    if (user === null || user === undefined) return undefined;
    return { kind: 'user', user: await hostAccount(user, stores.users) };
  };
}

const withoutCookie = ({ cookie: _cookie, ...headers }: RequestHeaders): RequestHeaders => headers;

// True for a request with a bearer token. The origin of such a request is not checked: pages of other sites can
// send a token only if CORS permits it.
const hasBearer = ({ authorization }: RequestHeaders): boolean => /^[ \t]*bearer[ \t]/i.test(String(authorization));

function checkWrite(headers: RequestHeaders, comesFromOwnPage: (headers: RequestHeaders) => boolean): void {
  const isOfBrowser = ['cookie', 'origin', 'sec-fetch-site'].some((name) => headers[name] !== undefined);
  if (!isOfBrowser || comesFromOwnPage(headers)) return;
  throw new DomainError(
    'forbidden',
    'Origin: a page of another site sent this request, or a program sent it with a cookie. Send it from a page of this service or of an allowed origin, or with a token as Authorization: Bearer.',
  );
}

interface SignInRequest extends Pick<CredentialSource, 'headers' | 'url'> {
  readonly method?: string | undefined;
  readonly logger?: Logger | undefined;
}

/**
 * Calls the host's sign-in. A failure is logged and becomes `unavailable`; public pages are then shown without a user.
 */
export async function asUnavailable<T>(
  call: () => Promise<T> | T,
  { headers, method, url = '/', logger }: SignInRequest,
): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (isDomainError(cause)) throw cause;
    const fields = { method, path: url.replace(/\?.*/s, ''), error: withoutCredentials(String(cause), headers) };
    logger?.error(fields, "the host's sign-in failed; requests that need a user get 503");
    throw new DomainError('unavailable', 'The sign-in of this site does not respond; try again later.', { cause });
  }
}

/** Removes credentials from a text, because the host's error may repeat them. */
function withoutCredentials(text: string, headers: RequestHeaders): string {
  const sent = ['authorization', 'cookie', 'x-api-key'].map((name) => String(headers[name] ?? '')).join(' ');
  // Shorter words are names of schemes and cookies.
  const secrets = sent.split(/[\s;,="]+/).filter(({ length }) => length >= 8);
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '[removed]'), text);
}
