import { DomainError } from '../errors.ts';
import type { FieldProblem } from '../field-problems.ts';
import { addressKey } from './address-key.ts';
import { createAttempts } from './attempts.ts';
import { newUser, refuseProblems, textProblems } from './new-account.ts';
import type { AccountService, ServiceParts } from './types.ts';
import { nameTaken } from './name-taken.ts';
import { unknownOrganization } from './unknown-organization.ts';

/** Registrations of one address (IPv6: one /64) within an hour, good or not: a class of students behind one router, and no more. */
export const REGISTRATION_LIMIT = {
  windowMs: 3_600_000,
  most: 40,
  problem: 'Too many registrations from here',
} as const;

/** Longest name of an organisation, characters. */
const MAX_ORGANIZATION = 150;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const BLANK: FieldProblem = { rule: 'blank', message: 'is empty.' };

/** Makes the functions by which strangers make accounts of their own. */
export function createRegistration(
  parts: ServiceParts,
): Pick<AccountService, 'register' | 'organizations' | 'organizationId'> {
  const { stores, clock, report, hasher, registration: rule = 'off' } = parts;
  const take = createAttempts({ store: stores.throttle, clock }, REGISTRATION_LIMIT);
  const refuseWhereOff = (): void => {
    if (rule === 'open') return;
    throw new DomainError('forbidden', 'Registration is off on this service; ask its operator for an account.');
  };
  const register: AccountService['register'] = async ({ organization = '', ...registration }, remoteAddress) => {
    refuseWhereOff();
    await take(`register ${remoteAddress === undefined ? '' : addressKey(remoteAddress)}`);
    const { username, email = '' } = registration;
    refuseProblems({
      email: email === '' ? [BLANK] : [],
      organization: textProblems(organization, MAX_ORGANIZATION),
    });
    const account = await newUser({ ...registration, mayCompute: false }, false, hasher);
    // Looked for first: an account that is refused leaves no organisation behind.
    if ((await stores.users.byUsername(username)) !== undefined) throw nameTaken();
    const organizationId = organization.trim() === '' ? null : await organizationIdOf(parts, organization);
    const user = await stores.users.create({ ...account, organizationId });
    report('registered', { userId: user.id, username: user.username, address: remoteAddress });
    return user;
  };
  return {
    register,
    organizationId: (given) => organizationIdOf(parts, given),
    organizations: async () => {
      refuseWhereOff();
      return await stores.people.organizations();
    },
  };
}

async function organizationIdOf({ stores }: Pick<ServiceParts, 'stores'>, given: string): Promise<string> {
  const name = given.trim();
  refuseProblems({ organization: name === '' ? [BLANK] : textProblems(name, MAX_ORGANIZATION) });
  if (!UUID.test(name)) return (await stores.people.organizationNamed(name)).id;
  const known = await stores.people.organization(name);
  if (known === undefined) throw unknownOrganization();
  return known.id;
}
