import { addressDigest, newTokenId, secondsOf } from '../auth/tokens.ts';
import { DomainError, errorCode, isDomainError, SILENT } from '@headwater/core';
import type { User } from '../ports/accounts.ts';
import { addressKey } from './address-key.ts';
import { createAttempts } from './attempts.ts';
import { refuseProblems } from './new-account.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { AccountService, PasswordLink, ServiceParts } from './types.ts';
import { usernameKey } from './username.ts';

/** Limit of requests from one address (IPv6: one /64). */
const PER_ADDRESS = {
  windowMs: 3_600_000,
  most: 40,
  problem: 'Too many links were requested from this address',
} as const;
/**
 * Limit of requests from one address for one name. Requests from other addresses do not count, because strangers must
 * not block the owner.
 */
const PER_NAME_AT_ADDRESS = {
  ...PER_ADDRESS,
  most: 5,
  problem: 'Too many links were requested for this name',
} as const;
/**
 * Limit of mails to one account, against floods. Further requests send no mail and cause no error, because the mailed
 * links are still valid.
 */
const MAILED = {
  windowMs: 3_600_000,
  most: 5,
  problem: 'The maximum number of links was mailed to this account',
} as const;

/** Links to set a forgotten password (decision 100). */
export type PasswordLinks = Pick<
  AccountService,
  'sendsMail' | 'sendPasswordLink' | 'checkPasswordLink' | 'setPasswordByLink'
>;

/** Creates the functions of links. A new password or e-mail address invalidates all earlier links. */
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
      // Not awaited, because otherwise the response time would reveal if the user exists.
      void sendLink(parts, { mailLink, countMail }, { username, address: remoteAddress });
    },
    checkPasswordLink: async (link) => void (await ownerOf(parts, link)),
    setPasswordByLink: async (link, password, remoteAddress) => {
      const user = await ownerOf(parts, link);
      refuseProblems({ newPassword: passwordProblems(password, user) });
      const hash = await parts.hasher.hash(normalizedPassword(password));
      const checked = { sessionVersion: user.sessionVersion, email: user.email };
      // The API keys end too, because a stranger with the old password may have created some.
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
    // Only the code is logged, because the error text may contain the mail.
    const reason = errorCode(error) ?? 'unknown';
    logger.error({ reason }, 'could not send a mail with a link for a new password; check the mail server');
  }
}

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

function invalidLink(): DomainError {
  return new DomainError('not_found', 'The link for a new password is not valid.', {
    details: { kind: 'passwordLink' },
  });
}
