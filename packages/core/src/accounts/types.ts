import type { Tokens } from '../auth/tokens.ts';
import type { UserPrincipal } from '../auth/types.ts';
import type { PasswordHasher, User } from '../ports/accounts.ts';
import type { Stores } from '../ports/stores.ts';
import type { Clock } from '../ports/system.ts';

/** What the account service stands on. */
export interface AccountDeps {
  readonly stores: Pick<Stores, 'users' | 'refreshTokens' | 'throttle'>;
  readonly tokens: Tokens;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly limits?: LoginLimits;
}

/** How many failed sign-ins a sliding window bears. */
export interface LoginLimits {
  /** Length of the window, milliseconds. */
  readonly windowMs: number;
  /** Failures of one user name. */
  readonly perName: number;
  /** Failures from one address (IPv6: one /64). */
  readonly perAddress: number;
}

/** What a person types to sign in. */
export interface LoginRequest {
  readonly username: string;
  readonly password: string;
}

/** A pair of tokens. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/** What signing in yields. */
export interface LoginResult extends TokenPair {
  readonly user: User;
}

/** What is needed to make an account; absent texts are empty. */
export interface NewAccount {
  readonly username: string;
  readonly password: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly contactNumber?: string;
}

/** Accounts and sessions. */
export interface AccountService {
  /**
   * Signs in. Throws `no_active_account` for a wrong password, an unknown and an inactive user alike (after equal work),
   * `throttled` with `details.retryAfterSeconds` when the name or the address failed too often.
   */
  login(request: LoginRequest, remoteAddress: string | undefined): Promise<LoginResult>;
  /**
   * Spends a refresh token and hands out the next pair. Throws `token_not_valid` (a token spent before also ends its whole
   * family) and `no_active_account` for inactive and deleted users.
   */
  refresh(refreshToken: string): Promise<TokenPair>;
  /** Ends the session of one of the caller's own refresh tokens; throws `validation` (field `refreshToken`) otherwise. */
  logout(principal: UserPrincipal, refreshToken: string): Promise<void>;
  /** Makes an ordinary user. Throws `validation` or `conflict` with every field at fault. */
  createUser(account: NewAccount): Promise<User>;
  /** Makes a user that sees every run and may use operator routes. */
  createSuperuser(account: NewAccount): Promise<User>;
  /** Sets a password without knowing the old one (operators only); same rules as for a new account. Every token made before is dead. */
  resetPassword(userId: number, password: string): Promise<void>;
}
