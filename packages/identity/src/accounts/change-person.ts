import { DomainError, fieldError, invalidField, type FieldErrors } from '@headwater/core';
import type { Person } from '../ports/people.ts';
import { teamPartNotFound } from './groups.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { isPresentPassword } from './change-password.ts';
import { detailProblems, refuseProblems } from './new-account.ts';
import type { AccountService, PersonRequest, ServiceParts } from './types.ts';

/**
 * Creates the function that changes details of people. A new e-mail address of the caller or of a superuser requires
 * the caller's password, because links for new passwords go to this address.
 */
export function createPersonChange(
  { stores, hasher, report }: ServiceParts,
  throttle: LoginThrottle,
): AccountService['changePerson'] {
  return async ({ user }, { userId, change, password }, remoteAddress) => {
    const isOwn = userId === user.id;
    if (!user.isSuperuser && !(await approves(stores, user.id, { userId, change }))) {
      if (!isOwn) throw new DomainError('forbidden', 'You may change your own account only.');
      if (isPrivileged(change))
        throw new DomainError(
          'forbidden',
          'Only a superuser may enable or disable an account, or change its organisation or its right to compute.',
        );
    }
    if (isOwn && change.isActive === false)
      throw invalidField('isActive', 'You cannot disable yourself; another superuser can.');
    const before = await stores.people.person(userId);
    if (before === undefined) throw teamPartNotFound('user', userId);
    refuseProblems(newProblems(before, change));
    if ((isOwn || before.user.isSuperuser) && movesAddress(before, change)) {
      const typed = { user, password: password ?? '', remoteAddress };
      if (!(await isPresentPassword({ hasher, throttle }, typed))) throw wrongPassword();
    }
    const { email: _, ...others } = change;
    const wanted = movesAddress(before, change) ? change : others;
    const after = await stores.people.change(userId, wanted, user);
    if (after === undefined) throw teamPartNotFound('user', userId);
    const facts = { userId, username: after.user.username, address: remoteAddress };
    report('person_changed', facts);
    if (after.user.isActive !== before.user.isActive)
      report(after.user.isActive ? 'account_enabled' : 'account_disabled', facts);
    return after;
  };
}

type Change = PersonRequest['change'];

async function approves(
  { people }: Pick<ServiceParts['stores'], 'people'>,
  memberId: number,
  { userId, change: { organizationId, ...others } }: Pick<PersonRequest, 'userId' | 'change'>,
): Promise<boolean> {
  if (typeof organizationId !== 'string' || Object.values(others).some((value) => value !== undefined)) return false;
  const [member, person] = await Promise.all([people.person(memberId), people.person(userId)]);
  return member?.organization?.id === organizationId && person?.requestedOrganization?.id === organizationId;
}

function isPrivileged({ isActive, mayCompute, organizationId }: Change): boolean {
  return isActive !== undefined || mayCompute !== undefined || organizationId !== undefined;
}

/** Unchanged fields are not checked, because dashboards send all of them, and stored values may violate newer rules. */
function newProblems({ user, profile }: Person, change: Change): FieldErrors {
  const stored = new Map<string, unknown>(Object.entries({ ...user, ...profile }));
  const wanted = new Map<string, unknown>(Object.entries({ ...change, ...change.profile }));
  const problems = Object.entries(detailProblems(change));
  return Object.fromEntries(problems.filter(([field]) => wanted.get(field) !== stored.get(field)));
}

function movesAddress({ user }: Person, { email }: Change): boolean {
  return email !== undefined && email !== user.email;
}

function wrongPassword(): DomainError {
  const message = 'is not your present password, which is required to change the e-mail address.';
  return fieldError('validation', { oldPassword: [{ rule: 'wrong', message }] });
}
