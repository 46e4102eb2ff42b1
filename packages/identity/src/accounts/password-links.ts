import { addressDigest, newTokenId, secondsOf } from '../auth/tokens.ts';
import { DomainError, errorCode, isDomainError, SILENT } from '@headwater/core';
import type { User } from '../ports/accounts.ts';
import { addressKey } from './address-key.ts';
import { createAttempts } from './attempts.ts';
import { refuseProblems } from './new-account.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { AccountService, PasswordLink, ServiceParts } from './types.ts';
import { usernameKey } from './username.ts';

/** Maximum number of links that one address (IPv6: one /64) may request within an hour. */
const PER_ADDRESS = {
  windowMs: 3_600_000,
  most: 40,
  problem: 'Too many links were requested from this address',
} as const;
/**
 * Maximum number of links that one address may request for one name within an hour. Requests from other addresses do
 * not count, so that strangers cannot block the owner of the name.
 */
const PER_NAME_AT_ADDRESS = {
  ...PER_ADDRESS,
  most: 5,
  problem: 'Too many links were requested for this name',
} as const;
/**
 * Maximum number of mails to one account within an hour, counted over all IP addresses that request links. The limit
 * protects the mailbox from a flood. A request above the limit sends no mail and causes no error, because the mailed
 * links are still valid. The count starts again when an event makes these links invalid. A failed mail counts, because
 * a mail server that timed out may have accepted it.
 */
const MAILED = { windowMs: 3_600_000, most: 5, problem: 'Enough links were mailed to this account' } as const;

/**
 * Links with which users set a new password after they forgot the old one. A link is mailed to the address of the account and can be
 * used once.
 */
export type PasswordLinks = Pick<
  AccountService,
  'sendsMail' | 'sendPasswordLink' | 'checkPasswordLink' | 'setPasswordByLink'
>;

/**
 * Builds the functions for links. A link contains a token for the present `sessionVersion` and e-mail address of the
 * account, so that a new password or another address makes all earlier links invalid.
 */
export function createPasswordLinks(parts: ServiceParts): PasswordLinks {
  const { stores, clock, mailLink } = parts;
  const counting = { store: stores.throttle, clock };
  const countAddress = createAttempts(counting, PER_ADDRESS);
  const countPair = createAttempts(counting, PER_NAME_AT_ADDRESS);
  const countMail = createAttempts(counting, MAILED);
  return {
    sendsMail: mailLink !== undefined,
    sendPasswordLink: async (username, remoteAddress) => {
      if (mailLink === undefined) {
        const text = 'This service sends no mail; ask its operator, who can set a new password for you.';
        throw new DomainError('forbidden', text);
      }
      const address = remoteAddress === undefined ? '' : addressKey(remoteAddress);
      await countAddress(`password link ${address}`);
      await countPair(`password link ${address} name:${usernameKey(username)}`);
      // The mail is not awaited, because otherwise the response time would reveal if the user exists.
      void sendLink(parts, { mailLink, countMail }, { username, address: remoteAddress });
    },
    checkPasswordLink: async (link) => void (await ownerOf(parts, link)),
    setPasswordByLink: async (link, password, remoteAddress) => {
      const user = await ownerOf(parts, link);
      refuseProblems({ newPassword: passwordProblems(password, user) });
      const hash = await parts.hasher.hash(normalizedPassword(password));
      const checked = { sessionVersion: user.sessionVersion, email: user.email };
      // Only the first request with a link succeeds, because this request changes the session version. The API keys
      // also end, because a stranger who knew the old password may have created keys.
      if (!(await stores.users.replacePassword(user.id, hash, checked))) throw invalidLink();
      parts.report('password_set_by_link', { userId: user.id, username: user.username, address: remoteAddress });
    },
  };
}

interface LinkRequest {
  readonly username: string;
  readonly address: string | undefined;
}

interface Mailing {
  readonly mailLink: NonNullable<ServiceParts['mailLink']>;
  readonly countMail: (key: string) => Promise<void>;
}

async function sendLink(
  parts: ServiceParts,
  { mailLink, countMail }: Mailing,
  { username, address }: LinkRequest,
): Promise<void> {
  const { stores, tokens, clock, report, logger = SILENT } = parts;
  try {
    const user = await stores.users.byUsername(username);
    if (user?.isActive !== true || user.email === '') {
      report('password_link_refused', { username, address });
      return;
    }
    const { id: userId, sessionVersion, email } = user;
    const facts = { userId, username: user.username, address };
    const mailed = `password mails ${userId} ${sessionVersion} ${email}`;
    if (!(await isCounted(countMail(mailed)))) {
      report('password_link_withheld', facts);
      return;
    }
    const session = { userId, sessionVersion, familyId: newTokenId(), signedInAt: secondsOf(clock) };
    const token = await tokens.issueReset(session, email);
    await mailLink({ user, link: { userId, token } });
    report('password_link_sent', facts);
  } catch (error) {
    // Only the code is logged, because the error text of a mail server may contain the mail.
    const reason = errorCode(error) ?? 'unknown';
    logger.error({ reason }, 'could not send a mail with a link for a new password; check the mail server');
  }
}

/** Waits for the count of a mail. Returns false if the limit is reached. */
async function isCounted(counted: Promise<void>): Promise<boolean> {
  try {
    await counted;
    return true;
  } catch (error) {
    if (isDomainError(error) && error.code === 'throttled') return false;
    throw error;
  }
}

async function ownerOf({ stores, tokens }: ServiceParts, { userId, token }: PasswordLink): Promise<User> {
  const verdict = await tokens.verify(token, 'reset');
  if (!verdict.ok || verdict.claims.userId !== userId) throw invalidLink();
  const user = await stores.users.byId(userId);
  if (user?.isActive !== true || user.sessionVersion !== verdict.claims.sessionVersion) throw invalidLink();
  if (verdict.claims.addressDigest !== (await addressDigest(user.email))) throw invalidLink();
  return user;
}

/** The error for an invalid link. The message does not show why the link is invalid. */
function invalidLink(): DomainError {
  return new DomainError('not_found', 'The link for a new password is not valid.', {
    details: { kind: 'passwordLink' },
  });
}
