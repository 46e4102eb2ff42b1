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
  /** Sends a link for a new password by mail. If this function is absent, the service sends no links. */
  readonly mailLink?: (mailed: MailedLink) => Promise<void>;
  /** Timers; default: the timers of the platform. */
  readonly timers?: Timers;
  /** Logger of security events (`securityEvent`); default: none. */
  readonly logger?: Logger;
}

/** A request to change the details of a person. */
export interface PersonRequest {
  readonly userId: number;
  readonly change: PersonChange;
  /** The caller's own password. It is required for a new e-mail address of the caller or of another superuser. */
  readonly password?: string;
}

/** Content of a link for a new password. */
export interface PasswordLink {
  readonly userId: number;
  /** Token of the link. It is secret, because its holder can set the password. */
  readonly token: string;
}

/** A link for a new password, and the user who receives it. */
export interface MailedLink {
  readonly user: User;
  readonly link: PasswordLink;
}

/** `off`: only operators create accounts; `open`: users can also register themselves. */
export type RegistrationRule = 'off' | 'open';

/** Dependencies of the parts of the account service, with the queued hasher and the security log. */
export interface ServiceParts extends AccountDeps {
  readonly hasher: RankedHasher;
  readonly report: Report;
}

/** Limits of failed sign-ins in a sliding window. */
export interface LoginLimits {
  /** Length of the window, milliseconds. */
  readonly windowMs: number;
  /** Maximum number of failures of one user name from one address. */
  readonly perNameAtAddress: number;
  /**
   * Maximum number of failures of one user name over all addresses. Above this number, at most one failed attempt per
   * second is checked from addresses from which the name never signed in, and addresses with several failures for the
   * name are refused. Set this number well above `perNameAtAddress`; otherwise any client can slow down the sign-in of
   * any user.
   */
  readonly perName: number;
  /** Maximum number of failures from one address (IPv6: one /64). */
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
  /**
   * True if the user may compute. Default: true, because an operator who creates an account thereby allows its user to
   * compute.
   */
  readonly mayCompute?: boolean;
  /**
   * True for a password that other people know. The rules for passwords do not apply to such a password. After sign-in, the user can
   * only change the password.
   */
  readonly mustChangePassword?: boolean;
}

/** Details of a self-registration. */
export interface Registration extends Omit<NewAccount, 'mustChangePassword' | 'mayCompute' | 'organizationId'> {
  /** The password, typed a second time; default: equal to `password`. */
  readonly passwordConfirm?: string;
  /**
   * UUID or name of the organisation to join. A superuser or a member of the organisation has to approve the request. An unknown name
   * creates an organisation that is not listed.
   */
  readonly organization?: string;
}

/** Present and new password of a change. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** Options of a password reset. */
export interface ResetOptions {
  /**
   * True for a password that other people know. The rules for passwords do not apply to such a password, and the user must change
   * it after sign-in.
   */
  readonly mustChange?: boolean;
  /**
   * True if API keys stay valid. Set it for a password that comes from a setting of the server: the old password then also came from a
   * setting, so it is unlikely that a stranger knew it.
   */
  readonly keepsKeys?: boolean;
  /** Caller who resets the password; default: the operator, without a session. */
  readonly by?: Caller;
}

/** Accounts and sessions. */
export interface AccountService {
  /**
   * Signs in. Throws `no_active_account` for a wrong password, an unknown user and an inactive user; the check takes equally long in all
   * three cases. Throws `throttled` if the name or the address failed too often. Throws `unavailable` if there are too many simultaneous
   * sign-ins. The errors `throttled` and `unavailable` have `details.retryAfterSeconds`.
   */
  login(request: LoginRequest, remoteAddress: string | undefined): Promise<LoginResult>;
  /** Checks name and password as `login`, with the same counters and errors, and issues no tokens. */
  signIn(request: LoginRequest, remoteAddress: string | undefined): Promise<User>;
  /**
   * Exchanges a refresh token for the next pair of tokens. Throws `token_not_valid` for an invalid token; if the token
   * was used before, the call also ends the token's session. Throws `no_active_account` for an inactive or deleted
   * user.
   */
  refresh(refreshToken: string, remoteAddress?: string): Promise<TokenPair>;
  /** Ends the session of one of the caller's own refresh tokens. Throws `validation` (field `refreshToken`) for other tokens. */
  logout(principal: UserPrincipal, refreshToken: string, remoteAddress?: string): Promise<void>;
  /**
   * Registers an ordinary user, who may not compute until a superuser allows it. Throws `forbidden` if registration
   * is off. Throws `throttled` if the address sends too many requests. Throws `validation` or `conflict` with the
   * invalid fields.
   */
  register(registration: Registration, remoteAddress: string | undefined): Promise<User>;
  /** Organisations that the registration page lists, at most 1,000. Throws `forbidden` if registration is off. */
  organizations(): Promise<readonly Organization[]>;
  /**
   * Returns the id of an organisation, given its id or name; for superusers. Creates an organisation for an unknown name. An organisation
   * that is given by name becomes listed for registration. Throws `validation` (field `organization`).
   */
  organizationId(idOrName: string): Promise<string>;
  /** Creates an ordinary user. Throws `validation` or `conflict` with all invalid fields. */
  createUser(account: NewAccount): Promise<User>;
  /** Creates a user who sees all runs and may use the routes for operators. */
  createSuperuser(account: NewAccount): Promise<User>;
  /**
   * Changes the caller's own password. All earlier tokens become invalid. Throws `validation` (fields `oldPassword`,
   * `newPassword`), and `throttled` after too many wrong passwords, like `login`.
   */
  changePassword(principal: UserPrincipal, change: PasswordChange, remoteAddress: string | undefined): Promise<void>;
  /**
   * Sets a password without the old password; for operators. The rules of a new account apply. All earlier tokens and
   * API keys become invalid. Throws `token_not_valid` if the sessions of the caller `by` have ended.
   */
  resetPassword(userId: number, password: string, options?: ResetOptions): Promise<void>;
  /**
   * Mails a link for a new password, if there is an active account of this name with an e-mail address. The result
   * does not reveal if there is such an account. Throws `forbidden` if the service sends no mail, and `throttled` if
   * the address sends too many requests.
   */
  sendPasswordLink(username: string, remoteAddress: string | undefined): Promise<void>;
  /** True if the service can send mail. If false, `sendPasswordLink` throws `forbidden`. */
  readonly sendsMail: boolean;
  /** Checks a link. Throws `not_found` if the link was used, has expired, or is invalid. */
  checkPasswordLink(link: PasswordLink): Promise<void>;
  /**
   * Sets a password by a link, which works only once. All earlier tokens and API keys become invalid. Throws
   * `not_found` like `checkPasswordLink`, and `validation` (field `newPassword`).
   */
  setPasswordByLink(link: PasswordLink, password: string, remoteAddress: string | undefined): Promise<void>;
  /**
   * Changes the details of a person. Users change their own names and profile. To change their e-mail address, they also send their
   * password (`password`; in errors `oldPassword`). Superusers change all details of other users. To change the e-mail address of another superuser, they also
   * send their own password. Throws `forbidden`, `validation`, and `not_found` for an unknown user.
   */
  changePerson(principal: UserPrincipal, request: PersonRequest, remoteAddress: string | undefined): Promise<Person>;
  /** Ends all sessions and tokens of a user, for operators; API keys and the password stay. Throws `user_not_found`. */
  endSessions(userId: number, by?: Caller): Promise<void>;
  /** Disables a user and all tokens of the user, or enables the user again; for operators. Throws `user_not_found`. */
  setActive(userId: number, isActive: boolean): Promise<void>;
}
