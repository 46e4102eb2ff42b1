import type { User } from './accounts.ts';

/** A key with which a program calls on behalf of a user. Only its owner knows its text. Times are ISO 8601 UTC. */
export interface ApiKey {
  /** The first 8 letters and digits of the key's text. They are unique, and identify the key in look-ups, lists and logs. */
  readonly prefix: string;
  readonly userId: number;
  /** Name given by its owner. */
  readonly name: string;
  /** False after the key was deactivated. A deactivated key cannot be activated again. */
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Time of the latest use, or null if the key was never used. The time is written some seconds late, because uses are stored in batches. */
  readonly lastUsedAt: string | null;
}

/** Details of a new key; the store assigns the other members of `ApiKey`. */
export interface NewApiKey extends Pick<ApiKey, 'prefix' | 'userId' | 'name' | 'expiresAt'> {
  /**
   * SHA-256 of the whole text, 64 hex digits. The text itself never reaches a store. A key that was moved from another system has `sha512$$` and
   * the 128 hex digits of its SHA-512.
   */
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

/** Number of uses of a user's keys on a day, over all keys. */
export interface AccountDay extends Pick<ApiKeyDay, 'day' | 'uses'> {
  readonly userId: number;
}

/** API keys. A change by one process applies to the next look-up of every other process. */
export interface ApiKeyStore {
  /**
   * Stores a key. Throws `conflict` (field `prefix`) if the prefix is taken. Throws `conflict` without a field if the user already has `most`
   * active keys, counted as `activeOf` lists them; concurrent calls cannot exceed this number. Throws `user_not_found` for an unknown user, and
   * `token_not_valid` if the user's sessions have ended since the creation was allowed.
   */
  create(key: NewApiKey, limit: { readonly most: number }): Promise<ApiKey>;
  /**
   * Returns a key with its hash and its user. One query reads the key, the hash and the user, because every request with a key needs all three.
   * Undefined if the key or its user does not exist.
   */
  find(prefix: string): Promise<KnownApiKey | undefined>;
  /** The user's active keys, including expired ones, newest first. */
  activeOf(userId: number): Promise<readonly ApiKey[]>;
  /** Ends a key for good and returns its new state, also if the key had ended before. Undefined if the key does not exist. */
  deactivate(prefix: string): Promise<ApiKey | undefined>;
  /** Uses of the user's active keys per day since this day (`2026-01-31`), sorted by prefix and day. Days without uses are left out. */
  daysOf(userId: number, since: string): Promise<readonly ApiKeyDay[]>;
  /**
   * Returns for each of these users how often all keys of the user were used on a day, including ended keys. The order
   * is not fixed. Users without uses are left out.
   */
  usesOn(day: string, userIds: readonly number[]): Promise<readonly AccountDay[]>;
  /** Adds uses and updates the latest use of each key; unknown keys are skipped. */
  noteUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /**
   * Removes keys that were deactivated or expired before the start of this day (`2026-01-31`, UTC), and the counts of earlier days.
   */
  removeOld(before: string): Promise<void>;
}
