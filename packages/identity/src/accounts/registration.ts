import { DomainError, fieldError, type FieldProblem } from '@headwater/core';
import { addressKey } from './address-key.ts';
import { createAttempts } from './attempts.ts';
import { ANONYMOUS_RANK } from './queued-hasher.ts';
import { accountProblems, MAX_NAME, newUser, refuseProblems, textProblems } from './new-account.ts';
import type { AccountService, NewAccount, Registration, ServiceParts } from './types.ts';
import { mixesScripts } from './username.ts';

/** The error for an unknown organisation. */
export function unknownOrganization(): DomainError {
  return fieldError('validation', { organization: [{ rule: 'unknown', message: 'Organization not found.' }] });
}

/** The error for an organisation's name that is already the name of another organisation. */
export function organizationTaken(): DomainError {
  return fieldError('conflict', { name: [{ rule: 'taken', message: 'is the name of another organisation.' }] });
}

/**
 * Maximum number of registrations from one address (IPv6: one /64) within an hour. Invalid registrations also count. The number is enough
 * for a class of students behind one router.
 */
export const REGISTRATION_LIMIT = {
  windowMs: 3_600_000,
  most: 40,
  problem: 'Too many registrations from here',
} as const;

/** Maximum number of organisations in the list of the registration page. */
const MAX_LISTED = 1000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BLANK: FieldProblem = { rule: 'blank', message: 'is empty.' };
const DIFFERENT: FieldProblem = { rule: 'mismatch', message: 'The two passwords differ; type the same one twice.' };
const MIXED_SCRIPTS: FieldProblem = {
  rule: 'invalid',
  message: 'The name has letters of several scripts; use letters of one script.',
};

/** Builds the functions for self-registration. */
export function createRegistration(
  parts: ServiceParts,
): Pick<AccountService, 'register' | 'organizations' | 'organizationId'> {
  const { stores, clock, registration: rule = 'off' } = parts;
  const take = createAttempts({ store: stores.throttle, clock }, REGISTRATION_LIMIT);
  const refuseIfOff = (): void => {
    if (rule === 'open') return;
    throw new DomainError('forbidden', 'Registration is off on this service; ask its operator for an account.');
  };
  return {
    register: async (registration, remoteAddress) => {
      refuseIfOff();
      await take(`register ${remoteAddress === undefined ? '' : addressKey(remoteAddress)}`);
      return await register(parts, registration, remoteAddress);
    },
    organizationId: (idOrName) => organizationIdOf(parts, idOrName, true),
    organizations: async () => {
      refuseIfOff();
      return await stores.people.organizations({ onlyListed: true, limit: MAX_LISTED });
    },
  };
}

async function register(
  parts: ServiceParts,
  { organization = '', passwordConfirm, ...registration }: Registration,
  address: string | undefined,
): ReturnType<AccountService['register']> {
  const { stores, report, hasher } = parts;
  const account = { ...registration, mayCompute: false };
  const problems = {
    ...registrationProblems(account, passwordConfirm),
    organization: textProblems(organization, MAX_NAME),
  };
  // The name is checked before the slow hash, and before an organisation is created, because the organisation would
  // remain after a refusal.
  const isTaken = problems.username.length === 0 && (await stores.users.byUsername(account.username)) !== undefined;
  const hasOthers = Object.values(problems).some((found) => found.length > 0);
  // Reports all problems together, so that the form needs only one correction.
  if (hasOthers) refuseProblems({ ...problems, username: isTaken ? [NAME_TAKEN] : problems.username });
  if (isTaken) throw nameTaken();
  const checked = await newUser(account, false, (password) => hasher.hash(password, ANONYMOUS_RANK));
  const requestedOrganizationId =
    organization.trim() === '' ? null : await organizationIdOf(parts, organization, false);
  const user = await stores.users.create({ ...checked, requestedOrganizationId });
  report('registered', { userId: user.id, username: user.username, address });
  return user;
}

function registrationProblems(account: NewAccount, passwordConfirm = account.password) {
  const { email, username, password, ...others } = accountProblems(account);
  return {
    ...others,
    email: (account.email ?? '') === '' ? [BLANK] : email,
    // Names with letters of several scripts are refused only here, because a visitor could imitate the name of another
    // user with such letters. Operators may create accounts with such names.
    username: mixesScripts(account.username) ? [...username, MIXED_SCRIPTS] : username,
    password: passwordConfirm === account.password ? password : [DIFFERENT, ...password],
  };
}

/**
 * Returns the id of a stored organisation, given its id or name. Creates an organisation for an unknown name. If `isListed` is true, the
 * registration page lists the organisation.
 */
async function organizationIdOf(
  { stores }: Pick<ServiceParts, 'stores'>,
  idOrName: string,
  isListed: boolean,
): Promise<string> {
  const name = idOrName.trim();
  refuseProblems({ organization: name === '' ? [BLANK] : textProblems(name, MAX_NAME) });
  if (!UUID.test(name)) return (await stores.people.organizationNamed(name, isListed)).id;
  const known = await stores.people.organization(name);
  if (known === undefined) throw unknownOrganization();
  return known.id;
}

/** Problem of a user name that is already the name of another account. */
const NAME_TAKEN: FieldProblem = { rule: 'taken', message: 'is taken; choose another one.' };

/** The error for a user name that is already the name of another account. */
export function nameTaken(): DomainError {
  return fieldError('conflict', { username: [NAME_TAKEN] });
}
