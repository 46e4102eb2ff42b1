import type { EoAccount } from '@headwater/core';
import type { User } from '@headwater/identity';
import { z } from 'zod';
import { sentences } from '../../../wire/sentences.ts';
import { integerText, text } from '../../../wire/text.ts';
import { UserBody } from './users.ts';

const username = text(150).refine((name) => name === '' || name.trim() !== '', sentences.blank);

/** Body of a login. */
export const LoginRequest = z
  .object({
    username: username.describe('Name of the account.'),
    password: text(1024).describe('Password of the account.'),
  })
  .meta({ id: 'LoginRequest' });

/** Body of a token refresh. */
export const RefreshRequest = z
  .object({ refresh: text(4096).describe('The refresh token of the last sign-in or refresh.') })
  .meta({ id: 'RefreshRequest' });

/** Body of a logout. */
export const LogoutRequest = z
  .object({ refresh_token: text(4096).describe('A refresh token of the session to end.') })
  .meta({ id: 'LogoutRequest' });

/** Body of a change of the caller's own password. */
export const ChangePasswordRequest = z
  .object({
    old_password: text(1024).describe('The current password.'),
    new_password: text(1024).describe('The new password: at least 8 characters, not a common one, not only digits.'),
    new_password_confirm: text(1024).describe('The new password again.'),
  })
  .refine((body) => body.new_password === body.new_password_confirm, {
    path: ['new_password'],
    message: sentences.passwordsDiffer,
  })
  .meta({ id: 'ChangePasswordRequest' });

/** Response of a token refresh. */
export const TokenBody = z.object({ access: z.string(), refresh: z.string() }).meta({ id: 'Tokens' });

/** Response of a login. */
export const LoginBody = TokenBody.extend({ user: UserBody }).meta({ id: 'LoginResponse' });

const PLATFORMS = ['local', 'earth_engine'] as const satisfies readonly EoAccount['platform'][];

/** An Earth-observation account in lists. */
export const EoAccountBody = z
  .object({
    id: z.int(),
    name: z.string(),
    account_email: z
      .string()
      .nullable()
      .describe('E-mail of the owner; null if there is none, and for users who may not compute.'),
    service_account_email: z
      .string()
      .nullable()
      .describe(
        'E-mail of the service account in the credentials of this account; null if there is none, and for users who may not compute.',
      ),
    platform: z.enum(PLATFORMS).describe('Platform of the account. `local` needs no credentials.'),
    is_active: z.boolean().describe('False: the account is disabled, and requests that name it are refused.'),
  })
  .meta({ id: 'EoAccount' });

const EO_FIELDS = {
  name: text(150).describe('Name of the account in requests and lists.'),
  account_email: z
    .email('Enter a valid email address.')
    .max(254)
    .nullable()
    .optional()
    .describe('E-mail under which `geeaccounts/` lists the account.'),
  service_account_email: z
    .email('Enter a valid email address.')
    .max(254)
    .nullable()
    .optional()
    .describe('E-mail of the Google service account whose key the account uses; it must equal the e-mail in the key.'),
  platform: z
    .enum(PLATFORMS, sentences.oneOf(PLATFORMS))
    .optional()
    .describe('`local`, the default, needs no credentials; `earth_engine` needs the credentials of a service account.'),
  is_visible: z
    .boolean(sentences.notBoolean)
    .optional()
    .describe('True, the default: lists show the account. Requests that name a hidden account are refused.'),
  is_active: z
    .boolean(sentences.notBoolean)
    .optional()
    .describe('True, the default. False disables the account: requests that name it are refused.'),
};

/** Body of a new Earth-observation account. */
export const NewEoAccount = z.object(EO_FIELDS).meta({ id: 'NewEoAccount' });

/** Body of a change of an Earth-observation account; absent fields stay unchanged. */
export const EoAccountChange = z
  .object({ ...EO_FIELDS, name: EO_FIELDS.name.optional() })
  .meta({ id: 'EoAccountChange' });

