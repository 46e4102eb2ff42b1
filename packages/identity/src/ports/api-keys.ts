import type { User } from './accounts.ts';

/** A key that a program shows to call in a user's name. Only its owner knows its text. Times are ISO 8601 UTC. */
export interface ApiKey {
  /** The first 8 letters and digits of its text, unique: by them it is looked up, and named where nobody may read the rest. */
  readonly prefix: string;
  readonly userId: number;
  /** What its owner calls it. */
  readonly name: string;
  /** False once it was deactivated, which is for good. */
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Some seconds late: uses are written in batches. Null where it was never used. */
  readonly lastUsedAt: string | null;
}

/** What is needed to store a key; the store assigns the rest. */
export interface NewApiKey extends Pick<ApiKey, 'prefix' | 'userId' | 'name' | 'expiresAt'> {
  /** SHA-256 of the whole text, 64 hex digits. The text itself never reaches a store. */
  readonly hash: string;
  /** `User.sessionVersion` of its user when he was allowed to make it. */
  readonly sessionVersion: number;
}

/** A key as whoever checks it needs it. */
export interface KnownApiKey {
  readonly key: ApiKey;
  readonly hash: string;
  /** Whose it is. */
  readonly user: User;
}

/** Uses of a key within one day (UTC). */
export interface ApiKeyUse {
  readonly prefix: string;
  /** The latest of them. */
  readonly usedAt: string;
  /** How many, from 1. */
  readonly count: number;
}

/** How often a key was used on a day. */
export interface ApiKeyDay {
  readonly prefix: string;
  /** `2026-01-31`, UTC. */
  readonly day: string;
  readonly uses: number;
}

/** API keys. What one process changes holds for every other one from its next look-up on. */
export interface ApiKeyStore {
  /**
   * Throws `conflict` (field `prefix`) when the prefix is taken, `conflict` without a field when the user has `most` active keys (those
   * that `activeOf` lists), also where several come at once, `user_not_found` when there is no such user, and `token_not_valid` when his
   * sessions have ended since: whoever ends them has no key made behind his back.
   */
  create(key: NewApiKey, limit: { readonly most: number }): Promise<ApiKey>;
  /** A key with its hash and its user, in one read: every request with a key asks. Undefined where the user is gone too. */
  find(prefix: string): Promise<KnownApiKey | undefined>;
  /** The user's active keys, newest first; expired ones included. */
  activeOf(userId: number): Promise<readonly ApiKey[]>;
  /** Ends a key for good; the key as it is then, also where it had ended before. Undefined where there is none. */
  deactivate(prefix: string): Promise<ApiKey | undefined>;
  /** How often the user's active keys were used on each day from this one on (`2026-01-31`), days without a use left out; by prefix and day. */
  daysOf(userId: number, since: string): Promise<readonly ApiKeyDay[]>;
  /** How often these keys were used on a day, those without a use left out; in no order. */
  usesOn(day: string, prefixes: readonly string[]): Promise<readonly ApiKeyDay[]>;
  /** Counts uses and notes the latest of each key; keys that are gone are left out. */
  noteUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /** Removes keys that ended (were deactivated, or expired) before this day (`2026-01-31`, UTC) began, and counts of days before it. */
  removeOld(before: string): Promise<void>;
}
