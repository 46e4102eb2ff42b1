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
  .object({ refresh_token: text(4096).describe('A refresh token of the session that is to end.') })
  .meta({ id: 'LogoutRequest' });

/** Body of a change of the caller's own password. */
export const ChangePasswordRequest = z
  .object({
    old_password: text(1024).describe('The password that the account has now.'),
    new_password: text(1024).describe('The new one: at least 8 characters, not a common one, not digits alone.'),
    new_password_confirm: text(1024).describe('The new one once more.'),
  })
  .refine((body) => body.new_password === body.new_password_confirm, {
    path: ['new_password'],
    message: sentences.passwordsDiffer,
  })
  .meta({ id: 'ChangePasswordRequest' });

/** Answer of a refresh. */
export const TokenBody = z.object({ access: z.string(), refresh: z.string() }).meta({ id: 'Tokens' });

/** Answer of a login. */
export const LoginBody = TokenBody.extend({ user: UserBody }).meta({ id: 'LoginResponse' });

/** An Earth-observation account of the list. */
export const EoAccountBody = z
  .object({
    id: z.int(),
    name: z.string(),
    account_email: z.string().nullable().describe('Of its owner; null for whoever may not compute.'),
  })
  .meta({ id: 'EoAccount' });

const EO_FIELDS = {
  name: text(150).describe('What requests and lists call the account.'),
  account_email: z
    .email('Enter a valid email address.')
    .max(254)
    .nullable()
    .optional()
    .describe('Under which lists group it.'),
  is_visible: z
    .boolean(sentences.notBoolean)
    .optional()
    .describe('Lists show it, which is the default; hidden ones may still be named.'),
};

/** Body of a new account. */
export const NewEoAccount = z.object(EO_FIELDS).meta({ id: 'NewEoAccount' });

/** Body of a change; what is left out stays. */
export const EoAccountChange = z
  .object({ ...EO_FIELDS, name: EO_FIELDS.name.optional() })
  .meta({ id: 'EoAccountChange' });

/** Path parameter of an account. */
export const EoAccountId = z.object({ id: integerText(1).describe('Id of an Earth-observation account.') });

/** An account as superusers see it. */
export const WholeEoAccount = EoAccountBody.extend({ is_visible: z.boolean() }).meta({ id: 'WholeEoAccount' });

/** The same, of a stored one. */
export function wholeEoAccount({ id, name, accountEmail, isVisible }: EoAccount): z.infer<typeof WholeEoAccount> {
  return { id, name, account_email: accountEmail, is_visible: isVisible };
}

/** Accounts grouped by e-mail, the shape of the live system. */
export const GroupedAccounts = z
  .record(z.string(), z.array(z.object({ id: z.int(), name: z.string() })))
  .meta({ id: 'GroupedEoAccounts' });

/** Visible accounts as on the wire, in a list (`eoaccounts/`), for a reader. */
export function eoAccountList(accounts: readonly EoAccount[], reader: Reader): z.infer<typeof EoAccountBody>[] {
  return visible(accounts, reader).map(({ id, name, accountEmail }) => ({ id, name, account_email: accountEmail }));
}

/** Visible accounts grouped by e-mail (`geeaccounts/`), for a reader; those without one stand under `no_account_email`. */
export function eoAccountGroups(accounts: readonly EoAccount[], reader: Reader): z.infer<typeof GroupedAccounts> {
  const groups = new Map<string, { id: number; name: string }[]>();
  for (const { id, name, accountEmail } of visible(accounts, reader)) {
    const key = accountEmail === null || accountEmail === '' ? 'no_account_email' : accountEmail;
    groups.set(key, [...(groups.get(key) ?? []), { id, name }]);
  }
  // Own members even for an e-mail called `__proto__`.
  return Object.fromEntries(groups);
}

type Reader = Pick<User, 'mayCompute' | 'isSuperuser'>;

/** Whose account it is, is told to those alone who may name it in a computation: anybody may register. */
function visible(accounts: readonly EoAccount[], { mayCompute, isSuperuser }: Reader): readonly EoAccount[] {
  const shown = accounts.filter((account) => account.isVisible);
  return mayCompute || isSuperuser ? shown : shown.map((account) => ({ ...account, accountEmail: null }));
}
