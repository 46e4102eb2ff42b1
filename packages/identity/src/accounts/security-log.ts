import type { Logger } from '@headwater/core';
import { replaceControlCharacters } from '@headwater/core/values';

/** Name of a security event, the `securityEvent` of log lines. */
export type SecurityEvent = keyof typeof EVENTS;

/** Account and address of an event, without passwords and tokens. */
export interface EventFacts {
  readonly userId?: number;
  /** User name of the account, or the typed name. */
  readonly username?: string;
  readonly address?: string | undefined;
  /** Kind of the limit, such as `name at address`. */
  readonly by?: string;
  readonly limit?: number;
  /** Prefix of an API key; only the rest of the key is secret. */
  readonly keyPrefix?: string;
}

/** Logs an event. */
export type Report = (event: SecurityEvent, facts: EventFacts) => void;

const EVENTS = {
  sign_in: ['info', 'signed in'],
  sign_in_failed: ['info', 'a sign-in failed'],
  sign_in_refused: ['info', 'a sign-in was refused after too many failures'],
  lockout: ['error', 'too many sign-ins failed; further sign-ins are refused or slowed for some time'],
  refresh_token_reused: [
    'error',
    'a refresh token was used twice; its session was ended, because the token may have been stolen',
  ],
  sign_out: ['info', 'signed out'],
  password_changed: ['info', 'a password was changed by its owner; all sessions have ended'],
  password_change_failed: ['info', 'a change of the password was refused, because the present password was wrong'],
  password_reset: ['info', 'a password was set by an operator; all sessions have ended'],
  password_link_sent: ['info', 'a link for a new password was mailed'],
  password_link_refused: [
    'info',
    'a link for a new password was requested, but no active account with an e-mail address has this name',
  ],
  password_link_withheld: [
    'info',
    'a link for a new password was requested, but the maximum number of links was mailed within the last hour',
  ],
  password_set_by_link: ['info', 'a password was set by a link; all sessions and API keys have ended'],
  person_changed: ['info', 'details of a user were changed'],
  registered: ['info', 'a user registered'],
  account_disabled: ['info', 'an account was disabled; all its sessions have ended'],
  account_enabled: ['info', 'an account was enabled'],
  sessions_ended: ['info', 'all sessions of an account were ended by an operator'],
  api_key_made: ['info', 'an API key was made'],
  api_key_ended: ['info', 'an API key was deactivated'],
} as const satisfies Readonly<Record<string, readonly [level: 'info' | 'error', message: string]>>;

const MAX_USERNAME = 150;
const MAX_ADDRESS = 64;

/** Writes security events to the log. */
export function createSecurityLog(logger: Logger): Report {
  return (event, { userId, username, address, by, limit, keyPrefix }) => {
    const [level, message] = EVENTS[event];
    const fields = {
      securityEvent: event,
      ...(userId === undefined ? {} : { userId }),
      ...(username === undefined ? {} : { username: harmless(username, MAX_USERNAME) }),
      ...(address === undefined ? {} : { address: harmless(address, MAX_ADDRESS) }),
      ...(by === undefined ? {} : { by, limit }),
      ...(keyPrefix === undefined ? {} : { keyPrefix }),
    };
    logger[level](fields, message);
  };
}

function harmless(text: string, max: number): string {
  return replaceControlCharacters(text.slice(0, max), () => '?');
}
