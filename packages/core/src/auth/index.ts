export { authenticate, policies, type AuthPolicy, type Principal, type PrincipalOf } from './policies.ts';
export { checkTokenSettings, TOKEN_DEFAULTS, type TokenSettings } from './token-settings.ts';
export { tokenError } from './token-error.ts';
export {
  createTokens,
  newTokenId,
  type IssuedRefresh,
  type TokenClaims,
  type TokenProblem,
  type Tokens,
  type TokenType,
  type TokenVerdict,
} from './tokens.ts';
export type { AnonymousPrincipal, AuthDeps, Credentials, Policy, UserPrincipal } from './types.ts';
