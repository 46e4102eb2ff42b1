import type { User, UserStore } from '../ports/accounts.ts';
import type { Tokens } from './tokens.ts';

/** What the bearer policy reads: the raw header, undefined where absent. */
export interface Credentials {
  /** `Authorization` as sent; several such headers joined by ', '. */
  readonly authorization: string | undefined;
}

/** What policies may look at. */
export interface AuthDeps {
  readonly tokens: Pick<Tokens, 'verify'>;
  readonly users: Pick<UserStore, 'byId' | 'ofSession'>;
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
