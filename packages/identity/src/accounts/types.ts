import type { Tokens } from '../auth/tokens.ts';
import type { UserPrincipal } from '../auth/types.ts';
import type { Organization, Person, PersonChange } from '../ports/people.ts';
import type { UserProfile } from '../ports/accounts.ts';
import type { Caller, PasswordHasher, User } from '../ports/accounts.ts';
import type { Stores } from '../ports/stores.ts';
import type { Timers, Clock, Logger } from '@headwater/core';
import type { RankedHasher } from './queued-hasher.ts';
import type { Report } from './security-log.ts';

/** What the account service stands on. */
export interface AccountDeps {
  readonly stores: Pick<Stores, 'users' | 'people' | 'refreshTokens' | 'throttle'>;
  readonly tokens: Tokens;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly limits?: LoginLimits;
  /** Whether strangers may make accounts of their own; default: `off`. */
  readonly registration?: RegistrationRule;
  /** Mails a link for a new password; without it nobody gets one. */
  readonly mailLink?: (mailed: MailedLink) => Promise<void>;
  /** Default: those of the platform. */
  readonly timers?: Timers;
  /** Told of security events (`securityEvent`); default: nobody is. */
  readonly logger?: Logger;
}

/** What is to change of a person. */
export interface PersonRequest {
  readonly userId: number;
  readonly change: PersonChange;
  /** The caller's own, where he gives himself, or another superuser, another e-mail address. */
  readonly password?: string;
}

/** What a link for a new password says. */
export interface PasswordLink {
  readonly userId: number;
  /** A secret: whoever has it sets the password. */
  readonly token: string;
}

/** A link and whom it is for. */
export interface MailedLink {
  readonly user: User;
  readonly link: PasswordLink;
}

/** Who makes accounts: operators alone, or whoever registers too. */
export type RegistrationRule = 'off' | 'open';

/** The same inside of the service: the hasher in its lane, events told. */
export interface ServiceParts extends AccountDeps {
  readonly hasher: RankedHasher;
  readonly report: Report;
}

/** How many failed sign-ins a sliding window bears. */
export interface LoginLimits {
  /** Length of the window, milliseconds. */
  readonly windowMs: number;
  /** Failures of one user name from one address. */
  readonly perNameAtAddress: number;
  /**
   * Failures of one user name from everywhere, beyond which the name is checked once a second where it never signed in before, and only
   * from addresses that hardly failed with it; well above `perNameAtAddress`, or any stranger slows any name.
   */
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
  readonly profile?: Partial<UserProfile>;
  /** Of an organisation that is stored. */
  readonly organizationId?: string;
  /** Default: true, for whoever makes the account vouches for it. */
  readonly mayCompute?: boolean;
  /** True for a password that others know: any will do, and nothing but changing it is allowed. */
  readonly mustChangePassword?: boolean;
}

/** What a stranger says to make an account of his own. */
export interface Registration extends Omit<NewAccount, 'mustChangePassword' | 'mayCompute' | 'organizationId'> {
  /** The password as it was typed once more; default: the same. */
  readonly passwordConfirm?: string;
  /** UUID of an organisation, or the name of one: it is made, and not listed, where there is none of this name. */
  readonly organization?: string;
}

/** What a person types to change his password. */
export interface PasswordChange {
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** How a password is reset. */
export interface ResetOptions {
  /** Others know it; any will do, and the user must change it before anything else. */
  readonly mustChange?: boolean;
  /** API keys stay, for nobody is suspected: a setting says the password, and is read anew. */
  readonly keepsKeys?: boolean;
  /** Default: the operator, who has no session. */
  readonly by?: Caller;
}

/** Accounts and sessions. */
export interface AccountService {
  /**
   * Signs in. Throws `no_active_account` for a wrong password, an unknown and an inactive user alike (after equal work),
   * `throttled` with `details.retryAfterSeconds` when the name or the address failed too often, `unavailable` with the same when too
   * many sign in at once.
   */
  login(request: LoginRequest, remoteAddress: string | undefined): Promise<LoginResult>;
  /**
   * Spends a refresh token and hands out the next pair. Throws `token_not_valid` (a token spent before also ends its whole
   * family) and `no_active_account` for inactive and deleted users.
   */
  refresh(refreshToken: string, remoteAddress?: string): Promise<TokenPair>;
  /** Ends the session of one of the caller's own refresh tokens; throws `validation` (field `refreshToken`) otherwise. */
  logout(principal: UserPrincipal, refreshToken: string, remoteAddress?: string): Promise<void>;
  /**
   * Makes an ordinary user by himself, who may not compute until a superuser allows it. Throws `forbidden` where registration is off,
   * `throttled` where an address asks too often, `validation` or `conflict` with the fields at fault.
   */
  register(registration: Registration, remoteAddress: string | undefined): Promise<User>;
  /** Organisations that superusers list for whoever registers, 1,000 at most; throws `forbidden` where registration is off. */
  organizations(): Promise<readonly Organization[]>;
  /**
   * Id of an organisation by its id or name, for superusers: one that is named is listed, and made where there is none. Throws `validation`
   * (field `organization`).
   */
  organizationId(given: string): Promise<string>;
  /** Makes an ordinary user. Throws `validation` or `conflict` with every field at fault. */
  createUser(account: NewAccount): Promise<User>;
  /** Makes a user that sees every run and may use operator routes. */
  createSuperuser(account: NewAccount): Promise<User>;
  /**
   * Changes the caller's own password; every token made before is dead. Throws `validation` (fields `oldPassword`, `newPassword`) and,
   * as signing in does, `throttled`.
   */
  changePassword(principal: UserPrincipal, change: PasswordChange, remoteAddress: string | undefined): Promise<void>;
  /**
   * Sets a password without knowing the old one (operators only); same rules as for a new account. Every token and every API key made
   * before is dead. Throws `token_not_valid` if the sessions of `by` have ended.
   */
  resetPassword(userId: number, password: string, options?: ResetOptions): Promise<void>;
  /**
   * Mails a link for a new password where an active account of this name has an address, and tells nobody whether it does. Throws
   * `forbidden` where no mail is sent at all, `throttled` where an address asks too often.
   */
  sendPasswordLink(username: string, remoteAddress: string | undefined): Promise<void>;
  /** False: no mail is sent, and `sendPasswordLink` throws `forbidden`. */
  readonly sendsMail: boolean;
  /** Throws `not_found` for a link that was used, is too old, or is none. */
  checkPasswordLink(link: PasswordLink): Promise<void>;
  /**
   * Sets a password by a link, once; every token and every API key made before is dead. Throws `not_found` as above, and `validation` (field
   * `newPassword`).
   */
  setPasswordByLink(link: PasswordLink, password: string, remoteAddress: string | undefined): Promise<void>;
  /**
   * Changes what is told of a person: of oneself names, profile and, with the password (`oldPassword`), the address; as a superuser everything
   * of others, the address of another superuser with the caller's password. Throws `forbidden`, `validation`, and `not_found` for a user that
   * nobody is.
   */
  changePerson(principal: UserPrincipal, request: PersonRequest, remoteAddress: string | undefined): Promise<Person>;
  /** Disables a user, whose tokens are dead from then on, or lets him sign in again (operators only). Throws `user_not_found`. */
  setActive(userId: number, isActive: boolean): Promise<void>;
}
