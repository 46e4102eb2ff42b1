import { z } from 'zod';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import {
  EoAccountBody,
  EoAccountChange,
  eoAccountGroups,
  EoAccountId,
  eoAccountList,
  eoAccountMembers,
  GroupedAccounts,
  NewEoAccount,
  WholeEoAccount,
  wholeEoAccount,
} from '../schemas/accounts.ts';
import { checkPlatformChange } from '../platform-change.ts';
import { BEARER_ERRORS, BODY_ERRORS, ok, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { paths } from '../../../wire/paths.ts';

const listEoAccounts = operation({
  id: 'listEoAccounts',
  method: 'GET',
  path: paths.eoAccounts,
  auth: 'bearer',
  tag: 'accounts',
  summary: 'Lists Earth-observation accounts that a compute request can name',
  description: 'E-mails are shown only to users who may compute; for others they are null.',
  responses: { 200: ok('Accounts that the caller may use, ordered by id', z.array(EoAccountBody)) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
  async handler({ principal }, { eoAccess }) {
    return json(200, eoAccountList(await eoAccess.listFor(principal.user), principal.user));
  },
});

const groupEoAccounts = operation({
  id: 'groupEoAccounts',
  method: 'GET',
  path: paths.eoAccountGroups,
  auth: 'bearer',
  tag: 'accounts',
  summary: 'Lists Earth-observation accounts grouped by e-mail, for existing clients',
  description:
    'Users who may not compute do not see e-mail addresses: all accounts that are visible to them are under the key `no_account_email`.',
  responses: { 200: ok('Accounts by e-mail; accounts without e-mail are under `no_account_email`', GroupedAccounts) },
  errors: BEARER_ERRORS,
  examples: [{ name: 'all', status: 200 }],
  async handler({ principal }, { eoAccess }) {
    return json(200, eoAccountGroups(await eoAccess.listFor(principal.user), principal.user));
  },
});

const EARTH_ENGINE = {
  name: 'project-two',
  service_account_email: 'runner@project-two.iam.gserviceaccount.com',
  platform: 'earth_engine',
};

const createEoAccount = operation({
  id: 'createEoAccount',
  method: 'POST',
  path: paths.eoAccounts,
  auth: 'superuser',
  tag: 'accounts',
  summary: 'Adds an Earth-observation account (superusers only)',
  body: NewEoAccount,
  responses: { 201: ok('The account', WholeEoAccount) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS],
  examples: [
    { name: 'no name', body: {}, status: 400 },
    { name: 'an account', body: { name: 'project-one', account_email: 'owner@example.org' }, status: 201 },
    { name: 'of another platform', body: EARTH_ENGINE, status: 201 },
  ],
  async handler({ body }, { stores }) {
    const account = { accountEmail: null, isVisible: true, ...eoAccountMembers(body), name: body.name };
    return json(201, wholeEoAccount(await stores.eoAccounts.create(account)));
  },
});

const changeEoAccount = operation({
  id: 'changeEoAccount',
  method: 'PATCH',
  path: paths.eoAccount,
  auth: 'superuser',
  tag: 'accounts',
  summary: 'Changes an Earth-observation account (superusers only)',
  params: EoAccountId,
  body: EoAccountChange,
  responses: { 200: ok('The account', WholeEoAccount) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'not_found'],
  examples: [
    { name: 'hide it', params: { id: '2' }, body: { is_visible: false }, status: 200 },
    { name: 'unknown', params: { id: '99999' }, body: { name: 'x' }, status: 404 },
  ],
  async handler({ params, body }, { stores }) {
    const account = await stores.eoAccounts.byId(params.id);
    if (account !== undefined) await checkPlatformChange(account, body.platform, { stores });
    const changed = await stores.eoAccounts.change(params.id, eoAccountMembers(body));
    if (changed === undefined) throw absent('eoAccount', { id: String(params.id) });
    return json(200, wholeEoAccount(changed));
  },
});

/** Operations of Earth-observation accounts. Two paths list the accounts, in different shapes. */
export const accountOperations = [
  listEoAccounts,
  groupEoAccounts,
  createEoAccount,
  changeEoAccount,
] satisfies readonly Operation[];
