import { newTokenId, secondsOf } from '../auth/tokens.ts';
import { DomainError, isDomainError, SILENT, systemTimers } from '@headwater/core';
import type { User } from '../ports/accounts.ts';
import { memoizeAsync } from '../memoize-async.ts';
import { isUnusable, queuedHasher, verifyPassword } from './queued-hasher.ts';
import { createLoginThrottle, LOGIN_LIMITS } from './login-throttle.ts';
import { checkAccount, newUser, refuseProblems } from './new-account.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import { createRegistration } from './registration.ts';
import { createPasswordLinks } from './password-links.ts';
import { createPersonChange } from './change-person.ts';
import { changePassword } from './change-password.ts';
import { endSession, rotate } from './sessions.ts';
import { createSecurityLog, type EventFacts } from './security-log.ts';
import type { AccountDeps, AccountService, LoginRequest, LoginResult, NewAccount, ServiceParts } from './types.ts';

/** Creates the account service. */
export function createAccountService(options: AccountDeps): AccountService {
  const { stores, clock, limits = LOGIN_LIMITS, timers = systemTimers } = options;
  const hasher = queuedHasher(options.hasher);
  const report = createSecurityLog(options.logger ?? SILENT);
  const deps = { ...options, hasher, report };
  const throttle = createLoginThrottle({ store: stores.throttle, clock, timers, limits, report });
  const findUser = createUserCheck(deps);
  const create = async (account: NewAccount, isSuperuser: boolean): Promise<User> => {
    checkAccount(account);
    return await stores.users.create(await newUser(account, isSuperuser, (password) => hasher.hash(password)));
  };
  const checked = async (request: LoginRequest, address: string | undefined): Promise<User> => {
    const { username } = request;
    const user = await throttle.guard({ username, remoteAddress: address }, (rank) => findUser(request, rank));
    if (user !== undefined) return user;
    report('sign_in_failed', { username, address });
    throw new DomainError('no_active_account', 'No active user has this name and password.', {
      details: { given: 'credentials' },
    });
  };
  return {
    login: async (request, address) => {
      const session = await openSession(deps, await checked(request, address));
      report('sign_in', { ...factsOf(session.user), address });
      return session;
    },
    signIn: async (request, address) => {
      const user = await checked(request, address);
      report('sign_in', { ...factsOf(user), address });
      return user;
    },
    refresh: (refreshToken, remoteAddress) => rotate(deps, refreshToken, remoteAddress),
    logout: async ({ user }, refreshToken, remoteAddress) => {
      await endSession(deps, user, refreshToken);
      report('sign_out', { ...factsOf(user), address: remoteAddress });
    },
    ...createRegistration(deps),
    ...createPasswordLinks(deps),
    createUser: (account) => create(account, false),
    createSuperuser: (account) => create(account, true),
    changePassword: (principal, change, remoteAddress) =>
      changePassword(deps, { user: principal.user, change, remoteAddress }, throttle),
    resetPassword: async (userId, password, { mustChange = false, keepsKeys = false, by } = {}) => {
      const user = await knownUser(deps, userId);
      if (!mustChange) refuseProblems({ password: passwordProblems(password, user) });
      const hash = await hasher.hash(normalizedPassword(password));
      await stores.users.setPassword(userId, hash, { mustChange, endsKeys: !keepsKeys, ...(by && { by }) });
      report('password_reset', factsOf(user));
    },
    setActive: async (userId, isActive) => {
      const user = await knownUser(deps, userId);
      await stores.users.setActive(userId, isActive);
      report(isActive ? 'account_enabled' : 'account_disabled', factsOf(user));
    },
    endSessions: async (userId, by) => {
      const user = await knownUser(deps, userId);
      await stores.users.endSessions(userId, by);
      report('sessions_ended', factsOf(user));
    },
    changePerson: createPersonChange(deps, throttle),
  };
}

function factsOf({ id, username }: User): EventFacts {
  return { userId: id, username };
}

async function knownUser({ stores }: AccountDeps, userId: number): Promise<User> {
  const user = await stores.users.byId(userId);
  if (user === undefined) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
  return user;
}

/**
 * Creates the check of a name and password. It takes equally long for known and unknown names, except names with a hash
 * of another system.
 */
function createUserCheck({
  stores,
  hasher,
}: Pick<ServiceParts, 'stores' | 'hasher'>): (request: LoginRequest, rank: number) => Promise<User | undefined> {
  const decoy = memoizeAsync(() => hasher.hash(newTokenId()));
  return async ({ username, password }, rank) => {
    const [user, decoyHash] = await Promise.all([stores.users.byUsername(username), decoy()]);
    const hash = user === undefined || isUnusable(user.passwordHash) ? decoyHash : user.passwordHash;
    const matches = await verifyPassword(hasher, { password, hash, rank });
    if (!matches || user?.isActive !== true) return undefined;
    await upgradeHash({ stores, hasher }, user, password);
    return user;
  };
}

async function upgradeHash(
  { stores, hasher }: Pick<ServiceParts, 'stores' | 'hasher'>,
  { id, passwordHash }: User,
  password: string,
): Promise<void> {
  if (!hasher.isOutdated(passwordHash)) return;
  try {
    await stores.users.rehash(id, passwordHash, await hasher.hash(normalizedPassword(password)));
  } catch (error) {
    if (!isDomainError(error)) throw error;
  }
}

async function openSession({ stores, tokens, clock }: AccountDeps, user: User): Promise<LoginResult> {
  const { id: userId, sessionVersion } = user;
  const session = { userId, sessionVersion, familyId: newTokenId(), signedInAt: secondsOf(clock) };
  const { token: refresh, record } = await tokens.issueRefresh(session);
  await stores.refreshTokens.deleteExpired(clock.now().toISOString());
  await stores.refreshTokens.add(record);
  return { access: await tokens.issueAccess(session), refresh, user };
}
