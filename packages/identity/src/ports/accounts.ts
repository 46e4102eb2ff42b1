/** Details that a person gives at registration; null if not given. */
export interface UserProfile {
  /** Age in years. */
  readonly age: number | null;
  readonly educationQualification: string | null;
  readonly gender: 'M' | 'F' | 'O' | null;
  /** Individual or member of an organisation; gives no rights. */
  readonly accountType: 'individual' | 'org' | null;
}

/** A person or service that signs in. Times are ISO 8601 UTC. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly contactNumber: string | null;
  readonly isActive: boolean;
  /** May see and cancel every run and use operator routes. */
  readonly isSuperuser: boolean;
  /**
   * True if the user may start computations. Superusers may always start computations. False after self-registration until a
   * superuser allows computations.
   */
  readonly mayCompute: boolean;
  /**
   * True if another person knows the password, such as an installer's default password. The user may then do nothing except change the
   * password.
   */
  readonly mustChangePassword: boolean;
  readonly passwordHash: string;
  /**
   * Number from 0, which is incremented when the password is changed, the user is disabled, or all sessions are ended. Tokens contain this number, so that such a
   * change ends all sessions immediately.
   */
  readonly sessionVersion: number;
  readonly createdAt: string;
}

/** Details of a new user; the store assigns the other members of `User`. */
export interface NewUser extends Omit<User, 'id' | 'createdAt' | 'sessionVersion'> {
  /** Details that the person gave; default: all unknown. */
  readonly profile?: Partial<UserProfile>;
  /** Id of a stored organisation; default: none. */
  readonly organizationId?: string | null;
  /** Id of a stored organisation that the user wants to join; default: none. */
  readonly requestedOrganizationId?: string | null;
}

/** A user, and the state of one of the user's sessions. */
export interface SessionUser {
  readonly user: User;
  /** False if the family of the session's refresh tokens was revoked or is unknown. */
  readonly isOpen: boolean;
}

/**
 * The user who requested a write. The write is refused (`token_not_valid`) if the user's sessions have ended since the request was
 * authenticated.
 */
export type Caller = Pick<User, 'id' | 'sessionVersion'>;

/** State of the user that was checked before a password is replaced. The replacement fails if this state has changed. */
export interface PasswordReplacement extends Pick<User, 'sessionVersion'> {
  /** E-mail address of the user; default: not checked. */
  readonly email?: string;
  /** Meaning as in `PasswordOptions`, but the default is true. */
  readonly endsKeys?: boolean;
}

/** Options of a new password. */
export interface PasswordOptions {
  /** The user who sets the password; default: the operator, who has no session. */
  readonly by?: Caller;
  /** Default false: see `User.mustChangePassword`. */
  readonly mustChange?: boolean;
  /** True if all active API keys of the user also end for good, in the same step. Default: false. */
  readonly endsKeys?: boolean;
}

