import { tokenError } from '../auth/tokens.ts';
import { fieldError, type FieldProblem } from '@headwater/core';
import type { User } from '../ports/accounts.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { refuseProblems } from './new-account.ts';
import { verifyPassword } from './queued-hasher.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { PasswordChange, ServiceParts } from './types.ts';

interface Request {
  readonly user: User;
  readonly change: PasswordChange;
  readonly remoteAddress: string | undefined;
}

/**
 * Changes a user's own password. A wrong present password counts as a failed sign-in, because a stolen token must not
 * allow guessing.
 */
export async function changePassword(
  { stores, hasher, report }: Pick<ServiceParts, 'stores' | 'hasher' | 'report'>,
  { user, change, remoteAddress }: Request,
  throttle: LoginThrottle,
): Promise<void> {
  const oldPassword = normalizedPassword(change.oldPassword);
  const newPassword = normalizedPassword(change.newPassword);
  refuseProblems({
    newPassword: [...passwordProblems(change.newPassword, user), ...sameProblem(oldPassword, newPassword)],
  });
  const facts = { userId: user.id, username: user.username, address: remoteAddress };
  if (!(await isPresentPassword({ hasher, throttle }, { user, password: change.oldPassword, remoteAddress }))) {
    report('password_change_failed', facts);
    throw fieldError('validation', { oldPassword: [{ rule: 'wrong', message: 'is not the present password.' }] });
  }
  const hash = await hasher.hash(newPassword);
  // If the password is reset meanwhile, the session version changes, and the replacement fails.
  const checked = { sessionVersion: user.sessionVersion, endsKeys: false };
  if (!(await stores.users.replacePassword(user.id, hash, checked))) throw tokenError('access', 'invalid');
  report('password_changed', facts);
}

interface Typed {
  readonly user: User;
  readonly password: string;
  readonly remoteAddress: string | undefined;
}

/** True if the password is correct. A wrong password counts as a failed sign-in. */
export async function isPresentPassword(
  { hasher, throttle }: Pick<ServiceParts, 'hasher'> & { readonly throttle: LoginThrottle },
  { user, password, remoteAddress }: Typed,
): Promise<boolean> {
  const { username, passwordHash } = user;
  const matches = await throttle.guard({ username, remoteAddress }, async (rank) =>
    (await verifyPassword(hasher, { password, hash: passwordHash, rank })) ? true : undefined,
  );
  return matches === true;
}

function sameProblem(oldPassword: string, newPassword: string): readonly FieldProblem[] {
  if (oldPassword !== newPassword) return [];
  return [{ rule: 'weak', message: 'This is the present password; choose another one.' }];
}
