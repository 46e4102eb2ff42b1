import { fieldError, type FieldErrors, type FieldProblem } from '@headwater/core';
import { isStorable, hasControlCharacters } from '@headwater/core/values';
import type { NewUser } from '../ports/accounts.ts';
import type { PersonChange } from '../ports/people.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { NewAccount } from './types.ts';
import { normalizedUsername } from './username.ts';

const LIMITS = {
  username: 150,
  email: 254,
  firstName: 150,
  lastName: 150,
  contactNumber: 40,
  educationQualification: 150,
} as const;
const OLDEST = 150;

const BLANK: FieldProblem = { rule: 'blank', message: 'is empty.' };
const INVISIBLE: FieldProblem = {
  rule: 'invalid',
  message: 'The name has characters that are not visible; type it without them.',
};

/** Throws `validation` with all invalid fields of a new account. */
export function checkAccount(account: NewAccount): void {
  refuseProblems(accountProblems(account));
}

/** Makes the record of a checked account, with normalised name and hashed password; does not store it. */
export async function newUser(
  account: NewAccount,
  isSuperuser: boolean,
  hash: (password: string) => Promise<string>,
): Promise<NewUser> {
  const { email = '', firstName = '', lastName = '', contactNumber = null } = account;
  const { mustChangePassword = false } = account;
  const username = normalizedUsername(account.username);
  const passwordHash = await hash(normalizedPassword(account.password));
  const { mayCompute = true, profile = {}, organizationId = null } = account;
  const names = { username, email, firstName, lastName, contactNumber, profile, organizationId };
  return { ...names, isActive: true, isSuperuser, mayCompute, mustChangePassword, passwordHash };
}

/** Throws `validation` if a field has a problem. */
export function refuseProblems(problems: FieldErrors): void {
  const fields = Object.fromEntries(Object.entries(problems).filter(([, found]) => found.length > 0));
  if (Object.keys(fields).length > 0) throw fieldError('validation', fields);
}

/** Longest name of an organisation or project, characters. */
export const MAX_NAME = 150;

/** Name of an organisation or project without outer spaces. Throws `validation` (field `name`) for an invalid name. */
export function checkedName(typed: string): string {
  const name = typed.trim();
  refuseProblems({ name: name === '' ? [BLANK] : textProblems(name, MAX_NAME) });
  return name;
}

/** Problems of a new account by field. */
export function accountProblems(account: NewAccount) {
  return { ...namedProblems(account), password: firstPasswordProblems(account) };
}

/** Problems of an account by field, without its password. */
export function namedProblems(account: Omit<NewAccount, 'password'>) {
  const username = normalizedUsername(account.username);
  return {
    ...detailProblems(account),
    username: [...textProblems(username, LIMITS.username), ...usernameProblems(username)],
  };
}

/** Problems of the changeable fields of a person. */
export function detailProblems({ email, firstName, lastName, contactNumber, profile }: PersonChange) {
  return {
    email: [...textProblems(email, LIMITS.email), ...emailProblems(email)],
    firstName: textProblems(firstName, LIMITS.firstName),
    lastName: textProblems(lastName, LIMITS.lastName),
    contactNumber: textProblems(contactNumber, LIMITS.contactNumber),
    age: ageProblems(profile?.age),
    educationQualification: textProblems(profile?.educationQualification, LIMITS.educationQualification),
  };
}

function ageProblems(age: number | null | undefined): readonly FieldProblem[] {
  if (age === undefined || age === null || (Number.isInteger(age) && age >= 0 && age <= OLDEST)) return [];
  return [{ rule: 'invalid', message: `Give whole years from 0 to ${OLDEST}.` }];
}

// Problems of a first password. A password that the user must change after the first sign-in is not checked for
// strength.
function firstPasswordProblems(account: NewAccount): readonly FieldProblem[] {
  if (account.password === '') return [BLANK];
  return account.mustChangePassword === true ? [] : passwordProblems(account.password, account);
}

/** Problems of a text that other users see. */
export function textProblems(text: string | null | undefined, limit: number): readonly FieldProblem[] {
  if (text === undefined || text === null) return [];
  const problems: FieldProblem[] = [];
  if (text.length > limit) problems.push({ rule: 'too_long', message: `has more than ${limit} characters.`, limit });
  if (!isStorable(text) || hasControlCharacters(text)) {
    const message = 'Control characters, characters that reverse or hide text, and invalid Unicode are not allowed.';
    problems.push({ rule: 'not_text', message });
  }
  return problems;
}

function usernameProblems(username: string): readonly FieldProblem[] {
  if (username === '') return [BLANK];
  // Some invisible characters, such as U+FE0F, count as letters or marks. A name with them would look like another
  // name.
  if (/\p{DI}/u.test(username)) return [INVISIBLE];
  if (/^[\p{L}\p{M}\p{N}_.@+-]+$/u.test(username)) return [];
  return [{ rule: 'invalid', message: 'Enter a valid username: letters, digits and @ . + - _ only.' }];
}

function emailProblems(email = ''): readonly FieldProblem[] {
  if (email === '' || /^[^\s@]+@[^\s@]+$/u.test(email)) return [];
  return [{ rule: 'invalid', message: 'Enter a valid email address, like name@example.org.' }];
}
