import type { EoAccount, EoAccountStore } from '../ports/eo-accounts.ts';
import { copy } from './copy.ts';

/** Earth-observation accounts in memory. */
export function memoryEoAccounts(): EoAccountStore {
  const accounts = new Map<number, EoAccount>();
  return {
    create: async (given) => {
      const account = { ...copy(given), id: accounts.size + 1 };
      accounts.set(account.id, account);
      return copy(account);
    },
    change: async (id, change) => {
      const known = accounts.get(id);
      if (known !== undefined) accounts.set(id, { ...known, ...copy(change) });
      return copy(accounts.get(id));
    },
    byId: async (id) => copy(accounts.get(id)),
    list: async () => copy([...accounts.values()]),
  };
}
