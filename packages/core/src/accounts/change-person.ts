import { DomainError, fieldError, invalidField } from '../errors.ts';
import { absentOfTeam } from './groups.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { isPresentPassword } from './change-password.ts';
import { detailProblems, refuseProblems } from './new-account.ts';
import type { AccountService, ServiceParts } from './types.ts';

/**
 * Makes the function that changes what is told of people. Of himself everybody changes names and profile, and his address with his password
 * alone: the address gets links for new passwords, so that a stolen token must not serve to move it. Superusers change everything of others.
 */
export function createPersonChange(
  { stores, hasher, report }: ServiceParts,
  { throttle, setActive }: { readonly throttle: LoginThrottle; readonly setActive: AccountService['setActive'] },
): AccountService['changePerson'] {
  return async ({ user }, { userId, change, isActive, password }, remoteAddress) => {
    const isOwn = userId === user.id;
    if (!isOwn && !user.isSuperuser) throw new DomainError('forbidden', 'You may change your own account only.');
    const isPrivileged =
      isActive !== undefined || change.mayCompute !== undefined || change.organizationId !== undefined;
    if (isPrivileged && !user.isSuperuser) throw new DomainError('forbidden', 'Only a superuser may change this.');
    if (isOwn && isActive === false)
      throw invalidField('isActive', 'You cannot disable yourself; another superuser can.');
    refuseProblems(detailProblems(change));
    const before = await stores.people.person(userId);
    if (before === undefined) throw absentOfTeam('user', userId);
    if (isOwn && change.email !== undefined && change.email !== before.user.email) {
      const typed = { user, password: password ?? '', remoteAddress };
      if (!(await isPresentPassword({ hasher, throttle }, typed))) throw wrongPassword();
    }
    await stores.people.change(userId, change);
    if (isActive !== undefined && isActive !== before.user.isActive) await setActive(userId, isActive);
    const after = await stores.people.person(userId);
    if (after === undefined) throw absentOfTeam('user', userId);
    report('person_changed', { userId, username: after.user.username, address: remoteAddress });
    return after;
  };
}

function wrongPassword(): DomainError {
  const message = 'is not the present password, which a new e-mail address needs.';
  return fieldError('validation', { oldPassword: [{ rule: 'wrong', message }] });
}
