import type { EoAccount, User } from '../ports/accounts.ts';

/** A user on the wire. Members that the live system has and this one lacks are null or empty. */
export interface UserView {
  readonly id: number;
  readonly username: string;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly contact_number: string | null;
  readonly organization: null;
  readonly is_active: boolean;
  readonly groups: readonly never[];
  readonly project_details: readonly never[];
  readonly is_superadmin: boolean;
  readonly age: null;
  readonly education_qualification: null;
  readonly gender: null;
  readonly profile_picture: null;
  readonly account_type: null;
}

/** User -> wire object; `organization_name` is absent as for every user without organisation. */
export function userView(user: User): UserView {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    contact_number: user.contactNumber,
    organization: null,
    is_active: user.isActive,
    groups: [],
    project_details: [],
    // There it is a flag of its own, false for the installer's superuser too: dashboards show user management on it.
    is_superadmin: false,
    age: null,
    education_qualification: null,
    gender: null,
    profile_picture: null,
    account_type: null,
  };
}

/** An Earth-observation account of the list. */
export interface EoAccountView {
  readonly id: number;
  readonly name: string;
  readonly account_email: string | null;
}

/** E-mail -> the accounts under it. */
export type EoAccountGroups = Readonly<Record<string, readonly { readonly id: number; readonly name: string }[]>>;

/** Visible accounts as a list (`eoaccounts/`). */
export function eoAccountList(accounts: readonly EoAccount[]): readonly EoAccountView[] {
  return visible(accounts).map(({ id, name, accountEmail }) => ({ id, name, account_email: accountEmail }));
}

/** Visible accounts grouped by e-mail (`geeaccounts/`); those without one stand under `no_account_email`. */
export function eoAccountGroups(accounts: readonly EoAccount[]): EoAccountGroups {
  const groups = new Map<string, { id: number; name: string }[]>();
  for (const { id, name, accountEmail } of visible(accounts)) {
    const key = accountEmail === null || accountEmail === '' ? 'no_account_email' : accountEmail;
    groups.set(key, [...(groups.get(key) ?? []), { id, name }]);
  }
  // Own members even for an e-mail called `__proto__`.
  return Object.fromEntries(groups);
}

function visible(accounts: readonly EoAccount[]): readonly EoAccount[] {
  return accounts.filter((account) => account.isVisible);
}
