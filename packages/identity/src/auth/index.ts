export { readCookie } from './cookies.ts';
export { decide, decideWithBody, type Decision } from './decide.ts';
export {
  appliedPolicies,
  authenticate,
  authenticateRequest,
  checkMayCompute,
  policies,
  policiesOf,
  type Auth,
  type AuthPolicy,
  type PolicyRef,
  type Principal,
  type PrincipalOf,
} from './policies.ts';
export type { Credential, CredentialPlace, Policy, SecurityScheme } from './policy.ts';
export { checkTokenSettings, TOKEN_DEFAULTS, type TokenSettings } from './token-settings.ts';
export { tokenError } from './tokens.ts';
export {
  createTokens,
  newTokenId,
  RESET_TTL_SECONDS,
  type IssuedRefresh,
  type Session,
  type TokenClaims,
  type TokenProblem,
  type Tokens,
  type TokenType,
  type TokenVerdict,
} from './tokens.ts';
export type {
  Allowance,
  AnonymousPrincipal,
  ApiKeyCheck,
  ApiKeyPrincipal,
  AuthDeps,
  CountedRequest,
  Credentials,
  CredentialSource,
  KeyLookup,
  RequestHeaders,
  RequestLimit,
  SessionCheck,
  SessionPrincipal,
  SessionRequest,
  UserPrincipal,
} from './types.ts';
export { displayName, hostAccount, type HostRole, type HostUser } from './host-accounts.ts';
