import { invalidRequest } from '../errors.ts';

/** Returns a bearer token; `refresh` is true if the last token was refused. */
export type TokenProvider = (request: { readonly refresh: boolean }) => string | Promise<string>;

/** Credentials of the client. If both a user name and a token are present, the token is used. */
export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /**
   * A token or its provider. The timeout of a request also limits the provider. If the provider throws an error, the request fails with the
   * code `unreachable`.
   */
  readonly token?: string | TokenProvider | undefined;
}

/**
 * Provides the `Authorization` header of requests. The value is fetched once, and fetched again only after the orchestrator has refused
 * it.
 */
export interface Authorization {
  /** False if there are no credentials. */
  readonly isGiven: boolean;
  /** Value of the header; undefined if no header is sent. */
  readonly header: () => Promise<string | undefined>;
  /** Called after the orchestrator has refused the value `used` with a 401. True if another value is available for one more attempt. */
  readonly renew: (used: string | undefined) => Promise<boolean>;
}

/**
 * Creates the authorization from fixed credentials or a provider. The token of a provider is cached until it is refused. `timeoutMs` limits each
 * call of the provider.
 */
export function authorizationOf(credentials: Credentials, timeoutMs: number): Authorization {
  const { token, username, password } = credentials;
  if (typeof token === 'function') return providedToken((request) => inTime(token, request, timeoutMs));
  if (token !== undefined && token !== '') {
    if (!SENDABLE.test(token)) throw invalidRequest('credentials.token', `contains ${UNSENDABLE}; give the token only`);
    return fixed(`Bearer ${token}`);
  }
  if (username === undefined || username === '') return fixed(undefined);
  if (username.includes(':'))
    throw invalidRequest('credentials.username', 'contains a colon, which basic authentication does not allow');
  return fixed(`Basic ${base64(`${username}:${password ?? ''}`)}`);
}

/** Matches texts that a header can contain. Other tokens are refused, because `fetch` would quote such a token in its error. */
const SENDABLE = /^[\x21-\x7e]+$/;
const UNSENDABLE = 'spaces, line ends or other characters that a header cannot contain';

/** Calls the provider with a timeout; throws if the provider hangs, throws, or returns a token that cannot be sent. */
async function inTime(provider: TokenProvider, request: { refresh: boolean }, timeoutMs: number): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_settle, reject) => {
    const reason = new DOMException(`it took longer than ${timeoutMs / 1000} s`, 'TimeoutError');
    timer = setTimeout(() => reject(reason), timeoutMs);
  });
  try {
    const token: unknown = await Promise.race([provider(request), late]);
    if (typeof token === 'string' && SENDABLE.test(token)) return token;
    throw new TypeError(typeof token === 'string' ? `the token contains ${UNSENDABLE}` : 'the token is not a string');
  } finally {
    clearTimeout(timer);
  }
}

const fixed = (value: string | undefined): Authorization => ({
  isGiven: value !== undefined,
  header: () => Promise.resolve(value),
  renew: () => Promise.resolve(false),
});

/** Creates the authorization with a provider. If several requests are refused at the same time, they share one new token. */
export function providedToken(provider: TokenProvider): Authorization {
  let current: Promise<string> | undefined;
  const fetchToken = (refresh: boolean): Promise<string> => {
    const fetching = Promise.resolve(provider({ refresh })).then((token) => `Bearer ${token}`);
    current = fetching;
    fetching.catch(() => {
      if (current === fetching) current = undefined;
    });
    return fetching;
  };
  return {
    isGiven: true,
    header: () => current ?? fetchToken(false),
    renew: async (used) => {
      const before = current;
      const value = before === undefined ? undefined : await before;
      if (value === used && current === before) await fetchToken(true);
      return true;
    },
  };
}

/** Encodes the UTF-8 bytes of a text as base64. `btoa` alone is not enough, because it accepts only Latin-1. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
