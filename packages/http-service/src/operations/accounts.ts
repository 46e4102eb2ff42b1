import type { EoAccount } from '@headwater/core';
import { z } from 'zod';
import { json, operation, type Operation } from '../operation.ts';
import { EoAccountBody, eoAccountBody, GroupedAccounts } from '../schemas/accounts.ts';
import { BEARER_ERRORS, ok } from './common.ts';

const listEoAccounts = operation({
  id: 'listEoAccounts',
  method: 'GET',
  path: '/api/v1/eoaccounts/',
  auth: 'bearer',
  tag: 'accounts',
  summary: 'Lists Earth-observation accounts that computing requests may name',
  responses: { 200: ok('Visible accounts, ordered by id', z.array(EoAccountBody)) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
  async handler(_input, { stores }) {
    return json(200, visible(await stores.eoAccounts.list()).map(eoAccountBody));
  },
});

const groupEoAccounts = operation({
  id: 'groupEoAccounts',
  method: 'GET',
  path: '/api/v1/geeaccounts/',
  auth: 'bearer',
  tag: 'accounts',
  summary: 'The same accounts grouped by e-mail, under the name of the live system',
  responses: { 200: ok('E-mail (or no_account_email) to accounts', GroupedAccounts) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
  async handler(_input, { stores }) {
    return json(200, grouped(visible(await stores.eoAccounts.list())));
  },
});

function visible(accounts: readonly EoAccount[]): readonly EoAccount[] {
  return accounts.filter((account) => account.isVisible);
}

function grouped(accounts: readonly EoAccount[]): z.infer<typeof GroupedAccounts> {
  const groups = new Map<string, { id: number; name: string }[]>();
  for (const { id, name, accountEmail } of accounts) {
    const key = accountEmail === null || accountEmail === '' ? 'no_account_email' : accountEmail;
    groups.set(key, [...(groups.get(key) ?? []), { id, name }]);
  }
  return Object.fromEntries(groups);
}

/** Earth-observation accounts under both names. */
export const accountOperations = [listEoAccounts, groupEoAccounts] satisfies readonly Operation[];
