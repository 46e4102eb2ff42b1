import { z } from 'zod';
import { operation, type Operation } from '../operation.ts';
import { json } from '../reply.ts';
import { EoAccountBody, eoAccountGroups, eoAccountList, GroupedAccounts } from '../wire/schemas/accounts.ts';
import { BEARER_ERRORS, ok } from './common.ts';
import { paths } from '../wire/paths.ts';

const listEoAccounts = operation({
  id: 'listEoAccounts',
  method: 'GET',
  path: paths.eoAccounts,
  auth: 'bearer',
  tag: 'accounts',
  summary: 'Lists Earth-observation accounts that computing requests may name',
  responses: { 200: ok('Visible accounts, ordered by id', z.array(EoAccountBody)) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
  async handler(_input, { stores }) {
    return json(200, eoAccountList(await stores.eoAccounts.list()));
  },
});

const groupEoAccounts = operation({
  id: 'groupEoAccounts',
  method: 'GET',
  path: paths.eoAccountGroups,
  auth: 'bearer',
  tag: 'accounts',
  summary: 'The same accounts grouped by e-mail, under the name of the live system',
  responses: { 200: ok('E-mail (or no_account_email) to accounts', GroupedAccounts) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
  async handler(_input, { stores }) {
    return json(200, eoAccountGroups(await stores.eoAccounts.list()));
  },
});

/** Earth-observation accounts under both names. */
export const accountOperations = [listEoAccounts, groupEoAccounts] satisfies readonly Operation[];
