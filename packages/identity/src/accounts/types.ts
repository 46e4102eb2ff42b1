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
  /** Self-registration; default: `off`. */
  readonly registration?: RegistrationRule;
  /** Mails a link for a new password; without it no link is sent. */
  readonly mailLink?: (mailed: MailedLink) => Promise<void>;
  /** Default: those of the platform. */
  readonly timers?: Timers;
  /** Logger of security events (`securityEvent`); default: none. */
  readonly logger?: Logger;
}

/** A change of a person. */
export interface PersonRequest {
  readonly userId: number;
  readonly change: PersonChange;
  /** The caller's own password, required for a new e-mail address of the caller or of another superuser. */
  readonly password?: string;
}

/** Content of a link for a new password. */
export interface PasswordLink {
  readonly userId: number;
  /** A secret: its holder can set the password. */
  readonly token: string;
}

/** A link and its recipient. */
export interface MailedLink {
  readonly user: User;
  readonly link: PasswordLink;
}

/** `off`: only operators create accounts; `open`: self-registration too. */
export type RegistrationRule = 'off' | 'open';

/** Dependencies of the parts of the service, with the queued hasher and the security log. */
export interface ServiceParts extends AccountDeps {
  readonly hasher: RankedHasher;
  readonly report: Report;
}

/** Limits of failed sign-ins in a sliding window. */
export interface LoginLimits {
  /** Length of the window, milliseconds. */
  readonly windowMs: number;
  /** Failures of one user name from one address. */
  readonly perNameAtAddress: number;
  /**
   * Failures of one user name over all addresses. Above this limit, the name is checked once a second for addresses from which it never
   * signed in, and only for addresses with few failures for it. Set it well above `perNameAtAddress`; otherwise any client can slow down
   * any name.
   */
  readonly perName: number;
  /** Failures from one address (IPv6: one /64). */
  readonly perAddress: number;
}

/** User name and password of a sign-in. */
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

/** Details of a new account; absent texts are empty. */
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
  /** Default: true, because the operator who creates the account allows it. */
  readonly mayCompute?: boolean;
  /** True for a password that others know: any password is accepted, and the user may do nothing except change it. */
  readonly mustChangePassword?: boolean;
}

/** Details of a self-registration. */
export interface Registration extends Omit<NewAccount, 'mustChangePassword' | 'mayCompute' | 'organizationId'> {
  /** The password typed a second time; default: the same. */
  readonly passwordConfirm?: string;
  /** UUID or name of an organisation, which a superuser or a member has to approve; an unknown name creates an unlisted one. */
  readonly organization?: string;
}

/** Present and new password of a change. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Options of a password reset. */
export interface ResetOptions {
  /** True for a password that others know: any password is accepted, and the user must change it first. */
  readonly mustChange?: boolean;
  /**
   * True: API keys stay valid, because the new password comes from a setting that is read again; the account is not suspected to be
   * compromised.
   */
  readonly keepsKeys?: boolean;
  /** Default: the operator, without a session. */
  readonly by?: Caller;
}

/** Accounts and sessions. */
export interface AccountService {
  /**
   * Signs in. Throws `no_active_account` for a wrong password, an unknown and an inactive user alike (after equal work). Throws `throttled`
   * if the name or the address failed too often, and `unavailable` if too many sign in at once, both with `details.retryAfterSeconds`.
   */
  login(request: LoginRequest, remoteAddress: string | undefined): Promise<LoginResult>;
  /** Checks name and password as `login`, with the same counters and errors, and issues no tokens. */
  signIn(request: LoginRequest, remoteAddress: string | undefined): Promise<User>;
  /**
   * Exchanges a refresh token for the next pair. Throws `token_not_valid` (a token that was used before also ends its session) and
   * `no_active_account` for inactive and deleted users.
   */
  refresh(refreshToken: string, remoteAddress?: string): Promise<TokenPair>;
  /** Ends the session of one of the caller's own refresh tokens; throws `validation` (field `refreshToken`) otherwise. */
  logout(principal: UserPrincipal, refreshToken: string, remoteAddress?: string): Promise<void>;
  /**
   * Registers an ordinary user, who may not compute until a superuser allows it. Throws `forbidden` if registration is off, `throttled` if
   * an address sends too many requests, `validation` or `conflict` with the invalid fields.
   */
  register(registration: Registration, remoteAddress: string | undefined): Promise<User>;
  /** Organisations that superusers list for registration, 1,000 at most; throws `forbidden` if registration is off. */
  organizations(): Promise<readonly Organization[]>;
  /**
   * Id of an organisation by its id or name, for superusers: a named one is listed, and created if it is unknown. Throws `validation`
   * (field `organization`).
   */
  organizationId(idOrName: string): Promise<string>;
  /** Creates an ordinary user. Throws `validation` or `conflict` with every invalid field. */
  createUser(account: NewAccount): Promise<User>;
  /** Creates a user that sees every run and may use operator routes. */
  createSuperuser(account: NewAccount): Promise<User>;
  /**
   * Changes the caller's own password; all earlier tokens become invalid. Throws `validation` (fields `oldPassword`, `newPassword`) and,
   * like signing in, `throttled`.
   */
  changePassword(principal: UserPrincipal, change: PasswordChange, remoteAddress: string | undefined): Promise<void>;
  /**
   * Sets a password without the old one (operators only); same rules as for a new account. All earlier tokens and API keys become invalid.
   * Throws `token_not_valid` if the sessions of `by` have ended.
   */
  resetPassword(userId: number, password: string, options?: ResetOptions): Promise<void>;
  /**
   * Mails a link for a new password if an active account of this name has an address; the result does not reveal it. Throws `forbidden` if
   * the service sends no mail, `throttled` if an address sends too many requests.
   */
  sendPasswordLink(username: string, remoteAddress: string | undefined): Promise<void>;
  /** False: no mail is sent, and `sendPasswordLink` throws `forbidden`. */
  readonly sendsMail: boolean;
  /** Throws `not_found` for a link that was used, has expired, or is invalid. */
  checkPasswordLink(link: PasswordLink): Promise<void>;
  /**
   * Sets a password by a link, once; all earlier tokens and API keys become invalid. Throws `not_found` like `checkPasswordLink`, and
   * `validation` (field `newPassword`).
   */
  setPasswordByLink(link: PasswordLink, password: string, remoteAddress: string | undefined): Promise<void>;
  /**
   * Changes details of a person. Users change their own names and profile and, with their password (`oldPassword`), their address.
   * Superusers change all details of others; the address of another superuser requires the caller's password. Throws `forbidden`,
   * `validation`, and `not_found` for an unknown user.
   */
  changePerson(principal: UserPrincipal, request: PersonRequest, remoteAddress: string | undefined): Promise<Person>;
  /** Disables a user and all tokens, or enables the user again (operators only). Throws `user_not_found`. */
  setActive(userId: number, isActive: boolean): Promise<void>;
}
