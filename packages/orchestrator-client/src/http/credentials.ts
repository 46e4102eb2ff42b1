import { invalidRequest } from '../errors.ts';

/** Gives a bearer token; `refresh` is true where the last one was refused. */
export type TokenProvider = (request: { readonly refresh: boolean }) => string | Promise<string>;

/** Who asks. Where both are given the token wins. */
export interface Credentials {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A provider has as long as a request; what it throws counts as an orchestrator that cannot be reached now. */
  readonly token?: string | TokenProvider | undefined;
}

/** The header `Authorization` of requests, fetched once and again after a refusal. */
export interface Authorization {
  /** False = there are no credentials. */
  readonly isGiven: boolean;
  /** Value of the header; undefined = send none. */
  readonly header: () => Promise<string | undefined>;
  /** After a 401 of a request that carried `used`: true where another value is worth one more attempt. */
  readonly renew: (used: string | undefined) => Promise<boolean>;
}

/** Fixed credentials, or a provider whose token is kept until it is refused; `timeoutMs` is the longest that it may take. */
export function authorizationOf(credentials: Credentials, timeoutMs: number): Authorization {
  const { token, username, password } = credentials;
  if (typeof token === 'function') return providedToken((request) => inTime(token, request, timeoutMs));
  if (token !== undefined && token !== '') {
    if (!SENDABLE.test(token)) throw invalidRequest('credentials.token', `holds ${UNSENDABLE}; give the token alone`);
    return fixed(`Bearer ${token}`);
  }
  if (username === undefined || username === '') return fixed(undefined);
  if (username.includes(':'))
    throw invalidRequest('credentials.username', 'holds a colon, which basic authentication cannot carry');
  return fixed(`Basic ${base64(`${username}:${password ?? ''}`)}`);
}

/** What a header can carry; another value would be quoted in the error of `fetch`. */
const SENDABLE = /^[\x21-\x7e]+$/;
const UNSENDABLE = 'spaces, line ends or other characters that no header can carry';

/** A provider that hangs or throws, or gives what cannot be sent, fails this once and is asked again. */
async function inTime(provider: TokenProvider, request: { refresh: boolean }, timeoutMs: number): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_settle, reject) => {
    const reason = new DOMException(`it took longer than ${timeoutMs / 1000} s`, 'TimeoutError');
    timer = setTimeout(() => reject(reason), timeoutMs);
  });
  try {
    const token: unknown = await Promise.race([provider(request), late]);
    if (typeof token === 'string' && SENDABLE.test(token)) return token;
    throw new TypeError(typeof token === 'string' ? `what it gave holds ${UNSENDABLE}` : 'what it gave is no text');
  } finally {
    clearTimeout(timer);
  }
}

const fixed = (value: string | undefined): Authorization => ({
  isGiven: value !== undefined,
  header: () => Promise.resolve(value),
  renew: () => Promise.resolve(false),
});

/** Requests that are refused together ask for one new token, not one each. */
export function providedToken(provider: TokenProvider): Authorization {
  let current: Promise<string> | undefined;
  const ask = (refresh: boolean): Promise<string> => {
    const asked = Promise.resolve(provider({ refresh })).then((token) => `Bearer ${token}`);
    current = asked;
    asked.catch(() => {
      if (current === asked) current = undefined;
    });
    return asked;
  };
  return {
    isGiven: true,
    header: () => current ?? ask(false),
    renew: async (used) => {
      const before = current;
      const value = before === undefined ? undefined : await before;
      if (value === used && current === before) await ask(true);
      return true;
    },
  };
}

/** Base64 of the text's UTF-8 bytes; `btoa` alone refuses what is not Latin-1. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