/** Part of the list of users, for operators. */
export interface UserWish {
  /** Only users with this text in a name or the e-mail address, ignoring case. */
  readonly search?: string;
  readonly isActive?: boolean;
  readonly isSuperuser?: boolean;
  /** True: only users who may compute. False: only users who may not compute. Superusers always may compute. */
  readonly mayCompute?: boolean;
  /** Default: by name, ignoring the case of A to Z. */
  readonly sort?: 'username' | 'email' | 'createdAt';
  readonly isDescending?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A page of users, and the number of all users that match. */
export interface UserPage {
  readonly users: readonly Omit<User, 'passwordHash'>[];
  readonly total: number;
}

/** Users. Usernames are unique, ignoring case. */
export interface UserStore {
  /** Throws `conflict` (field `username`) if the name is taken. Throws `validation` (field `organization`) for an unknown organisation. */
  create(user: NewUser): Promise<User>;
  byId(id: number): Promise<User | undefined>;
  byUsername(username: string): Promise<User | undefined>;
  /** The user, and the state of this session. One query reads both, because every request with a token needs them. */
  ofSession(id: number, familyId: string): Promise<SessionUser | undefined>;
  /** Sets the password and increments `sessionVersion`. Throws `token_not_valid` if the sessions of `by` have ended. */
  setPassword(id: number, passwordHash: string, options?: PasswordOptions): Promise<void>;
  /**
   * Replaces the user's own password if the user is still active and in the checked state; otherwise returns false. Only one of several
   * concurrent calls succeeds.
   */
  replacePassword(id: number, passwordHash: string, checked: PasswordReplacement): Promise<boolean>;
  /**
   * Replaces the hash `from` of an unchanged password by the hash `to`. Sessions and keys stay valid. Does nothing if the stored hash is
   * no longer `from`.
   */
  rehash(id: number, from: string, to: string): Promise<void>;
  /** Also increments `sessionVersion` if an active user is disabled. */
  setActive(id: number, isActive: boolean): Promise<void>;
  /** Ends all sessions and tokens of a user; the password stays. Throws `token_not_valid` if the sessions of `by` have ended. */
  endSessions(id: number, by?: Caller): Promise<void>;
  /** Users for lists; users with equal values of the order are sorted by id. */
  list(wish: UserWish): Promise<UserPage>;
  count(): Promise<number>;
  /** Usernames by id; unknown ids are left out. */
  usernames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Ids of users whose username contains this text, ignoring case, ascending; at most `most`. */
  idsNamed(text: string, most: number): Promise<readonly number[]>;
  /** The superuser with the lowest id, for the start of the server; undefined if there is none. */
  firstSuperuser(): Promise<User | undefined>;
}

/**
 * An issued refresh token. A family starts with the token of the sign-in and includes every refresh token that later
 * replaces a token of the family.
 */
export interface RefreshRecord {
  readonly jti: string;
  readonly familyId: string;
  readonly userId: number;
  readonly expiresAt: string;
}

/** Outcome of spending a refresh token. `reused`: the token was spent before, and its whole family is now revoked. */
export type SpendOutcome = 'ok' | 'reused' | 'revoked' | 'unknown';

/** Issued refresh tokens. `spend` is atomic: of several concurrent calls with the same jti, exactly one gets `ok`. */
export interface RefreshTokenStore {
  add(record: RefreshRecord): Promise<void>;
  /**
   * Spends a token. If the outcome is `ok`, `next` is stored in the same step. In two steps, a failure after the first step would use up
   * the token without storing the next token, and so end the session. A family that was revoked meanwhile remains revoked.
   */
  spend(jti: string, now: string, next?: RefreshRecord): Promise<SpendOutcome>;
  revokeFamily(familyId: string): Promise<void>;
  deleteExpired(now: string): Promise<number>;
}

/** Counts failures per key (`name:alice`, `addr:10.0.0.1`) in a sliding window. All methods are atomic. */
export interface ThrottleStore {
  /** Number of failures of `key` since `sinceMs` (epoch ms), and the time of the oldest of them. */
  failures(key: string, sinceMs: number): Promise<{ readonly count: number; readonly oldestMs: number | undefined }>;
  fail(key: string, atMs: number): Promise<void>;
  clear(key: string): Promise<void>;
  /**
   * Stores an address from which a name has signed in. Also removes the expired addresses of all names, and the oldest addresses of this name if
   * the name has more than `most` addresses.
   */
  know(place: KnownPlace): Promise<void>;
  /** True if this pair of name and address was stored since `sinceMs` (epoch ms). */
  knows(pair: string, sinceMs: number): Promise<boolean>;
}

/** An address from which a name has signed in; times in epoch ms. */
export interface KnownPlace {
  readonly name: string;
  /** Key made from the name and the address. */
  readonly pair: string;
  readonly atMs: number;
  /** Entries older than this time are removed, for all names. */
  readonly sinceMs: number;
  /** Maximum number of entries of the name. */
  readonly most: number;
}

/** Hashes and checks passwords off the event loop (scrypt or argon2id). */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
  /**
   * True for a hash of another system, which `verify` compares with the password as it was typed. The first sign-in replaces such a hash
   * by a hash of the method `hash`. Default: no hash is outdated.
   */
  isOutdated?(hash: string): boolean;
}

/** A browser session of the pages. Times are ISO 8601 UTC. */
export interface PageSession {
  /** SHA-256 of the session's id, 64 hex digits. The id itself, which the browser's cookie holds, never reaches a store. */
  readonly hash: string;
  readonly userId: number;
  /** `User.sessionVersion` at the sign-in. The user's present version is higher if the password was changed since then. */
  readonly sessionVersion: number;
  readonly createdAt: string;
  /** Time at which the session ends; requests of the session extend it. */
  readonly expiresAt: string;
}

/** A session and its user. */
export interface KnownPageSession {
  readonly session: PageSession;
  readonly user: User;
}

/** Browser sessions. A removed session is immediately unknown to every process. */
export interface PageSessionStore {
  /** Throws `user_not_found` for an unknown user. */
  add(session: PageSession): Promise<void>;
  /**
   * Returns a session and its user, also if the session has expired. One query reads both, because every request with a session needs them.
   */
  find(hash: string): Promise<KnownPageSession | undefined>;
  /** Sets the expiry; does nothing for an unknown session. */
  extend(hash: string, expiresAt: string): Promise<void>;
  /** Returns false for an unknown session. */
  remove(hash: string): Promise<boolean>;
  /** Removes the sessions that expired until `now`; returns their number. */
  deleteExpired(now: string): Promise<number>;
}
