import type { Tokens } from '../auth/tokens.ts';
import type { UserPrincipal } from '../auth/types.ts';
import type { Organization, Person, PersonChange } from '../ports/people.ts';
import type { UserProfile } from '../ports/accounts.ts';
import type { Caller, PasswordHasher, User } from '../ports/accounts.ts';
import type { Stores } from '../ports/stores.ts';
import type { Timers, Clock, Logger } from '@headwater/core';
import type { RankedHasher } from './queued-hasher.ts';
import type { Report } from './security-log.ts';

/** Dependencies of the account service. */
export interface AccountDeps {
  readonly stores: Pick<Stores, 'users' | 'people' | 'refreshTokens' | 'throttle'>;
  readonly tokens: Tokens;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly limits?: LoginLimits;
  /** Rule for self-registration; default: `off`. */
  readonly registration?: RegistrationRule;
  /** Mails a link for a new password; if absent, there are no such links. */
  readonly mailLink?: (mailed: MailedLink) => Promise<void>;
  readonly timers?: Timers;
  /** Logger of security events (`securityEvent`). */
  readonly logger?: Logger;
}

/** Request to change the details of a person. */
export interface PersonRequest {
  readonly userId: number;
  readonly change: PersonChange;
  /** The caller's own password, for a new e-mail address of the caller or of a superuser. */
  readonly password?: string;
}

/** Content of a link for a new password. */
export interface PasswordLink {
  readonly userId: number;
  /** Secret, because its holder can set the password. */
  readonly token: string;
}

/** Link for a new password, and its recipient. */
export interface MailedLink {
  readonly user: User;
  readonly link: PasswordLink;
}

/** `off`: only operators create accounts; `open`: users can also register themselves. */
export type RegistrationRule = 'off' | 'open';

/** Dependencies of the parts of the account service. */
export interface ServiceParts extends AccountDeps {
  readonly hasher: RankedHasher;
  readonly report: Report;
}

/** Limits of failed sign-ins in a sliding window. */
export interface LoginLimits {
  /** Length of the window, ms. */
  readonly windowMs: number;
  /** Failures of one name from one address. */
  readonly perNameAtAddress: number;
  /**
   * Failures of one name over all addresses. From this number on, sign-ins from addresses that are new for the name
   * are slowed and soon refused (decision 052). Set this number well above `perNameAtAddress`, because otherwise any
   * client can slow down a user's sign-in.
   */
  readonly perName: number;
  /** Failures from one address (IPv6: one /64). */
  readonly perAddress: number;
}

/** User name and password. */
export interface LoginRequest {
  readonly username: string;
  readonly password: string;
}

/** A pair of tokens. */
export interface TokenPair {
  readonly access: string;
  readonly refresh: string;
}

/** Result of a sign-in. */
export interface LoginResult extends TokenPair {
  readonly user: User;
}

/** Details of a new account; absent texts are stored as empty, an absent `contactNumber` as null. */
export interface NewAccount {
  readonly username: string;
  readonly password: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly contactNumber?: string;
  readonly profile?: Partial<UserProfile>;
  /** Id of a stored organisation. */
  readonly organizationId?: string;
  /** True if the user may start computations; default: true. */
  readonly mayCompute?: boolean;
  /** True for a password that others know. The user must change it after sign-in; password rules do not apply to it. */
  readonly mustChangePassword?: boolean;
}

/** Details of a self-registration. */
export interface Registration extends Omit<NewAccount, 'mustChangePassword' | 'mayCompute' | 'organizationId'> {
  /** The password again; default: equal to `password`. */
  readonly passwordConfirm?: string;
  /**
   * UUID or name of the organisation to join, which must approve the user. An unknown name creates an unlisted
   * organisation.
   */
  readonly organization?: string;
}

/** Present and new password. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Options of a password reset. */
export interface ResetOptions {
  /** True for a password that others know. The user must change it after sign-in; password rules do not apply to it. */
  readonly mustChange?: boolean;
  /** True if API keys stay valid, for a password from a setting of the server. */
  readonly keepsKeys?: boolean;
  /** Caller who resets the password; default: the operator. */
  readonly by?: Caller;
}

