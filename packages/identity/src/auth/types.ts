import type { User, UserStore } from '../ports/accounts.ts';
import type { Tokens } from './tokens.ts';

/** Headers for the bearer policy. */
export interface Credentials {
  /** `Authorization` as sent; several headers are joined by ', '. */
  readonly authorization: string | undefined;
}

/** Options of the check of an API key. */
export interface KeyLookup {
  /** True if this request was checked before, so that the use is not counted again. */
  readonly isRepeated: boolean;
}

/** Checks the text of an API key. */
export interface ApiKeyCheck {
  /** Returns the caller; rejects with the same `token_not_valid` for every invalid text. */
  authenticate(text: string, lookup?: KeyLookup): Promise<ApiKeyPrincipal>;
}

/** Remaining requests within a time window. */
export interface Allowance {
  /** `key`: one minute from the first request with a key of the account. `day`: a day (UTC). */
  readonly window: 'key' | 'day';
  /** Maximum number of requests. */
  readonly most: number;
  readonly left: number;
  /** Whole seconds until the next window, from 1. */
  readonly resetSeconds: number;
}

/** Limits the requests with credentials of a policy. */
export interface RequestLimit<P = unknown> {
  /** Counts a request. `text`: its valid credential; `principal`: its caller. */
  take(text: string, principal: P): CountedRequest | Promise<CountedRequest>;
}

/** Allowance after counting a request. */
export interface CountedRequest extends Allowance {
  readonly isRefused: boolean;
}

/** Headers by lower-case name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Parts of a request for policies. */
export interface CredentialSource {
  readonly headers: RequestHeaders;
  readonly method: string;
  /** Path and query without the prefix of the mount. */
  readonly url?: string | undefined;
  /** Address of the client, if the host knows it. */
  readonly remoteAddress?: string | undefined;
  /** Number of trusted entries of `X-Forwarded-For`; default 0. */
  readonly trustedHops?: number | undefined;
  /** Reads the fields of the body. */
  readonly body?: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Parts of a request that identify a browser. */
export interface SessionRequest {
  readonly headers: RequestHeaders;
  /** Address of the client, if the host knows it. */
  readonly remoteAddress?: string | undefined;
  /** Method in upper case; default: GET. */
  readonly method?: string;
  /** Path and query without the prefix of the mount; default: `/`. */
  readonly url?: string | undefined;
  /** True for a request that an open page repeats, which does not extend the session. */
  readonly isWatch?: true;
}

/** Finds the browser session of a request. */
export interface SessionCheck {
  /** Signed-in user; undefined without an open session. */
  of(request: SessionRequest): Promise<SessionPrincipal | undefined>;
}

/** Dependencies of policies. */
export interface AuthDeps {
  readonly tokens: Pick<Tokens, 'verify'>;
  readonly users: Pick<UserStore, 'byId' | 'ofSession'>;
  readonly apiKeys: ApiKeyCheck;
  readonly keyLimits?: readonly RequestLimit<ApiKeyPrincipal>[];
  /** Browser sessions; if absent, all visitors are anonymous. */
  readonly sessions?: SessionCheck | undefined;
  /** Finds the user by the host's sign-in instead of tokens. */
  readonly host?: ((request: CredentialSource) => Promise<UserPrincipal | undefined>) | undefined;
}

/** Principal of public operations. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** Signed-in, active user: the principal of bearer operations. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly user: User;
}

/** User of a page. Not a `UserPrincipal`, so that operations for tokens refuse browser sessions. */
export interface SessionPrincipal {
  readonly kind: 'session';
  readonly user: User;
  /** Secret from which the token of this browser's forms is computed; '' without a secret. */
  readonly formKey: string;
}

/** Program with an API key. */
export interface ApiKeyPrincipal {
  readonly kind: 'apiKey';
  /** Owner of the key. */
  readonly user: User;
  readonly prefix: string;
}
