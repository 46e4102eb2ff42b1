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

/** All stores of one database. */
export interface Stores extends DomainStores, AccountStores {}

/** Mail of plain text. */
export interface MailMessage {
  /** Address of the only recipient. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mails. The error of a refused mail may contain a secret, so do not log its text. */
export interface MailSender {
  send(message: MailMessage): Promise<void>;
}
