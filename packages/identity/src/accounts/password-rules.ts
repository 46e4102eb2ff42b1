import type { FieldProblem } from '@headwater/core';
import { similarity } from '@headwater/core/values';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const MIN_LENGTH = 8;
const MAX_LENGTH = 1024;
const TOO_SIMILAR = 0.7;

/** What a password is compared with. */
export interface PasswordOwner {
  readonly username: string;
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}

/** One form for one password, however the keyboard composed its characters; hash and check this. */
export function normalizedPassword(password: string): string {
  return password.normalize('NFKC');
}

/** What is wrong with a new password, each with its remedy; empty when it will do. */
export function passwordProblems(password: string, owner: PasswordOwner): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const weak = (isSo: boolean, message: string): void => {
    if (isSo) problems.push({ rule: 'weak', message });
  };
  const length = [...password].length;
  const isLong = length > MAX_LENGTH;
  weak(length < MIN_LENGTH, `This password is too short; use at least ${MIN_LENGTH} characters.`);
  if (isLong)
    problems.push({
      rule: 'too_long',
      message: `This password is too long; use at most ${MAX_LENGTH} characters.`,
      limit: MAX_LENGTH,
    });
  weak(!password.isWellFormed(), 'This password is not valid Unicode text; type it anew.');
  weak(/^\d+$/.test(password), 'This password is entirely numeric; add letters.');
  weak(COMMON_PASSWORDS.has(password.toLowerCase()), 'This password is too common; choose a rarer one.');
  const attribute = isLong ? undefined : similarAttribute(password, owner);
  if (attribute !== undefined) weak(true, `This password is too similar to the ${attribute}; choose another one.`);
  return problems;
}

function similarAttribute(password: string, owner: PasswordOwner): string | undefined {
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ['username', owner.username],
    ['email address', owner.email],
    ['first name', owner.firstName],
    ['last name', owner.lastName],
  ];
  return attributes.find(
    ([, value]) => value !== undefined && isSimilar(password.toLowerCase(), value.toLowerCase()),
  )?.[0];
}

function isSimilar(password: string, value: string): boolean {
  const parts = [value, ...value.split(/[^\p{L}\p{N}]+/u)].filter((part) => part !== '');
  return parts.some((part) => similarity(password, part.slice(0, MAX_LENGTH)) >= TOO_SIMILAR);
}
