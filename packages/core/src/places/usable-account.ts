import { invalidField } from '../errors.ts';
import type { EoAccount, EoAccountStore } from '../ports/eo-accounts.ts';

/** Reason why runs cannot use an account; undefined if they can. The text continues a sentence that begins with the account. */
export function accountProblem({ isActive, platform }: EoAccount): string | undefined {
  if (!isActive) return 'is disabled; name another account, or ask a superuser to enable it';
  if (platform !== 'local')
    return `belongs to the platform ${platform}, which cannot compute here; name an account of the platform local`;
  return undefined;
}

/** Throws `validation` with the account's field unless runs can use this account. A hidden account counts as unknown. */
export async function checkAccount(id: number, eoAccounts: Pick<EoAccountStore, 'byId'>): Promise<void> {
  const account = await eoAccounts.byId(id);
  if (account?.isVisible !== true) throw invalidField('eoAccountId', `account ${id} does not exist`, 'unknown');
  const problem = accountProblem(account);
  if (problem !== undefined)
    throw invalidField('eoAccountId', `account ${id} (${account.name}) ${problem}`, 'unsupported');
}
