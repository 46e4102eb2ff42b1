import type { CallerAccounts, Clock, EoAccount } from '@headwater/core';
import type { SceneEngines } from '@headwater/core/ports';
import { accountProblem, stateProblem } from '@headwater/core/places';
import type { Stores, User } from '@headwater/identity';
import type { EoCredentials } from './eo-credentials.ts';

/** Access of users to Earth-observation accounts. */
export interface EoAccess {
  /** Accounts whose ids a user may send in requests, ordered by id. */
  readonly listFor: (user: Pick<User, 'id'>) => Promise<readonly EoAccount[]>;
  /**
   * The accounts of `listFor`, for the check of a request. `CallerAccounts.problemOf`, unlike `problemOf` below, also
   * asks the platform if the account may read scenes.
   */
  readonly accountsOf: (user: Pick<User, 'id'>) => CallerAccounts;
  /** Reason why runs cannot use an account, or undefined. Sends no request. */
  readonly problemOf: (account: EoAccount) => Promise<string | undefined>;
}

/** Dependencies of `createEoAccess`. */
export interface EoAccessDeps {
  readonly stores: Pick<Stores, 'eoAccounts' | 'people'>;
  readonly clock: Clock;
  readonly credentials: EoCredentials | undefined;
  /** True if this service has an exporter. Without exporter and `sceneEngines`, runs can use only `local` accounts. */
  readonly canExport: boolean;
  readonly sceneEngines?: SceneEngines | undefined;
}

/**
 * Creates the access of users to accounts. Superusers manage all accounts. To compute with an account, they need the
 * same access as other users.
 */
export function createEoAccess({ stores, clock, credentials, canExport, sceneEngines }: EoAccessDeps): EoAccess {
  const { eoAccounts, people } = stores;
  const mayUse = async (account: EoAccount, { id }: Pick<User, 'id'>): Promise<boolean> => {
    const { isVisible, visibleTo, ownerId, organizationId } = account;
    if (!isVisible || visibleTo === 'all') return isVisible;
    if (visibleTo === 'owner') return ownerId === id;
    return organizationId !== null && (await people.person(id))?.organization?.id === organizationId;
  };
  const problemOf = async (account: EoAccount): Promise<string | undefined> => {
    const problem = stateProblem(account, clock.now());
    if (problem !== undefined || account.platform === 'local') return problem;
    const unusable = await credentials?.problemOf?.(account);
    return unusable === undefined && !canExport && sceneEngines === undefined
      ? accountProblem(account, clock.now())
      : unusable;
  };
  return {
    problemOf,
    listFor: async (user) => {
      const accounts = await eoAccounts.list();
      const isUsable = await Promise.all(accounts.map((account) => mayUse(account, user)));
      return accounts.filter((_, index) => isUsable[index]);
    },
    accountsOf: (user) => ({
      problemOf: async (account) => (await problemOf(account)) ?? (await sceneEngines?.problemOf(account)),
      byId: async (id) => {
        const account = await eoAccounts.byId(id);
        return account !== undefined && (await mayUse(account, user)) ? account : undefined;
      },
    }),
  };
}
