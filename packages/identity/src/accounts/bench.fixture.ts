import { createApiKeys } from '../api-keys/api-keys.ts';
import { authenticate } from '../auth/policies.ts';
import { TOKEN_DEFAULTS } from '../auth/token-settings.ts';
import { createTokens, type TokenProblem, type Tokens } from '../auth/tokens.ts';
import type { AuthDeps, UserPrincipal } from '../auth/types.ts';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '../memory/stores.ts';
import type { PasswordHasher, User } from '../ports/accounts.ts';
import type { Stores } from '../ports/stores.ts';
import { createAccountService } from './service.ts';
import type { AccountDeps, AccountService, LoginLimits, LoginResult } from './types.ts';

/** Password of `asha` and other test accounts. */
export const PASSWORD = 'tidal-meadow-41';
export const LIMITS: LoginLimits = { windowMs: 60_000, perNameAtAddress: 3, perName: 8, perAddress: 5 };

/** Error of a sign-in with a wrong name or password, or with a disabled account. */
export const noAccount = { code: 'no_active_account', details: { given: 'credentials' } };
/** Error of a refused refresh token. */
export const notValid = (problem: TokenProblem) => ({
  code: 'token_not_valid',
  details: { token: 'refresh', problem },
});
export const principalOf = (user: User): UserPrincipal => ({ kind: 'user', user });

/** Account service in memory, with a manual clock and the user `asha`. */
export interface AccountBench {
  readonly time: ManualTime;
  readonly stores: Stores;
  readonly tokens: Tokens;
  /** Fast hasher. `verified` lists the hashes of compared passwords. */
  readonly hasher: PasswordHasher & { readonly verified: readonly string[] };
  /** Dependencies of the service. */
  readonly deps: AccountDeps;
  readonly accounts: AccountService;
  readonly auth: AuthDeps;
  readonly asha: User;
  readonly login: (username: string, password: string, address?: string) => Promise<LoginResult>;
  readonly bearer: (token: string) => Promise<UserPrincipal>;
}

/** Password of `asha` after `recoveredDuringCheck`. */
export const RECOVERED_PASSWORD = 'owner-meadow-42';

/** Account service in which another request resets the password of `asha` after each password check. */
export function recoveredDuringCheck({ deps, accounts, asha }: AccountBench): AccountService {
  const verify: PasswordHasher['verify'] = async (password, hash) => {
    const isRight = await deps.hasher.verify(password, hash);
    await accounts.resetPassword(asha.id, RECOVERED_PASSWORD);
    return isRight;
  };
  return createAccountService({ ...deps, hasher: { ...deps.hasher, verify } });
}

function countingHasher(): AccountBench['hasher'] {
  const verified: string[] = [];
  return {
    verified,
    hash: async (password) => `hash of ${password}`,
    verify: async (password, hash) => {
      verified.push(hash);
      return hash === `hash of ${password}`;
    },
  };
}

export async function accountBench(change: Pick<AccountDeps, 'limits' | 'logger'> = {}): Promise<AccountBench> {
  const time = createManualTime();
  const stores = createMemoryStores({ clock: time });
  const secret = globalThis.crypto.getRandomValues(new Uint8Array(32));
  const tokens = createTokens({ ...TOKEN_DEFAULTS, secret }, time);
  const hasher = countingHasher();
  const deps: AccountDeps = { stores, tokens, hasher, clock: time, timers: time, limits: LIMITS, ...change };
  const accounts = createAccountService(deps);
  const auth = { tokens, users: stores.users, apiKeys: createApiKeys({ stores, clock: time, timers: time }) };
  return {
    time,
    stores,
    tokens,
    hasher,
    deps,
    accounts,
    auth,
    asha: await accounts.createUser({ username: 'asha', password: PASSWORD, email: 'asha@example.org' }),
    login: (username, password, address = '10.0.0.1') => accounts.login({ username, password }, address),
    bearer: (token) => authenticate('bearer', { authorization: `Bearer ${token}` }, auth),
  };
}
