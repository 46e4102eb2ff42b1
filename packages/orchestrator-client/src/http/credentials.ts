import { invalidRequest } from '../errors.ts';

/** Returns a bearer token. `refresh` is true if the last token was refused. */
export type TokenProvider = (request: { readonly refresh: boolean }) => string | Promise<string>;

/** Credentials of the client. A token has priority over a user name. */
export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A token or its provider. A request fails as `unreachable` if the provider fails, as `timeout` if it is slow. */
  readonly token?: string | TokenProvider | undefined;
}

/** Provides the `Authorization` header, cached until it is refused. */
export interface Authorization {
  /** True if there are credentials. */
  readonly isGiven: boolean;
  /** Value of the header, if any. */
  readonly header: () => Promise<string | undefined>;
  /** Called after the value `used` was refused. True if another value is available. */
  readonly renew: (used: string | undefined) => Promise<boolean>;
}

/**
 * Creates the authorization. A provider's token is cached until it is refused. `timeoutMs` limits each call of the
 * provider.
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

/** Matches tokens that a header can contain. For other tokens, `fetch` would quote the token in its error. */
const SENDABLE = /^[\x21-\x7e]+$/;
const UNSENDABLE = 'spaces, line ends or other characters that a header cannot contain';

/** Returns a token of the provider. Throws if the provider hangs, throws, or returns a token that cannot be sent. */
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

/** Creates the authorization with a provider. Simultaneous refusals share one new token. */
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

/** Base64 of the UTF-8 bytes, because `btoa` accepts only Latin-1. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
