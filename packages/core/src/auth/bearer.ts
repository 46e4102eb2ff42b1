import { DomainError } from '../errors.ts';
import { tokenError } from './token-error.ts';
import type { AuthDeps, Credentials, UserPrincipal } from './types.ts';

/** Policy of computing routes: as `signedIn`, of a user whose password is nobody else's. */
export async function bearer(credentials: Credentials, deps: AuthDeps): Promise<UserPrincipal> {
  const principal = await signedIn(credentials, deps);
  if (!principal.user.mustChangePassword) return principal;
  throw new DomainError('password_change_required', `User ${principal.user.id} must change his password first.`);
}

/**
 * Who may change his password: an access token of an active user in `Authorization: Bearer <token>`, made since the password was
 * last changed, of a session that was not ended.
 */
export async function signedIn(credentials: Credentials, deps: AuthDeps): Promise<UserPrincipal> {
  const verdict = await deps.tokens.verify(bearerToken(credentials.authorization), 'access');
  if (!verdict.ok) throw tokenError('access', verdict.problem);
  const { userId, familyId, sessionVersion } = verdict.claims;
  const found = await deps.users.ofSession(userId, familyId);
  if (found === undefined) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
  const { user, isOpen } = found;
  if (!user.isActive) throw new DomainError('user_inactive', `User ${user.id} is disabled.`);
  if (!isOpen || sessionVersion !== user.sessionVersion) throw tokenError('access', 'invalid');
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
