export { createAccountService } from './service.ts';
export { LOGIN_LIMITS } from './login-throttle.ts';
export type { SecurityEvent } from './security-log.ts';
export { passwordProblems, type PasswordOwner } from './password-rules.ts';
export type {
  AccountDeps,
  AccountService,
  LoginLimits,
  LoginRequest,
  LoginResult,
  NewAccount,
  PasswordChange,
  TokenPair,
} from './types.ts';
