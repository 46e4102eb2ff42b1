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
  /** May start computations, as superusers always may; false after self-registration until a superuser allows it. */
  readonly mayCompute: boolean;
  /** Another person knows the password (an installer's default): the user must change it first and may do nothing else. */
  readonly mustChangePassword: boolean;
  readonly passwordHash: string;
  /**
   * From 0; incremented when the password is changed or the user disabled. Tokens contain it, so that a change ends all sessions at once.
   */
  readonly sessionVersion: number;
  readonly createdAt: string;
}

/** Details of a new user; the store assigns the rest. */
export interface NewUser extends Omit<User, 'id' | 'createdAt' | 'sessionVersion'> {
  /** Default: all unknown. */
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

/** State of the user that was checked before a password is replaced; the replacement fails if it has changed. */
export interface PasswordReplacement extends Pick<User, 'sessionVersion'> {
  /** E-mail address of the user; default: not checked. */
  readonly email?: string;
  /** See `PasswordOptions`; default true. */
  readonly endsKeys?: boolean;
}

/** Options of a new password. */
export interface PasswordOptions {
  /** The user who sets the password; default: the operator, who has no session. */
  readonly by?: Caller;
  /** Default false: see `User.mustChangePassword`. */
  readonly mustChange?: boolean;
  /** True if all active API keys of the user end for good, in the same step. Default false. */
  readonly endsKeys?: boolean;
}

/** Users. Usernames are unique, ignoring case. */
export interface UserStore {
  /** Throws `conflict` (field `username`) when the name is taken, `validation` (field `organization`) for an unknown organisation. */
  create(user: NewUser): Promise<User>;
  byId(id: number): Promise<User | undefined>;
  byUsername(username: string): Promise<User | undefined>;
  /** A user with the state of this session, by one query, because every request with a token needs them. */
  ofSession(id: number, familyId: string): Promise<SessionUser | undefined>;
  /** Also increments `sessionVersion`. Throws `token_not_valid` if the sessions of `by` have ended. */
  setPassword(id: number, passwordHash: string, options?: PasswordOptions): Promise<void>;
  /**
   * Replaces the user's own password if the user is still active and in the checked state; otherwise returns false. Only one of several
   * concurrent calls succeeds.
   */
  replacePassword(id: number, passwordHash: string, checked: PasswordReplacement): Promise<boolean>;
  /** Also increments `sessionVersion` if an active user is disabled. */
  setActive(id: number, isActive: boolean): Promise<void>;
  count(): Promise<number>;
  /** First superuser by id, if any, for the start of the server. */
  firstSuperuser(): Promise<User | undefined>;
}

/** An issued refresh token. A family starts at sign-in and includes every refresh token that later replaces the first. */
export interface RefreshRecord {
  readonly jti: string;
  readonly familyId: string;
  readonly userId: number;
  readonly expiresAt: string;
}

/** Outcome of spending a refresh token: `reused` means it was spent before, and its whole family is now revoked. */
export type SpendOutcome = 'ok' | 'reused' | 'revoked' | 'unknown';

/** Issued refresh tokens. `spend` is atomic: of N concurrent calls with one jti exactly one gets `ok`. */
export interface RefreshTokenStore {
  add(record: RefreshRecord): Promise<void>;
  /**
   * Spends a token. If the outcome is `ok`, `next` is stored in the same step: a failure cannot end the session by losing only one of the
   * two. A family that was revoked meanwhile remains revoked.
   */
  spend(jti: string, now: string, next?: RefreshRecord): Promise<SpendOutcome>;
  revokeFamily(familyId: string): Promise<void>;
  deleteExpired(now: string): Promise<number>;
}

/** Counts failures per key (`name:alice`, `addr:10.0.0.1`) in a sliding window. Atomic. */
export interface ThrottleStore {
  /** Failures of `key` since `sinceMs` (epoch ms) and the oldest of them. */
  failures(key: string, sinceMs: number): Promise<{ readonly count: number; readonly oldestMs: number | undefined }>;
  fail(key: string, atMs: number): Promise<void>;
  clear(key: string): Promise<void>;
  /**
   * Stores an address from which a name has signed in. Removes expired addresses, and the oldest ones of the name if it has more than
   * `most`.
   */
  know(place: KnownPlace): Promise<void>;
  /** True if this pair of name and address (one key) was stored since `sinceMs` (epoch ms). */
  knows(pair: string, sinceMs: number): Promise<boolean>;
}

/** An address from which a name has signed in; times in epoch ms. */
export interface KnownPlace {
  readonly name: string;
  /** Key made from name and address. */
  readonly pair: string;
  readonly atMs: number;
  /** Entries older than this are removed, for all names. */
  readonly sinceMs: number;
  /** Maximum number of entries of the name. */
  readonly most: number;
}

/** Hashes and checks passwords off the event loop (scrypt or argon2id). */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}
