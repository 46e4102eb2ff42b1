export { createAccountService } from './service.ts';
export { type AttemptDeps, createAttempts } from './attempts.ts';
export {
  teamPartNotFound,
  groupOf,
  GROUPS,
  isOrganizationAdmin,
  mayRead,
  ORGANIZATION_ADMIN,
  projectTaken,
} from './groups.ts';
export { addressKey } from './address-key.ts';
export { nameTaken, REGISTRATION_LIMIT, organizationTaken, unknownOrganization } from './registration.ts';
export { normalizedUsername, usernameKey } from './username.ts';
export { createPageSessions, type PageSessionDeps, type PageSessions } from './page-sessions.ts';
export { checkedName, namedProblems, refuseProblems } from './new-account.ts';
export { LOGIN_LIMITS } from './login-throttle.ts';
export { createKeyedLimiter } from '@headwater/core/timing';
export type { SecurityEvent } from './security-log.ts';
export { passwordProblems, type PasswordOwner } from './password-rules.ts';
export type {
  AccountDeps,
  AccountService,
  LoginLimits,
  LoginRequest,
  LoginResult,
  NewAccount,
  MailedLink,
  PasswordChange,
  PasswordLink,
  PersonRequest,
  Registration,
  RegistrationRule,
  TokenPair,
} from './types.ts';
export { membersToMove, rightsToMove } from './moved-rights.ts';
