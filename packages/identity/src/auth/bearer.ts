import { DomainError } from '@headwater/core';
import { tokenError } from './token-error.ts';
import type { AuthDeps, Credentials, UserPrincipal } from './types.ts';

/** Whose requests do: those of everybody, or not of users who must change their password first. */
export type Admitted = 'everybody' | 'withOwnPassword';

/**
 * Policy of computing routes: an access token of an active user in `Authorization: Bearer <token>`, made since the password was
 * last changed, of a session that was not ended; and a password that nobody else knows, where no other rule is given.
 */
export async function bearer(
  credentials: Credentials,
  deps: Pick<AuthDeps, 'tokens' | 'users'>,
  admitted: Admitted = 'withOwnPassword',
): Promise<UserPrincipal> {
  const verdict = await deps.tokens.verify(bearerToken(credentials.authorization), 'access');
  if (!verdict.ok) throw tokenError('access', verdict.problem);
  const { userId, familyId, sessionVersion } = verdict.claims;
  const found = await deps.users.ofSession(userId, familyId);
  if (found === undefined) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
  const { user, isOpen } = found;
  if (!user.isActive) throw new DomainError('user_inactive', `User ${user.id} is disabled.`);
  if (!isOpen || sessionVersion !== user.sessionVersion) throw tokenError('access', 'invalid');
  if (user.mustChangePassword && admitted !== 'everybody')
    throw new DomainError('password_change_required', `User ${user.id} must change his password first.`);
  return { kind: 'user', user };
}

function bearerToken(authorization: string | undefined): string {
  // HTTP allows blanks and tabs around the parts; the scheme's case does not matter (RFC 9110, 11.1).
  const parts = (authorization ?? '').split(/[ \t]+/).filter((part) => part !== '');
  if (parts[0]?.toLowerCase() !== 'bearer') {
    throw new DomainError('not_authenticated', 'The request has no bearer token.', {
      details: { policies: ['bearer'] },
    });
  }
  const [, token, ...rest] = parts;
  if (token === undefined || rest.length > 0) {
    throw new DomainError('bad_authorization_header', 'A bearer header holds the scheme and one token, nothing else.');
  }
  return token;
}