/** Accounts and sessions. */
export interface AccountService {
  /**
   * Signs in. Throws `no_active_account`, equally fast for all reasons, except for a hash of another system. Throws
   * `throttled` at a limit and `unavailable` during too many sign-ins, both with `details.retryAfterSeconds`.
   */
  login(request: LoginRequest, remoteAddress: string | undefined): Promise<LoginResult>;
  /** Checks name and password as `login` does, without issuing tokens. */
  signIn(request: LoginRequest, remoteAddress: string | undefined): Promise<User>;
  /**
   * Exchanges a refresh token for the next pair. Throws `token_not_valid` for an invalid or reused token; a reused
   * token also ends its session. Throws `no_active_account` for an inactive or deleted user.
   */
  refresh(refreshToken: string, remoteAddress?: string): Promise<TokenPair>;
  /**
   * Ends the session of one of the caller's refresh tokens. Throws `validation` (field `refreshToken`) for other
   * tokens.
   */
  logout(principal: UserPrincipal, refreshToken: string, remoteAddress?: string): Promise<void>;
  /**
   * Registers a user, who may not compute until a superuser allows it. Throws `forbidden` if registration is off,
   * `throttled`, `validation` or `conflict`.
   */
  register(registration: Registration, remoteAddress: string | undefined): Promise<User>;
  /** Organisations of the registration page, at most 1,000. Throws `forbidden` if registration is off. */
  organizations(): Promise<readonly Organization[]>;
  /**
   * Returns the id of an organisation by id or name, for superusers. An unknown name creates an organisation. An
   * organisation that is given by name becomes listed. Throws `validation` (field `organization`).
   */
  organizationId(idOrName: string): Promise<string>;
  /** Creates an ordinary user. Throws `validation` with all invalid fields, or `conflict` for a taken name. */
  createUser(account: NewAccount): Promise<User>;
  /** Creates a superuser, who sees all runs and may use the operators' routes. */
  createSuperuser(account: NewAccount): Promise<User>;
  /**
   * Changes the caller's password and invalidates earlier tokens. Throws `validation` (fields `oldPassword`,
   * `newPassword`), and `throttled` like `login`.
   */
  changePassword(principal: UserPrincipal, change: PasswordChange, remoteAddress: string | undefined): Promise<void>;
  /**
   * Sets a user's password on behalf of an operator. Invalidates the user's earlier tokens and, without `keepsKeys`,
   * API keys. Throws `user_not_found`, `validation` (field `password`), and `token_not_valid` if the sessions of `by`
   * have ended.
   */
  resetPassword(userId: number, password: string, options?: ResetOptions): Promise<void>;
  /**
   * Mails a link for a new password, without revealing if the account exists. Throws `forbidden` if the service sends
   * no mail, and `throttled`.
   */
  sendPasswordLink(username: string, remoteAddress: string | undefined): Promise<void>;
  /** True if the service sends mails. If false, `sendPasswordLink` throws `forbidden`. */
  readonly sendsMail: boolean;
  /** Checks a link. Throws `not_found` for a used, expired or invalid link. */
  checkPasswordLink(link: PasswordLink): Promise<void>;
  /**
   * Sets a password by a link, once, and invalidates earlier tokens and API keys. Throws `not_found` and `validation`
   * (field `newPassword`).
   */
  setPasswordByLink(link: PasswordLink, password: string, remoteAddress: string | undefined): Promise<void>;
  /**
   * Changes the details of a person (see `PersonRequest`). Users may change their own names, profile and e-mail
   * address. Superusers may change all details of all users. A member of an organisation may accept a person who wants
   * to join. Throws `forbidden`, `validation` and `not_found`.
   */
  changePerson(principal: UserPrincipal, request: PersonRequest, remoteAddress: string | undefined): Promise<Person>;
  /** Ends all sessions and tokens of a user, for operators. Throws `user_not_found`. */
  endSessions(userId: number, by?: Caller): Promise<void>;
  /** Disables a user and all tokens, or enables the user again, for operators. Throws `user_not_found`. */
  setActive(userId: number, isActive: boolean): Promise<void>;
}
