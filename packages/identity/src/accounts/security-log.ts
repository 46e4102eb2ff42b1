import type { Logger } from '@headwater/core';
import { replaceControlCharacters } from '@headwater/core/values';

/** What operators watch: whoever reads the log for attacks looks for these in `securityEvent`. */
export type SecurityEvent = keyof typeof EVENTS;

/** Whom an event is about, and from where; never a password or a token. */
export interface EventFacts {
  readonly userId?: number;
  /** As typed where nobody has signed in. */
  readonly username?: string;
  readonly address?: string | undefined;
  /** What a limit counts. */
  readonly by?: string;
  readonly limit?: number;
  /** Names an API key; the rest of its text is nobody's business. */
  readonly keyPrefix?: string;
}

/** Tells of an event. */
export type Report = (event: SecurityEvent, facts: EventFacts) => void;

const EVENTS = {
  sign_in: ['info', 'signed in'],
  sign_in_failed: ['info', 'a sign-in failed'],
  sign_in_refused: ['info', 'a sign-in was refused, too many failed'],
  lockout: ['error', 'too many sign-ins failed; further ones are refused, or slowed, for a while'],
  refresh_token_reused: [
    'error',
    'a refresh token was used twice; its session is ended, for one of the two may be a thief',
  ],
  sign_out: ['info', 'signed out'],
  password_changed: ['info', 'a password was changed by its owner; all sessions have ended'],
  password_change_failed: ['info', 'the present password was wrong when a new one was set'],
  password_reset: ['info', 'a password was set by an operator; all sessions have ended'],
  password_link_sent: ['info', 'a link for a new password was mailed'],
  password_link_refused: [
    'info',
    'a link for a new password was asked for; no active account with an address has this name',
  ],
  password_link_withheld: [
    'info',
    'a link for a new password was asked for; enough that are still good were mailed within the hour',
  ],
  password_set_by_link: ['info', 'a password was set by a link; all sessions and API keys have ended'],
  person_changed: ['info', 'what is told of a user was changed'],
  registered: ['info', 'somebody registered'],
  account_disabled: ['info', 'an account was disabled; all its sessions have ended'],
  account_enabled: ['info', 'an account was enabled'],
  api_key_made: ['info', 'an API key was made'],
  api_key_ended: ['info', 'an API key was deactivated'],
} as const satisfies Readonly<Record<string, readonly [level: 'info' | 'error', message: string]>>;

/** Longest user name that an account has; what is typed may be longer. */
const MAX_USERNAME = 150;
const MAX_ADDRESS = 64;

/** Writes security events as log lines of fixed fields. */
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

/** What a stranger typed, without what could break a line or turn its direction, and no longer than the real thing. */
function harmless(text: string, max: number): string {
  return replaceControlCharacters(text.slice(0, max), () => '?');
}
