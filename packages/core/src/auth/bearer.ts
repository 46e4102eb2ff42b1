import { DomainError } from '../errors.ts';
import type { TokenProblem } from './tokens.ts';
import type { AuthDeps, Credentials, UserPrincipal } from './types.ts';

/**
 * Policy of computing routes: an access token of an active user in `Authorization: Bearer <token>`,
 * made since the password was last changed.
 */
export async function bearer(credentials: Credentials, deps: AuthDeps): Promise<UserPrincipal> {
  const verdict = await deps.tokens.verify(bearerToken(credentials.authorization), 'access');
  if (!verdict.ok) throw accessTokenError(verdict.problem);
  const user = await deps.users.byId(verdict.claims.userId);
  if (user === undefined) throw new DomainError('user_not_found', 'User not found');
  if (!user.isActive) throw new DomainError('user_inactive', 'User is inactive');
  if (verdict.claims.sessionVersion !== user.sessionVersion) throw accessTokenError('Token is invalid');
  return { kind: 'user', user };
}

function bearerToken(authorization: string | undefined): string {
  // HTTP allows blanks and tabs around the parts; the scheme's case does not matter (RFC 9110, 11.1).
  const parts = (authorization ?? '').split(/[ \t]+/).filter((part) => part !== '');
  if (parts[0]?.toLowerCase() !== 'bearer') {
    throw new DomainError('not_authenticated', 'Authentication credentials were not provided.');
  }
  const [, token, ...rest] = parts;
  if (token === undefined || rest.length > 0) {
    const message = 'Authorization header must contain two space-delimited values';
    throw new DomainError('bad_authorization_header', message);
  }
  return token;
}

function accessTokenError(problem: TokenProblem): DomainError {
  return new DomainError('token_not_valid', 'Given token not valid for any token type', {
    details: { messages: [{ token_class: 'AccessToken', token_type: 'access', message: problem }] },
  });
}
