/** Details from the registration; null if not given. */
export interface UserProfile {
  readonly age: number | null;
  readonly educationQualification: string | null;
  readonly gender: 'M' | 'F' | 'O' | null;
  /** Type of the account; it gives no rights. */
  readonly accountType: 'individual' | 'org' | null;
}

/** Person or service that signs in. Times are ISO 8601 UTC. */
export interface User {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly contactNumber: string | null;
  readonly isActive: boolean;
  /** True if the user may see and cancel every run, and use operator routes. */
  readonly isSuperuser: boolean;
  /** True if the user may start computations, as superusers always may. False after self-registration. */
  readonly mayCompute: boolean;
  /** True if another person knows the password. The user may then only change the password. */
  readonly mustChangePassword: boolean;
  readonly passwordHash: string;
  /**
   * Number from 0, incremented when the password changes, the user is disabled, or all sessions end. Tokens contain it,
   * so these changes end all sessions at once.
   */
  readonly sessionVersion: number;
  readonly createdAt: string;
}

/** Details of a new user. */
export interface NewUser extends Omit<User, 'id' | 'createdAt' | 'sessionVersion'> {
  /** Details from the registration; default: all unknown. */
  readonly profile?: Partial<UserProfile>;
  /** Id of a stored organisation. */
  readonly organizationId?: string | null;
  /** Id of a stored organisation that the user wants to join. */
  readonly requestedOrganizationId?: string | null;
}

/** User, and the state of one session. */
export interface SessionUser {
  readonly user: User;
  /** False if the session's refresh tokens were revoked or are unknown. */
  readonly isOpen: boolean;
}

/** User who requested a write. The write fails (`token_not_valid`) if the user's sessions have ended meanwhile. */
export type Caller = Pick<User, 'id' | 'sessionVersion'>;

/** State before a password is replaced. The replacement fails if the state has changed. */
export interface PasswordReplacement extends Pick<User, 'sessionVersion'> {
  /** E-mail address; if absent, it is not checked. */
  readonly email?: string;
  /** See `PasswordOptions`; default: true. */
  readonly endsKeys?: boolean;
}

/** Options of a new password. */
export interface PasswordOptions {
  /** User who sets the password; default: the operator. */
  readonly by?: Caller;
  /** See `User.mustChangePassword`; default: false. */
  readonly mustChange?: boolean;
  /** True if all active API keys end too. Default: false. */
  readonly endsKeys?: boolean;
}

