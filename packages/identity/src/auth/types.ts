import type { User, UserStore } from '../ports/accounts.ts';
import type { Tokens } from './tokens.ts';

/** Headers that the bearer policy reads. */
export interface Credentials {
  /** `Authorization` as the client sent it; several such headers are joined by ', '. Undefined if absent. */
  readonly authorization: string | undefined;
}

/** Options of the check of an API key. */
export interface KeyLookup {
  /** True if the same request was checked before. The second check does not count as another use of the key. */
  readonly isRepeated: boolean;
}

/** Checks the text of an API key. */
export interface ApiKeyCheck {
  /** Returns the caller; rejects with the same `token_not_valid` for every invalid text. */
  authenticate(text: string, lookup?: KeyLookup): Promise<ApiKeyPrincipal>;
}

/** Remaining requests of a credential within a time window. */
export interface Allowance {
  /**
   * `key` is a window of one minute that begins with the first request after the previous window has ended. `day` is the day (UTC).
   */
  readonly window: 'key' | 'day';
  /** Maximum number of requests in the window. */
  readonly most: number;
  readonly left: number;
  /** Whole seconds until the next window begins, from 1. */
  readonly resetSeconds: number;
}

/** Limits the number of requests with credentials of a policy. */
export interface RequestLimit<P = unknown> {
  /**
   * Counts a request. `text` is the valid credential of the request; `principal` is the caller that the policy
   * returned.
   */
  take(text: string, principal: P): CountedRequest | Promise<CountedRequest>;
}

/** Allowance after a request was counted. */
export interface CountedRequest extends Allowance {
  readonly isRefused: boolean;
}

/** Headers by lower-case name, as a host provides them. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Parts of a request that policies can read. */
export interface CredentialSource {
  readonly headers: RequestHeaders;
  /** Upper case. */
  readonly method: string;
  /** Path and query without the prefix of the mount; undefined if the host does not know them. */
  readonly url?: string | undefined;
  /** Address of the client, if the host can determine it. */
  readonly remoteAddress?: string | undefined;
  /** Number of entries of `X-Forwarded-For` that the host trusts; default 0. */
  readonly trustedHops?: number | undefined;
  /** Reads the fields of the body; called only for a policy whose credentials are in a field of the body. */
  readonly body?: () => Promise<Readonly<Record<string, unknown>>>;
}

/** Parts of a request that identify a browser. */
export interface SessionRequest {
  readonly headers: RequestHeaders;
  /** Address of the client, if the host can determine it. */
  readonly remoteAddress?: string | undefined;
  /** Upper case; default: GET. */
  readonly method?: string;
  /** Path and query without the prefix of the mount; default: the first page. */
  readonly url?: string | undefined;
  /** True for a request that an open page repeats on its own. Such a request does not extend the session. */
  readonly isWatch?: true;
}

/** Finds the browser session of a request. */
export interface SessionCheck {
  /** The signed-in user; undefined if there is no session, or the session has ended. */
  of(request: SessionRequest): Promise<SessionPrincipal | undefined>;
}

/** Dependencies of policies. */
export interface AuthDeps {
  readonly tokens: Pick<Tokens, 'verify'>;
  readonly users: Pick<UserStore, 'byId' | 'ofSession'>;
  readonly apiKeys: ApiKeyCheck;
  /** Limits of the requests with API keys; default: none. */
  readonly keyLimits?: readonly RequestLimit<ApiKeyPrincipal>[];
  /** Browser sessions; default: none, so that every visitor of a page is anonymous. */
  readonly sessions?: SessionCheck | undefined;
  /** Finds the user by the sign-in of the host, instead of tokens; undefined for a visitor. Default: tokens. */
  readonly host?: ((request: CredentialSource) => Promise<UserPrincipal | undefined>) | undefined;
}

/** The principal of public operations, which need no user. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** A signed-in, active user: the principal of bearer operations. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly user: User;
}

/**
 * A user who is signed in to the pages: the principal of operations that are pages. It is not a `UserPrincipal`, so that no operation for
 * tokens accepts a browser session by mistake.
 */
export interface SessionPrincipal {
  readonly kind: 'session';
  readonly user: User;
  /** Secret from which the tokens of this browser's forms derive. */
  readonly formKey: string;
}

/** A program that calls with an API key: the principal of operations that require such a key. */
export interface ApiKeyPrincipal {
  readonly kind: 'apiKey';
  /** Owner of the key. */
  readonly user: User;
  /** Identifies the key. */
  readonly prefix: string;
}
