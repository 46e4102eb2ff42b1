import type { User } from './accounts.ts';

/** Key of a program that calls for a user. Times are ISO 8601 UTC. */
export interface ApiKey {
  /** First 8 characters of the key's text; unique, for look-ups, lists and logs. */
  readonly prefix: string;
  readonly userId: number;
  /** Name from its owner. */
  readonly name: string;
  /** False after deactivation, which is permanent. */
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Latest use, written some seconds late; null without uses. */
  readonly lastUsedAt: string | null;
}

/** Details of a new key. */
export interface NewApiKey extends Pick<ApiKey, 'prefix' | 'userId' | 'name' | 'expiresAt'> {
  /**
   * SHA-256 of the whole text, 64 hex digits. For a key from another system: `sha512$$` and the SHA-512 of the text.
   * The text itself is never stored.
   */
  readonly hash: string;
  /** `User.sessionVersion` when the creation was allowed. */
  readonly sessionVersion: number;
}

/** Key with the data for its check. */
export interface KnownApiKey {
  readonly key: ApiKey;
  readonly hash: string;
  readonly user: User;
}

/** Uses of a key within one day (UTC). */
export interface ApiKeyUse {
  readonly prefix: string;
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

/** Uses of all keys of a user on a day. */
export interface AccountDay extends Pick<ApiKeyDay, 'day' | 'uses'> {
  readonly userId: number;
}

/** API keys. A change applies at once in all processes. */
export interface ApiKeyStore {
  /**
   * Stores a key. Throws `conflict` for a taken prefix (field `prefix`) or for more than `most` active keys. Throws
   * `user_not_found` for an unknown user, and `token_not_valid` if `sessionVersion` is outdated.
   */
  create(key: NewApiKey, limit: { readonly most: number }): Promise<ApiKey>;
  /** Key with hash and user in one query, because every request with a key needs them. */
  find(prefix: string): Promise<KnownApiKey | undefined>;
  /** Active keys, including expired ones, newest first. */
  activeOf(userId: number): Promise<readonly ApiKey[]>;
  /** Ends a key for good and returns its state, also if the key had ended before. */
  deactivate(prefix: string): Promise<ApiKey | undefined>;
  /**
   * Uses of active keys per day, from the day `since` (such as `2026-01-31`), sorted by prefix and day. Days without
   * uses are left out.
   */
  daysOf(userId: number, since: string): Promise<readonly ApiKeyDay[]>;
  /** Uses of all keys of these users on a day, in no fixed order; users without uses are left out. */
  usesOn(day: string, userIds: readonly number[]): Promise<readonly AccountDay[]>;
  /** Adds uses and updates the latest use; unknown keys are skipped. */
  noteUses(uses: readonly ApiKeyUse[]): Promise<void>;
  /** Removes keys that ended or expired before this day (`2026-01-31`, UTC), and the uses of earlier days. */
  removeOld(before: string): Promise<void>;
}
