import type { User } from './accounts.ts';

/** A key with which a program calls on behalf of a user. Only its owner knows its text. Times are ISO 8601 UTC. */
export interface ApiKey {
  /** The first 8 letters and digits of the key's text. They are unique, and identify the key in look-ups, lists and logs. */
  readonly prefix: string;
  readonly userId: number;
  /** Name given by its owner. */
  readonly name: string;
  /** False after it was deactivated; it cannot be activated again. */
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Time of the latest use; some seconds late, because uses are written in batches. Null if it was never used. */
  readonly lastUsedAt: string | null;
}

/** Details of a new key; the store assigns the rest. */
export interface NewApiKey extends Pick<ApiKey, 'prefix' | 'userId' | 'name' | 'expiresAt'> {
  /** SHA-256 of the whole text, 64 hex digits. The text itself never reaches a store. */
  readonly hash: string;
  /** The owner's `User.sessionVersion` when the creation of the key was allowed. */
  readonly sessionVersion: number;
}

/** A key with the data that its check needs. */
export interface KnownApiKey {
  readonly key: ApiKey;
  readonly hash: string;
  /** Owner of the key. */
  readonly user: User;
}

/** Uses of a key within one day (UTC). */
export interface ApiKeyUse {
  readonly prefix: string;
  /** Time of the latest use. */
  readonly usedAt: string;
  /** Number of uses, from 1. */
  readonly count: number;
}

/** Number of uses of a key on a day. */
export interface ApiKeyDay {
  readonly prefix: string;
  /** `2026-01-31`, UTC. */
  readonly day: string;
  readonly uses: number;
}

/** Number of uses of all keys of a user on a day. */
export interface AccountDay extends Pick<ApiKeyDay, 'day' | 'uses'> {
  readonly userId: number;
}

/** API keys. A change by one process applies to the next look-up of every other process. */
export interface ApiKeyStore {
  /**
   * Stores a key. Throws `conflict` (field `prefix`) if the prefix is taken, and `conflict` without a field if the user already has `most`
   * active keys (those that `activeOf` lists), also for concurrent calls. Throws `user_not_found` for an unknown user, and
   * `token_not_valid` if the user's sessions have ended since the creation was allowed.
   */
  create(key: NewApiKey, limit: { readonly most: number }): Promise<ApiKey>;
  /**
   * A key with its hash and its user, by one query, because every request with a key needs them. Undefined if the key or its user does not
   * exist.
   */
  find(prefix: string): Promise<KnownApiKey | undefined>;
  /** The user's active keys, newest first; expired ones included. */
  activeOf(userId: number): Promise<readonly ApiKey[]>;
  /** Ends a key for good; returns its new state, also if it had ended before. Undefined if it does not exist. */
  deactivate(prefix: string): Promise<ApiKey | undefined>;
  /** Uses of the user's active keys per day since this day (`2026-01-31`), sorted by prefix and day. Days without uses are left out. */
  daysOf(userId: number, since: string): Promise<readonly ApiKeyDay[]>;
  /** Uses of all keys of each of these users on a day, including ended keys, in any order. Users without uses are left out. */
  usesOn(day: string, userIds: readonly number[]): Promise<readonly AccountDay[]>;
  /** Adds uses and updates the latest use of each key; unknown keys are skipped. */
  noteUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /**
   * Removes keys that ended (were deactivated, or expired) before the start of this day (`2026-01-31`, UTC), and counts of days before it.
   */
  removeOld(before: string): Promise<void>;
}
