import { addressDigest, newTokenId, secondsOf } from '../auth/tokens.ts';
import { DomainError, errorCode, isDomainError, SILENT } from '@headwater/core';
import type { User } from '../ports/accounts.ts';
import { addressKey } from './address-key.ts';
import { createAttempts } from './attempts.ts';
import { refuseProblems } from './new-account.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { AccountService, PasswordLink, ServiceParts } from './types.ts';
import { usernameKey } from './username.ts';

/** Links asked for by one address (IPv6: one /64) within an hour. */
const PER_ADDRESS = { windowMs: 3_600_000, most: 40, problem: 'Too many links were asked for from here' } as const;
/** Links that one address asks for one name within an hour: what strangers ask for elsewhere keeps nobody from his own. */
const PER_NAME_AT_ADDRESS = { ...PER_ADDRESS, most: 5, problem: 'Too many links were asked for this name' } as const;
/**
 * Mails to one account within an hour, whoever asks: nobody fills the mailbox of somebody else. Who asks beyond it is told nothing, for each of
 * these links is still good: whatever ends them begins the count anew. One whose sending failed counts: a mail server that does not answer in
 * time may have taken it.
 */
const MAILED = { windowMs: 3_600_000, most: 5, problem: 'Enough links were mailed to this account' } as const;

/** Links by which people set a password that they forgot: made for whoever has the mailbox of an account, good once. */
export type PasswordLinks = Pick<
  AccountService,
  'sendsMail' | 'sendPasswordLink' | 'checkPasswordLink' | 'setPasswordByLink'
>;

/**
 * Builds the links. A link is a token of the present `sessionVersion` and of the e-mail address that it went to: whatever sets a password or moves
 * the account to another address ends each link that was made before.
 */
export function createPasswordLinks(parts: ServiceParts): PasswordLinks {
  const { stores, clock, mailLink } = parts;
  const counting = { store: stores.throttle, clock };
  const takeAddress = createAttempts(counting, PER_ADDRESS);
  const takePair = createAttempts(counting, PER_NAME_AT_ADDRESS);
  const takeMail = createAttempts(counting, MAILED);
  return {
    sendsMail: mailLink !== undefined,
    sendPasswordLink: async (username, remoteAddress) => {
      if (mailLink === undefined) {
        const text = 'This service sends no mail; ask its operator, who can set a new password for you.';
        throw new DomainError('forbidden', text);
      }
      const address = remoteAddress === undefined ? '' : addressKey(remoteAddress);
      await takeAddress(`password link ${address}`);
      await takePair(`password link ${address} name:${usernameKey(username)}`);
      // Nobody waits for it: how long it takes would tell whether there is such a user.
      void sendLink(parts, { mailLink, takeMail }, { username, address: remoteAddress });
    },
    checkPasswordLink: async (link) => void (await ownerOf(parts, link)),
    setPasswordByLink: async (link, password, remoteAddress) => {
      const user = await ownerOf(parts, link);
      refuseProblems({ newPassword: passwordProblems(password, user) });
      const hash = await parts.hasher.hash(normalizedPassword(password));
      const checked = { sessionVersion: user.sessionVersion, email: user.email };
      // Of several with one link, one finds the version that the link was made for. Who recovers an account keeps no stranger in it: keys end too.
      if (!(await stores.users.replacePassword(user.id, hash, checked))) throw deadLink();
      parts.report('password_set_by_link', { userId: user.id, username: user.username, address: remoteAddress });
    },
  };
}

interface Asking {
  readonly username: string;
  readonly address: string | undefined;
}

interface Mailing {
  readonly mailLink: NonNullable<ServiceParts['mailLink']>;
  readonly takeMail: (key: string) => Promise<void>;
}

async function sendLink(
  parts: ServiceParts,
  { mailLink, takeMail }: Mailing,
  { username, address }: Asking,
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
    if (!(await isTaken(takeMail(mailed)))) {
      report('password_link_withheld', facts);
      return;
    }
    const session = { userId, sessionVersion, familyId: newTokenId(), signedInAt: secondsOf(clock) };
    const token = await tokens.issueReset(session, email);
    await mailLink({ user, link: { userId, token } });
    report('password_link_sent', facts);
  } catch (error) {
    // By its code alone: a mail server may repeat in its words what it was given.
    const reason = errorCode(error) ?? 'unknown';
    logger.error({ reason }, 'a mail with a link for a new password could not be sent; look at the mail server');
  }
}

/** False where a limit refuses it. */
async function isTaken(taking: Promise<void>): Promise<boolean> {
  try {
    await taking;
    return true;
  } catch (error) {
    if (isDomainError(error) && error.code === 'throttled') return false;
    throw error;
  }
}

async function ownerOf({ stores, tokens }: ServiceParts, { userId, token }: PasswordLink): Promise<User> {
  const verdict = await tokens.verify(token, 'reset');
  if (!verdict.ok || verdict.claims.userId !== userId) throw deadLink();
  const user = await stores.users.byId(userId);
  if (user?.isActive !== true || user.sessionVersion !== verdict.claims.sessionVersion) throw deadLink();
  if (verdict.claims.addressDigest !== (await addressDigest(user.email))) throw deadLink();
  return user;
}

/** One and the same for every link that does not do. */
function deadLink(): DomainError {
  return new DomainError('not_found', 'The link for a new password does not do.', {
    details: { kind: 'passwordLink' },
  });
}