/** Part of the list of users. */
export interface UserWish {
  /** Text in a name or the e-mail address, ignoring case. */
  readonly search?: string;
  readonly isActive?: boolean;
  readonly isSuperuser?: boolean;
  /** Right to compute, which superusers always have. */
  readonly mayCompute?: boolean;
  /** Order; default: by name, ignoring the case of A to Z. */
  readonly sort?: 'username' | 'email' | 'createdAt';
  readonly isDescending?: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Page of users, and the number of all matching users. */
export interface UserPage {
  readonly users: readonly Omit<User, 'passwordHash'>[];
  readonly total: number;
}

/** Users. Usernames are unique, ignoring case. */
export interface UserStore {
  /**
   * Throws `conflict` (field `username`) for a taken name, `validation` (field `organization`) for an unknown
   * organisation.
   */
  create(user: NewUser): Promise<User>;
  byId(id: number): Promise<User | undefined>;
  byUsername(username: string): Promise<User | undefined>;
  /** User and state of a session, in one query, because every request with a token needs both. */
  ofSession(id: number, familyId: string): Promise<SessionUser | undefined>;
  /** Sets the password and increments `sessionVersion`. Throws `token_not_valid` if the sessions of `by` have ended. */
  setPassword(id: number, passwordHash: string, options?: PasswordOptions): Promise<void>;
  /**
   * Replaces the password of an active user in the checked state; otherwise returns false. Only one of several
   * concurrent calls succeeds.
   */
  replacePassword(id: number, passwordHash: string, checked: PasswordReplacement): Promise<boolean>;
  /** Replaces the stored password hash by `to` if it is still `from`. Sessions and keys stay valid. */
  rehash(id: number, from: string, to: string): Promise<void>;
  /** Increments `sessionVersion` if an active user is disabled. */
  setActive(id: number, isActive: boolean): Promise<void>;
  /** Ends all sessions and tokens of a user. Throws `token_not_valid` if the sessions of `by` have ended. */
  endSessions(id: number, by?: Caller): Promise<void>;
  /** Lists users. Users with equal values of the order are sorted by id, in the same direction. */
  list(wish: UserWish): Promise<UserPage>;
  count(): Promise<number>;
  /** Usernames by id, without unknown ids. */
  usernames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Ids of users with this text in the username, ignoring case; ascending, at most `most`. */
  idsNamed(text: string, most: number): Promise<readonly number[]>;
  /** Superuser with the lowest id. */
  firstSuperuser(): Promise<User | undefined>;
}

/** Issued refresh token. Its family are all refresh tokens since one sign-in. */
export interface RefreshRecord {
  readonly jti: string;
  readonly familyId: string;
  readonly userId: number;
  readonly expiresAt: string;
}

/** Outcome of spending a refresh token. `reused`: spent before; the whole family is now revoked. */
export type SpendOutcome = 'ok' | 'reused' | 'revoked' | 'unknown';

/** Issued refresh tokens. `spend` is atomic: only one of several concurrent calls gets `ok`. */
export interface RefreshTokenStore {
  add(record: RefreshRecord): Promise<void>;
  /**
   * Spends a token and stores `next` in one step, because otherwise a failure between the two could end the session. A
   * revoked family stays revoked.
   */
  spend(jti: string, now: string, next?: RefreshRecord): Promise<SpendOutcome>;
  revokeFamily(familyId: string): Promise<void>;
  deleteExpired(now: string): Promise<number>;
}

/** Failures per key (`name:alice`, `addr:10.0.0.1`) in a sliding window. All methods are atomic. */
export interface ThrottleStore {
  /** Failures since `sinceMs` (epoch ms), and the time of the oldest. */
  failures(key: string, sinceMs: number): Promise<{ readonly count: number; readonly oldestMs: number | undefined }>;
  fail(key: string, atMs: number): Promise<void>;
  clear(key: string): Promise<void>;
  /** Stores an address of a name. Removes expired addresses of all names, and the oldest above `most` of this name. */
  know(place: KnownPlace): Promise<void>;
  /** True if the pair of name and address was stored since `sinceMs` (epoch ms). */
  knows(pair: string, sinceMs: number): Promise<boolean>;
}

/** Address from which a name has signed in; times in epoch ms. */
export interface KnownPlace {
  readonly name: string;
  readonly pair: string;
  readonly atMs: number;
  /** `know` removes older entries of all names. */
  readonly sinceMs: number;
  /** Maximum number of entries of the name. */
  readonly most: number;
}

/** Hashes and checks passwords off the event loop (scrypt or argon2id). */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
  /** True for a hash of another system, which the first sign-in replaces (decision 241). */
  isOutdated?(hash: string): boolean;
}

/** Browser session of the pages. Times are ISO 8601 UTC. */
export interface PageSession {
  /** SHA-256 of the session's id, 64 hex digits. The id itself is never stored. */
  readonly hash: string;
  readonly userId: number;
  /** `User.sessionVersion` at the sign-in. A password change raises the user's version. */
  readonly sessionVersion: number;
  readonly createdAt: string;
  /** End of the session; its requests extend it. */
  readonly expiresAt: string;
}

/** Session and its user. */
export interface KnownPageSession {
  readonly session: PageSession;
  readonly user: User;
}

/** Browser sessions. A removed session is unknown to all processes at once. */
export interface PageSessionStore {
  /** Stores a session. Throws `user_not_found` for an unknown user. */
  add(session: PageSession): Promise<void>;
  /** Session, perhaps expired, and its user, in one query for speed. */
  find(hash: string): Promise<KnownPageSession | undefined>;
  /** Sets the expiry; ignores an unknown session. */
  extend(hash: string, expiresAt: string): Promise<void>;
  /** Removes a session; false for an unknown session. */
  remove(hash: string): Promise<boolean>;
  deleteExpired(now: string): Promise<number>;
}
