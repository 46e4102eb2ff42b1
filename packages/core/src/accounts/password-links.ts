import { secondsOf, newTokenId } from '../auth/tokens.ts';
import { DomainError, errorCode } from '../errors.ts';
import type { User } from '../ports/accounts.ts';
import { SILENT } from '../silent-logger.ts';
import { addressKey } from './address-key.ts';
import { createAttempts } from './attempts.ts';
import { refuseProblems } from './new-account.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { AccountService, PasswordLink, ServiceParts } from './types.ts';

/** Links asked for by one address (IPv6: one /64) within an hour. */
const PER_ADDRESS = { windowMs: 3_600_000, most: 40, problem: 'Too many links were asked for from here' } as const;
/** Links asked for a name within an hour: nobody fills the mailbox of somebody else. */
const PER_NAME = { windowMs: 3_600_000, most: 5, problem: 'Too many links were asked for this name' } as const;

/** Links by which people set a password that they forgot: made for whoever has the mailbox of an account, good once. */
export type PasswordLinks = Pick<
  AccountService,
  'sendsMail' | 'sendPasswordLink' | 'checkPasswordLink' | 'setPasswordByLink'
>;

/** Builds the links. A link is a token of the present `sessionVersion`: whatever sets a password ends each link that was made before. */
export function createPasswordLinks(parts: ServiceParts): PasswordLinks {
  const { stores, clock, mailLink } = parts;
  const counting = { store: stores.throttle, clock };
  const [takeAddress, takeName] = [createAttempts(counting, PER_ADDRESS), createAttempts(counting, PER_NAME)];
  return {
    sendsMail: mailLink !== undefined,
    sendPasswordLink: async (username, remoteAddress) => {
      if (mailLink === undefined) {
        const text = 'This service sends no mail; ask its operator, who can set a new password for you.';
        throw new DomainError('forbidden', text);
      }
      await takeAddress(`password link ${remoteAddress === undefined ? '' : addressKey(remoteAddress)}`);
      await takeName(`password link name:${username.toLowerCase()}`);
      // Nobody waits for it: how long it takes would tell whether there is such a user.
      void sendLink(parts, mailLink, { username, address: remoteAddress });
    },
    checkPasswordLink: async (link) => void (await ownerOf(parts, link)),
    setPasswordByLink: async (link, password, remoteAddress) => {
      const user = await ownerOf(parts, link);
      refuseProblems({ newPassword: passwordProblems(password, user) });
      const hash = await parts.hasher.hash(normalizedPassword(password));
      // Of several with one link, one finds the version that the link was made for.
      if (!(await stores.users.replacePassword(user.id, hash, user.sessionVersion))) throw deadLink();
      parts.report('password_set_by_link', { userId: user.id, username: user.username, address: remoteAddress });
    },
  };
}

interface Asking {
  readonly username: string;
  readonly address: string | undefined;
}

async function sendLink(
  { stores, tokens, clock, report, logger = SILENT }: ServiceParts,
  mailLink: NonNullable<ServiceParts['mailLink']>,
  { username, address }: Asking,
): Promise<void> {
  try {
    const user = await stores.users.byUsername(username);
    if (user?.isActive !== true || user.email === '') {
      report('password_link_refused', { username, address });
      return;
    }
    const { id: userId, sessionVersion } = user;
    const signedInAt = secondsOf(clock);
    const token = await tokens.issueReset({ userId, sessionVersion, familyId: newTokenId(), signedInAt });
    await mailLink({ user, link: { userId, token } });
    report('password_link_sent', { userId, username: user.username, address });
  } catch (error) {
    // By its code alone: a mail server may repeat in its words what it was given.
    const reason = errorCode(error) ?? 'unknown';
    logger.error({ reason }, 'a mail with a link for a new password could not be sent; look at the mail server');
  }
}

async function ownerOf({ stores, tokens }: ServiceParts, { userId, token }: PasswordLink): Promise<User> {
  const verdict = await tokens.verify(token, 'reset');
  if (!verdict.ok || verdict.claims.userId !== userId) throw deadLink();
  const user = await stores.users.byId(userId);
  if (user?.isActive !== true || user.sessionVersion !== verdict.claims.sessionVersion) throw deadLink();
  return user;
}

/** One and the same for every link that does not do. */
function deadLink(): DomainError {
  return new DomainError('not_found', 'The link for a new password does not do.', {
    details: { kind: 'passwordLink' },
  });
}
