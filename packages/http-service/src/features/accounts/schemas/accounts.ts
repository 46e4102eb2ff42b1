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
    password: text(1024).describe('Its password.'),
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

/** An Earth-observation account of the list. */
export const EoAccountBody = z
  .object({
    id: z.int(),
    name: z.string(),
    account_email: z.string().nullable().describe('E-mail of the owner; null for users who may not compute.'),
  })
  .meta({ id: 'EoAccount' });

const EO_FIELDS = {
  name: text(150).describe('Name of the account in requests and lists.'),
  account_email: z
    .email('Enter a valid email address.')
    .max(254)
    .nullable()
    .optional()
    .describe('E-mail by which lists group the account.'),
  is_visible: z
    .boolean(sentences.notBoolean)
    .optional()
    .describe('True, the default: lists show the account. Requests can name a hidden account too.'),
};

/** Body of a new account. */
export const NewEoAccount = z.object(EO_FIELDS).meta({ id: 'NewEoAccount' });

/** Body of a change; absent fields stay unchanged. */
export const EoAccountChange = z
  .object({ ...EO_FIELDS, name: EO_FIELDS.name.optional() })
  .meta({ id: 'EoAccountChange' });

/** Path parameter of an account. */
export const EoAccountId = z.object({ id: integerText(1).describe('Id of an Earth-observation account.') });

/** An account as superusers see it. */
export const WholeEoAccount = EoAccountBody.extend({ is_visible: z.boolean() }).meta({ id: 'WholeEoAccount' });

/** Converts a stored account into the form for superusers. */
export function wholeEoAccount({ id, name, accountEmail, isVisible }: EoAccount): z.infer<typeof WholeEoAccount> {
  return { id, name, account_email: accountEmail, is_visible: isVisible };
}

/** Accounts grouped by e-mail, in the shape that existing clients read. */
export const GroupedAccounts = z
  .record(z.string(), z.array(z.object({ id: z.int(), name: z.string() })))
  .meta({ id: 'GroupedEoAccounts' });

/** Visible accounts as a list (`eoaccounts/`), for a reader. */
export function eoAccountList(accounts: readonly EoAccount[], reader: Reader): z.infer<typeof EoAccountBody>[] {
  return visible(accounts, reader).map(({ id, name, accountEmail }) => ({ id, name, account_email: accountEmail }));
}

/** Visible accounts grouped by e-mail (`geeaccounts/`), for a reader; those without e-mail are under `no_account_email`. */
export function eoAccountGroups(accounts: readonly EoAccount[], reader: Reader): z.infer<typeof GroupedAccounts> {
  const groups = new Map<string, { id: number; name: string }[]>();
  for (const { id, name, accountEmail } of visible(accounts, reader)) {
    const key = accountEmail === null || accountEmail === '' ? 'no_account_email' : accountEmail;
    groups.set(key, [...(groups.get(key) ?? []), { id, name }]);
  }
  // `fromEntries` creates an own member even for an e-mail called `__proto__`.
  return Object.fromEntries(groups);
}

type Reader = Pick<User, 'mayCompute' | 'isSuperuser'>;

/** Visible accounts. Any visitor can register, so only users who may compute see e-mail addresses. */
function visible(accounts: readonly EoAccount[], { mayCompute, isSuperuser }: Reader): readonly EoAccount[] {
  const shown = accounts.filter((account) => account.isVisible);
  return mayCompute || isSuperuser ? shown : shown.map((account) => ({ ...account, accountEmail: null }));
}
