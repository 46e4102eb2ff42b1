import { DomainError, fieldError, type FieldProblem } from '@headwater/core';
import { addressKey } from './address-key.ts';
import { createAttempts } from './attempts.ts';
import { ANONYMOUS_RANK } from './queued-hasher.ts';
import { accountProblems, MAX_NAME, newUser, refuseProblems, textProblems } from './new-account.ts';
import type { AccountService, NewAccount, Registration, ServiceParts } from './types.ts';
import { mixesScripts } from './username.ts';

/** Error for an unknown organisation. */
export function unknownOrganization(): DomainError {
  return fieldError('validation', { organization: [{ rule: 'unknown', message: 'Organization not found.' }] });
}

/** Error for an organisation's name that is taken. */
export function organizationTaken(): DomainError {
  return fieldError('conflict', { name: [{ rule: 'taken', message: 'is the name of another organisation.' }] });
}

/**
 * Limit of registrations from one address (IPv6: one /64). Invalid registrations count too. This limit is enough for
 * a class behind one router.
 */
export const REGISTRATION_LIMIT = {
  windowMs: 3_600_000,
  most: 40,
  problem: 'Too many registrations from this address',
} as const;

const MAX_LISTED = 1000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BLANK: FieldProblem = { rule: 'blank', message: 'is empty.' };
const DIFFERENT: FieldProblem = { rule: 'mismatch', message: 'The two passwords differ; type the same one twice.' };
const MIXED_SCRIPTS: FieldProblem = {
  rule: 'invalid',
  message: 'The name has letters of several scripts; use letters of one script.',
};

/** Creates the functions for self-registration. */
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
  // Checked before the slow hash, and before an organisation is created, because the organisation would remain after a
  // refusal.
  const isTaken = problems.username.length === 0 && (await stores.users.byUsername(account.username)) !== undefined;
  const hasOthers = Object.values(problems).some((found) => found.length > 0);
  // All problems together, so that the form needs only one correction.
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
    // Letters of several scripts are refused, because a visitor could imitate another user's name. Operators may create
    // such names.
    username: mixesScripts(account.username) ? [...username, MIXED_SCRIPTS] : username,
    password: passwordConfirm === account.password ? password : [DIFFERENT, ...password],
  };
}

/**
 * Id of an organisation by id or name; an unknown name creates an organisation. `isListed`: if it is found by name or
 * created, the registration page lists it from then on.
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

const NAME_TAKEN: FieldProblem = { rule: 'taken', message: 'is taken; choose another one.' };

/** Error for a user name that is taken. */
export function nameTaken(): DomainError {
  return fieldError('conflict', { username: [NAME_TAKEN] });
}
