import { DomainError } from '@headwater/core';
import { isOrganizationAdmin, mayRead, type Person, type UserPrincipal } from '@headwater/identity';
import { z } from 'zod';
import type { Ports, ServiceDeps } from '../../../deps.ts';
import { knownPerson, conflictAsFieldError } from '../handlers/known-person.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json, type Reply } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { badMember } from '../../../wire/request-error.ts';
import {
  ChangeUserFields,
  ChangeUserRequest,
  NewUserFields,
  NewUserRequest,
  personRequestOf,
  registrationOf,
  UserBody,
  userBody,
  UserId,
  UserListQuery,
} from '../schemas/users.ts';
import { sentences } from '../../../wire/sentences.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';

const FORMS = ['json', 'form', 'multipart'] as const;
const ME = { id: '1' };

const listUsers = operation({
  id: 'listUsers',
  method: 'GET',
  path: paths.users,
  auth: 'bearer',
  tag: 'accounts',
  summary: 'Lists users: superusers get all users, and the administrator of an organisation gets its users',
  query: UserListQuery,
  responses: { 200: ok('Users, ordered by id', z.array(UserBody)) },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS],
  noStore: true,
  examples: [
    { name: 'by a reader of data', status: 403 },
    { name: 'a limit that is not a number', query: { limit: 'x' }, status: 400 },
  ],
  async handler({ principal, query }, { stores }) {
    if (principal.user.isSuperuser) return json(200, (await stores.people.people(query)).map(userBody));
    const reader = await knownPerson(stores, principal.user.id);
    const { organization } = reader;
    if (organization === null || !isOrganizationAdmin(reader)) throw new DomainError('forbidden', sentences.forbidden);
    const people = await stores.people.people({ ...query, organizationId: organization.id });
    return json(200, people.map(userBody));
  },
});

const createUser = operation({
  id: 'createUser',
  method: 'POST',
  path: paths.users,
  auth: 'superuser',
  tag: 'accounts',
  summary: 'Creates an account for another person, without the rights of a superuser (superusers only)',
  body: { kind: 'fields', schema: NewUserFields, documented: NewUserRequest, accepts: FORMS },
  responses: { 201: ok('The user', UserBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'unavailable'],
  noStore: true,
  examples: [
    { name: 'fields missing', body: {}, status: 400 },
    { name: 'a colleague', body: { username: 'colleague', password: 'tall-river-42' }, status: 201 },
  ],
  async handler({ body }, { accounts, stores }) {
    const { organization, ...account } = registrationOf(body);
    const mayCompute = body.may_compute ?? true;
    const organizationId =
      organization === undefined ? {} : { organizationId: await accounts.organizationId(organization) };
    const user = await conflictAsFieldError(accounts.createUser({ ...account, ...organizationId, mayCompute }));
    return json(201, userBody(await knownPerson(stores, user.id)));
  },
});

const getUser = operation({
  id: 'getUser',
  method: 'GET',
  path: paths.user,
  auth: 'bearer',
  tag: 'accounts',
  summary:
    'Returns a user: the caller, a user of the organisation that the caller administers, or, for superusers, any user',
  params: UserId,
  responses: { 200: ok('The user', UserBody) },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  noStore: true,
  examples: [
    { name: 'oneself', params: ME, status: 200 },
    { name: 'another user', params: { id: '2' }, status: 403 },
  ],
  async handler({ principal, params }, { stores }) {
    return json(200, userBody(await readable(stores, principal, params.id)));
  },
});

const CHANGE_ROW = {
  path: paths.user,
  auth: 'bearer',
  tag: 'accounts',
  description:
    'Fields that are absent stay unchanged, with PATCH and PUT. Users change their own account. Superusers change any account, and also set who may compute and who is active. ' +
    'A changed `username` or a `profile_picture` is an error. Other fields that this caller cannot change are ignored, because dashboards send the whole user back.',
  params: UserId,
  body: { kind: 'fields', schema: ChangeUserFields, documented: ChangeUserRequest, accepts: FORMS },
  responses: { 200: ok('The user', UserBody) },
  errors: [...SUPERUSER_ERRORS, ...BODY_ERRORS, 'not_found', 'throttled', 'unavailable'],
  noStore: true,
  examples: [
    { name: 'oneself', params: ME, body: { first_name: 'Asha' }, status: 200 },
    {
      name: 'another e-mail address without the password',
      params: ME,
      body: { email: 'asha@example.org' },
      status: 400,
    },
    { name: 'another user', params: { id: '2' }, body: { first_name: 'Asha' }, status: 403 },
  ],
} as const;

const changeUser = operation({
  ...CHANGE_ROW,
  id: 'changeUser',
  method: 'PATCH',
  summary: 'Changes the details of a user',
  handler: ({ principal, params, body, remoteAddress }, deps) =>
    change(deps, { principal, userId: params.id, body, remoteAddress }),
});

const replaceUser = operation({
  ...CHANGE_ROW,
  id: 'replaceUser',
  method: 'PUT',
  summary: 'Changes the details of a user, for dashboards that send PUT',
  handler: ({ principal, params, body, remoteAddress }, deps) =>
    change(deps, { principal, userId: params.id, body, remoteAddress }),
});

interface Change {
  readonly principal: UserPrincipal;
  readonly userId: number;
  readonly body: z.infer<typeof ChangeUserFields>;
  readonly remoteAddress: string | undefined;
}

async function change(
  { accounts, stores }: Ports<'accounts' | 'stores'>,
  { principal, userId, body, remoteAddress }: Change,
): Promise<Reply> {
  const before = await readable(stores, principal, userId);
  if (body.username !== undefined && body.username !== before.user.username) {
    throw badMember('username', sentences.nameStays);
  }
  const request = personRequestOf(userId, body, principal.user.isSuperuser);
  return json(200, userBody(await accounts.changePerson(principal, request, remoteAddress)));
}

/**
 * Returns a user whom the caller may read. Otherwise throws 403, also for unknown ids; for superusers, an unknown id is
 * 404.
 */
async function readable(stores: ServiceDeps['stores'], { user }: UserPrincipal, id: number): Promise<Person> {
  if (user.isSuperuser || user.id === id) return await knownPerson(stores, id);
  const [reader, person] = await Promise.all([stores.people.person(user.id), stores.people.person(id)]);
  if (reader !== undefined && person !== undefined && mayRead(reader, person)) return person;
  throw new DomainError('forbidden', sentences.forbidden);
}

/** Operations of users, for users themselves and for superusers. */
export const userOperations = [listUsers, createUser, getUser, changeUser, replaceUser] satisfies readonly Operation[];
