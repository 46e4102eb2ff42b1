import type { User } from './accounts.ts';

/** A browser session of the pages. Times are ISO 8601 UTC. */
export interface PageSession {
  /** SHA-256 of the session's id, 64 hex digits. The id itself, which the browser's cookie holds, never reaches a store. */
  readonly hash: string;
  readonly userId: number;
  /** `User.sessionVersion` at the sign-in. The user's present version is higher if the password was changed since then. */
  readonly sessionVersion: number;
  readonly createdAt: string;
  /** Time at which the session ends; it becomes later while the session is used. */
  readonly expiresAt: string;
}

/** A session and its user. */
export interface KnownPageSession {
  readonly session: PageSession;
  readonly user: User;
}

/** Browser sessions. A removed session is unknown to every process at once. */
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
