import type { User, UserStore } from '../ports/accounts.ts';
import type { Tokens } from './tokens.ts';

/** What the bearer policy reads: the raw header, undefined where absent. */
export interface Credentials {
  /** `Authorization` as sent; several such headers joined by ', '. */
  readonly authorization: string | undefined;
}

/** Reason of a check of an API key. */
export interface KeyLook {
  /** The same request was checked before: this is no further use of the key. */
  readonly isRepeated: boolean;
}

/** Checks the text of an API key. */
export interface ApiKeyCheck {
  /** Who calls with it; rejects with one and the same `token_not_valid` for every text that does not do. */
  authenticate(text: string, look?: KeyLook): Promise<ApiKeyPrincipal>;
}

/** What policies may look at. */
export interface AuthDeps {
  readonly tokens: Pick<Tokens, 'verify'>;
  readonly users: Pick<UserStore, 'byId' | 'ofSession'>;
  readonly apiKeys: ApiKeyCheck;
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
