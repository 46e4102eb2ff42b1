import type { User, UserStore } from '../ports/accounts.ts';
import type { Tokens } from './tokens.ts';

/** What the bearer policy reads: the raw header, undefined where absent. */
export interface Credentials {
  /** `Authorization` as sent; several such headers joined by ', '. */
  readonly authorization: string | undefined;
}

/** Reason of a check of an API key. */
export interface KeyLookup {
  /** The same request was checked before: this is no further use of the key. */
  readonly isRepeated: boolean;
}

/** Checks the text of an API key. */
export interface ApiKeyCheck {
  /** Who calls with it; rejects with one and the same `token_not_valid` for every text that does not do. */
  authenticate(text: string, look?: KeyLookup): Promise<ApiKeyPrincipal>;
}

/** Requests that a credential may still make within a window of time. */
export interface Allowance {
  /** Names the window: the credential's present minute, or the day (UTC). */
  readonly window: 'key' | 'day';
  /** Requests within it. */
  readonly most: number;
  readonly left: number;
  /** Whole seconds until the next window begins, from 1. */
  readonly resetSeconds: number;
}

/** A limit of the requests with one credential. */
export interface RequestLimit {
  /** Counts a request with the credential of this text, which was found good; throws for a text that cannot be one. */
  take(text: string): CountedRequest | Promise<CountedRequest>;
}

/** Allowance after a request was counted. */
export interface CountedRequest extends Allowance {
  readonly isRefused: boolean;
}

/** What policies may look at. */
export interface AuthDeps {
  readonly tokens: Pick<Tokens, 'verify'>;
  readonly users: Pick<UserStore, 'byId' | 'ofSession'>;
  readonly apiKeys: ApiKeyCheck;
  /** Limits of the requests with one API key; default: none. */
  readonly keyLimits?: readonly RequestLimit[];
}

/** Nobody in particular: the principal of public operations. */
export interface AnonymousPrincipal {
  readonly kind: 'anonymous';
}

/** A signed-in, active user: the principal of bearer operations. */
export interface UserPrincipal {
  readonly kind: 'user';
  readonly user: User;
}

/** A program that calls with an API key: the principal of operations behind a key. */
export interface ApiKeyPrincipal {
  readonly kind: 'apiKey';
  /** Whose key it is. */
  readonly user: User;
  /** Names the key. */
  readonly prefix: string;
}
