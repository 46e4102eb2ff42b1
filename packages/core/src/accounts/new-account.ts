import { DomainError } from '../errors.ts';
import type { NewUser, PasswordHasher } from '../ports/accounts.ts';
import { fieldMessages } from './messages.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { NewAccount } from './types.ts';

const LIMITS = { username: 150, email: 254, first_name: 150, last_name: 150, contact_number: 40 } as const;

/** Checks an account and hashes its password. Throws `validation` with every bad field by its wire name. */
export async function newUser(account: NewAccount, isSuperuser: boolean, hasher: PasswordHasher): Promise<NewUser> {
  refuseProblems(accountProblems(account));
  const { username, email = '', firstName = '', lastName = '', contactNumber = null } = account;
  const passwordHash = await hasher.hash(normalizedPassword(account.password));
  return { username, email, firstName, lastName, contactNumber, isActive: true, isSuperuser, passwordHash };
}

/** Throws `validation` when a field has a message. */
export function refuseProblems(problems: Readonly<Record<string, readonly string[]>>): void {
  const fields = Object.fromEntries(Object.entries(problems).filter(([, messages]) => messages.length > 0));
  const summary = Object.entries(fields).map(([field, messages]) => `${field}: ${messages.join(' ')}`);
  if (summary.length > 0) throw new DomainError('validation', summary.join(' '), { fields });
}

function accountProblems(account: NewAccount): Readonly<Record<string, readonly string[]>> {
  return {
    username: [...textProblems(account.username, LIMITS.username), ...usernameProblems(account.username)],
    email: [...textProblems(account.email, LIMITS.email), ...emailProblems(account.email)],
    first_name: textProblems(account.firstName, LIMITS.first_name),
    last_name: textProblems(account.lastName, LIMITS.last_name),
    contact_number: textProblems(account.contactNumber, LIMITS.contact_number),
    password: account.password === '' ? [fieldMessages.blank] : passwordProblems(account.password, account),
  };
}

function textProblems(text: string | undefined, limit: number): readonly string[] {
  if (text === undefined) return [];
  const problems: string[] = [];
  if (text.length > limit) problems.push(`Ensure this field has no more than ${limit} characters.`);
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    problems.push('Control characters and broken Unicode are not allowed.');
  return problems;
}

function usernameProblems(username: string): readonly string[] {
  if (username === '') return [fieldMessages.blank];
  if (/^[\p{L}\p{M}\p{N}_.@+-]+$/u.test(username)) return [];
  return ['Enter a valid username: letters, digits and @ . + - _ only.'];
}

function emailProblems(email = ''): readonly string[] {
  return email === '' || /^[^\s@]+@[^\s@]+$/u.test(email)
    ? []
    : ['Enter a valid email address, like name@example.org.'];
}
