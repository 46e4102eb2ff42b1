/** What a person tells of himself when he registers; null where he said nothing. */
export interface UserProfile {
  /** Years. */
  readonly age: number | null;
  readonly educationQualification: string | null;
  readonly gender: 'M' | 'F' | 'O' | null;
  /** Whether he came alone or for an organisation. Nothing follows from it. */
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
  /** May start computations, as superusers always may; false for who registered by himself until a superuser allows it. */
  readonly mayCompute: boolean;
  /** Somebody else knows the password (an installer's default): he may change it, and nothing else until he has. */
  readonly mustChangePassword: boolean;
  readonly passwordHash: string;
  /** From 0; grows when the password is changed or the user disabled. Tokens carry it, so that a change ends all sessions at once. */
  readonly sessionVersion: number;
  readonly createdAt: string;
}

/** What is needed to make a user; the store assigns the rest. */
export interface NewUser extends Omit<User, 'id' | 'createdAt' | 'sessionVersion'> {
  /** Default: nothing is known. */
  readonly profile?: Partial<UserProfile>;
  /** Of an organisation that is stored; default: none. */
  readonly organizationId?: string | null;
}

/** A user as one of his sessions finds him. */
export interface SessionUser {
  readonly user: User;
  /** False where the family of the session's refresh tokens was revoked, or is not known. */
  readonly isOpen: boolean;
}

/** A user as a request was allowed to act for him: a write for him is refused (`token_not_valid`) if his sessions have ended since. */
export type Caller = Pick<User, 'id' | 'sessionVersion'>;

/** Conditions of a replaced password: what was checked of its user before. */
export interface PasswordReplacement extends Pick<User, 'sessionVersion'> {
  /** Default: any. */
  readonly email?: string;
  /** See `PasswordOptions`; default true. */
  readonly endsKeys?: boolean;
}

/** What a new password brings with it. */
export interface PasswordOptions {
  /** Default: the operator, who has no session. */
  readonly by?: Caller;
  /** Default false: see `User.mustChangePassword`. */
  readonly mustChange?: boolean;
  /** Every active API key of the user ends for good, with the password or not at all. Default false. */
  readonly endsKeys?: boolean;
}

/** Users. Usernames are unique without regard to case. */
export interface UserStore {
  /** Throws `conflict` (field `username`) when the name is taken, `validation` (field `organization`) for an organisation that is not stored. */
  create(user: NewUser): Promise<User>;
  byId(id: number): Promise<User | undefined>;
  byUsername(username: string): Promise<User | undefined>;
  /** A user and whether this session of his lasts, in one read: every request with a token asks. */
  ofSession(id: number, familyId: string): Promise<SessionUser | undefined>;
  /** Also raises `sessionVersion` by one. Throws `token_not_valid` if the sessions of `by` have ended. */
  setPassword(id: number, passwordHash: string, options?: PasswordOptions): Promise<void>;
  /**
   * The same for a password of the user's own, if he is still as he was checked, and active; false if not. Of several at once one succeeds.
   */
  replacePassword(id: number, passwordHash: string, checked: PasswordReplacement): Promise<boolean>;
  /** Also raises `sessionVersion` by one where an active user is disabled. */
  setActive(id: number, isActive: boolean): Promise<void>;
  count(): Promise<number>;
  /** First superuser by id, if any: what start-up looks for. */
  firstSuperuser(): Promise<User | undefined>;
}

/** One refresh token that was issued. A family starts at login; rotation stays inside it. */
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
   * Spends a token. If the outcome is `ok`, `next` is stored in the same step: a failure cannot end the session by losing only one of the two.
   * A family that was revoked meanwhile stays revoked.
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
  /** Notes a place where a name has signed in. Of one name the latest are kept, and of none what is too old. */
  know(place: KnownPlace): Promise<void>;
  /** True for a name at an address (one key of both) that was noted since `sinceMs` (epoch ms). */
  knows(pair: string, sinceMs: number): Promise<boolean>;
}

/** Where a name has signed in; times in epoch ms. */
export interface KnownPlace {
  readonly name: string;
  /** Key of the name at the address. */
  readonly pair: string;
  readonly atMs: number;
  /** What is older than this, of whichever name, is forgotten. */
  readonly sinceMs: number;
  /** How many of the name are kept. */
  readonly most: number;
}

/** Hashes and checks passwords off the event loop (scrypt or argon2id). */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}