/** Path parameter of an Earth-observation account. */
export const EoAccountId = z.object({ id: integerText(1).describe('Id of an Earth-observation account.') });

/** An Earth-observation account as superusers see it. */
export const WholeEoAccount = EoAccountBody.extend({
  is_visible: z.boolean(),
  visible_to: z
    .enum(['all', 'organization', 'owner'])
    .describe('Users who may use the account: all, the members of `organization_id`, or only `owner_id`.'),
  owner_id: z.int().nullable(),
  organization_id: z.string().nullable(),
  has_key: z
    .boolean()
    .describe('True: the service stores credentials of this account, encrypted. No response contains them.'),
  exhausted_until: z
    .string()
    .nullable()
    .describe(
      'Time until which the platform refuses requests of the account because its quota is spent; it may be in the past. Null if no spent quota is known.',
    ),
}).meta({ id: 'WholeEoAccount' });

/** Converts a stored account into the form for superusers. */
export function wholeEoAccount(account: EoAccount): z.infer<typeof WholeEoAccount> {
  const { isVisible, visibleTo, ownerId, organizationId, hasKey, exhaustedUntil } = account;
  return {
    ...listed(account),
    is_visible: isVisible,
    visible_to: visibleTo,
    owner_id: ownerId,
    organization_id: organizationId,
    has_key: hasKey,
    exhausted_until: exhaustedUntil,
  };
}

function listed(account: EoAccount): z.infer<typeof EoAccountBody> {
  const { id, name, platform, accountEmail, serviceAccountEmail, isActive } = account;
  const emails = { account_email: accountEmail, service_account_email: serviceAccountEmail };
  return { id, name, ...emails, platform, is_active: isActive };
}

/** Converts the members of a body to their names in the domain. */
export function eoAccountMembers(body: z.infer<typeof EoAccountChange>): Partial<Omit<EoAccount, 'id' | 'hasKey'>> {
  const members = {
    name: body.name,
    accountEmail: body.account_email,
    serviceAccountEmail: body.service_account_email,
    platform: body.platform,
    isVisible: body.is_visible,
    isActive: body.is_active,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Accounts grouped by e-mail, in the shape that existing clients read. */
export const GroupedAccounts = z
  .record(z.string(), z.array(z.object({ id: z.int(), name: z.string() })))
  .meta({ id: 'GroupedEoAccounts' });

/** Accounts as a list (`eoaccounts/`), as this user sees them. */
export function eoAccountList(accounts: readonly EoAccount[], reader: Reader): z.infer<typeof EoAccountBody>[] {
  return shownTo(accounts, reader).map(listed);
}

/** Accounts grouped by e-mail (`geeaccounts/`). Accounts without e-mail are under `no_account_email`. */
export function eoAccountGroups(accounts: readonly EoAccount[], reader: Reader): z.infer<typeof GroupedAccounts> {
  const groups = new Map<string, { id: number; name: string }[]>();
  for (const { id, name, accountEmail } of shownTo(accounts, reader)) {
    const key = accountEmail === null || accountEmail === '' ? 'no_account_email' : accountEmail;
    groups.set(key, [...(groups.get(key) ?? []), { id, name }]);
  }
  // `fromEntries` also works for an e-mail called `__proto__`.
  return Object.fromEntries(groups);
}

type Reader = Pick<User, 'mayCompute' | 'isSuperuser'>;

/**
 * Accounts as this user sees them. Without the right to compute, the e-mail addresses are hidden, because every visitor
 * can register.
 */
function shownTo(accounts: readonly EoAccount[], { mayCompute, isSuperuser }: Reader): readonly EoAccount[] {
  return mayCompute || isSuperuser ? accounts : accounts.map(withoutEmails);
}

const withoutEmails = (account: EoAccount): EoAccount => ({
  ...account,
  accountEmail: null,
  serviceAccountEmail: null,
});
