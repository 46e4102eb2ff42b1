import { fieldError } from '../errors.ts';
import type { FieldProblem } from '../field-problems.ts';
import type { User } from '../ports/accounts.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { refuseProblems } from './new-account.ts';
import { normalizedPassword, passwordProblems } from './password-rules.ts';
import type { PasswordChange, ServiceParts } from './types.ts';

/** Who changes his password to what, and from where. */
interface Request {
  readonly user: User;
  readonly change: PasswordChange;
  readonly remoteAddress: string | undefined;
}

/** Changes a user's own password. A wrong present one counts as a failed sign-in: a stolen token must not serve to guess it. */
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
  const matches = await throttle.guard({ username: user.username, remoteAddress }, async (rank) =>
    (await hasher.verify(oldPassword, user.passwordHash, rank)) ? true : undefined,
  );
  const facts = { userId: user.id, username: user.username, address: remoteAddress };
  if (matches === undefined) {
    report('password_change_failed', facts);
    throw fieldError('validation', { oldPassword: [{ rule: 'wrong', message: 'is not the present password.' }] });
  }
  await stores.users.setPassword(user.id, await hasher.hash(newPassword));
  report('password_changed', facts);
}

function sameProblem(oldPassword: string, newPassword: string): readonly FieldProblem[] {
  if (oldPassword !== newPassword) return [];
  return [{ rule: 'weak', message: 'This password is the present one; choose another one.' }];
}
