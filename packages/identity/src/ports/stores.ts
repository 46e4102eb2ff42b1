import type { DomainStores } from '@headwater/core';
import type { RefreshTokenStore, ThrottleStore, UserStore, PageSessionStore } from './accounts.ts';
import type { ApiKeyStore } from './api-keys.ts';
import type { DirectoryStore } from './directory.ts';
import type { AuditStore } from './audit.ts';
import type { MoveStore } from './moves.ts';
import type { PeopleStore } from './people.ts';
import type { TeamStore } from './teams.ts';

/** Stores of accounts, their sessions and keys. */
export interface AccountStores {
  readonly users: UserStore;
  readonly people: PeopleStore;
  readonly teams: TeamStore;
  readonly refreshTokens: RefreshTokenStore;
  readonly pageSessions: PageSessionStore;
  readonly throttle: ThrottleStore;
  readonly apiKeys: ApiKeyStore;
  readonly directory: DirectoryStore;
  readonly audit: AuditStore;
  readonly moves: MoveStore;
}

/** All stores of one database. The implementations in memory and in PostgreSQL pass the same suite. */
export interface Stores extends DomainStores, AccountStores {}

/** A mail of plain text. */
export interface MailMessage {
  /** Address of the recipient; only one. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Sends mails. Rejects if a mail is refused. The text of the error must not appear in a message or a log, because it
 * may contain a secret.
 */
export interface MailSender {
  send(message: MailMessage): Promise<void>;
}
