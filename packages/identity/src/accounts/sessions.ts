import { tokenError, tokenProblemText } from '../auth/tokens.ts';
import type { TokenClaims, TokenProblem } from '../auth/tokens.ts';
import { DomainError, fieldError } from '@headwater/core';
import type { User } from '../ports/accounts.ts';
import type { ServiceParts, TokenPair } from './types.ts';

type SessionDeps = Pick<ServiceParts, 'stores' | 'tokens' | 'clock' | 'report'>;

/**
 * Exchanges a refresh token for the next pair of its family (all tokens since one sign-in). A reused token ends the
 * family, because the caller may be a thief.
 */
export async function rotate(
  { stores, tokens, clock, report }: SessionDeps,
  refreshToken: string,
  address: string | undefined,
): Promise<TokenPair> {
  const { jti, ...session } = await verified({ tokens }, refreshToken);
  const { userId, sessionVersion } = session;
  const user = await stores.users.byId(userId);
  if (user?.isActive !== true) {
    throw new DomainError('no_active_account', `User ${userId} of the refresh token was deleted or is disabled.`, {
      details: { given: 'token' },
    });
  }
  if (sessionVersion !== user.sessionVersion) throw tokenError('refresh', 'reused');
  const { token: refresh, record } = await tokens.issueRefresh(session);
  const outcome = await stores.refreshTokens.spend(jti, clock.now().toISOString(), record);
  if (outcome === 'reused') report('refresh_token_reused', { userId, username: user.username, address });
  if (outcome !== 'ok') throw tokenError('refresh', outcome === 'unknown' ? 'invalid' : 'reused');
  return { access: await tokens.issueAccess(session), refresh };
}

/** Ends the session of one of the user's refresh tokens. A session that has already ended is no error. */
export async function endSession({ stores, tokens }: SessionDeps, user: User, refreshToken: string): Promise<void> {
  const verdict = await tokens.verify(refreshToken, 'refresh');
  if (!verdict.ok) throw badLogoutToken(verdict.problem);
  if (verdict.claims.userId !== user.id) throw foreignToken();
  await stores.refreshTokens.revokeFamily(verdict.claims.familyId);
}

async function verified({ tokens }: Pick<SessionDeps, 'tokens'>, refreshToken: string): Promise<TokenClaims> {
  const verdict = await tokens.verify(refreshToken, 'refresh');
  if (!verdict.ok) throw tokenError('refresh', verdict.problem);
  return verdict.claims;
}

// The error is about a field, because the caller was authenticated by another token, which is valid.
function badLogoutToken(problem: TokenProblem): DomainError {
  const fields = { refreshToken: [{ rule: 'invalid', message: tokenProblemText('refresh', problem) }] } as const;
  return fieldError('validation', fields, { details: { token: 'refresh', problem } });
}

function foreignToken(): DomainError {
  return fieldError('validation', { refreshToken: [{ rule: 'foreign', message: 'belongs to another user.' }] });
}
